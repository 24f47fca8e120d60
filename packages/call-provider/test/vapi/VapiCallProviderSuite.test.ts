import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { vapi } from "../providerSetup.ts"

const fake = await FakeVapi.open()
afterAll(() => fake[Symbol.asyncDispose]())

callProviderSuite("Vapi", vapi(fake.url), {
  acceptedNumber: "+12025550111",
  refusedNumber: "+12025550003",
  passTime: Effect.promise(() => fake.advance(3_600_000)),
  now: Effect.sync(() => DateTime.makeUnsafe(fake.now())),
  excludeTestServices: true
})
