import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import { afterAll } from "vitest"
import { openRetell } from "../counterparts.ts"

const options = await openRetell()
afterAll(() => options[Symbol.asyncDispose]())

callProviderSuite("Retell", options.counterpart.provider, options)
