import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import { afterAll } from "vitest"
import { openTwilio } from "../counterparts.ts"

const options = await openTwilio()
afterAll(() => options[Symbol.asyncDispose]())

callProviderSuite("Twilio", options.counterpart.provider, options)
