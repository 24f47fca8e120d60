import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { twilio } from "../providerSetup.ts"

const fake = await FakeTwilio.open()
afterAll(() => fake[Symbol.asyncDispose]())

callProviderSuite("Twilio", twilio(fake.url), {
  acceptedNumber: "+12025550111",
  refusedNumber: "+12025550003",
  unsupported: (command) => ({ ...command, assistantId: "a".repeat(4_000) }),
  keepsReference: false,
  passTime: Effect.promise(() => fake.advance(3_600_000)),
  now: Effect.sync(() => DateTime.makeUnsafe(fake.now())),
  excludeTestServices: true
})
