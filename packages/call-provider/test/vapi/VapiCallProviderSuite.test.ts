import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import { afterAll } from "vitest"
import { openVapi } from "../counterparts.ts"

const options = await openVapi()
afterAll(() => options[Symbol.asyncDispose]())

callProviderSuite("Vapi", options.counterpart.provider, options)
