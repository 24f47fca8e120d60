import { describe, expect, it } from "@effect/vitest"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { Calls } from "@frontdesk/core/call/Calls"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeContact, newNumber } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, report, services } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

describe("Calls.dryRun", () => {
  it.effect(
    "a dry run returns the rendered variables, the unresolved names and the reservation, and changes nothing (D-CALL-12)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const calls = yield* Calls
        const jo = yield* caller.contact({ firstName: "Jo", phoneNumbers: [newNumber("+12025550111")] })
        const run = yield* calls
          .dryRun(caller.input({ variables: { hello: "Hi {{first_name}}{{who}}" } }))
          .pipe(caller.as)
        expect(run).toMatchObject({
          agent: { id: caller.agent.id },
          phoneNumber: "+12025550111",
          contact: { id: jo.id },
          variables: { hello: "Hi Jo", first_name: "Jo" },
          unresolvedVariables: ["who"],
          reservation: money(0.1)
        })
        expect(yield* caller.balance).toBe(money(100))
        expect((yield* calls.list({}, { page: 1, limit: 20 }).pipe(caller.as)).count).toBe(0)
        expect(yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)).toEqual([])
      }).pipe(Effect.provide(services))
  )

  it.effect("a dry run fails with InsufficientFunds and with InvalidPhoneNumber, as a start does", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ deposit: 0.1, maxRunningCalls: 2 })
      const calls = yield* Calls
      const fails = Effect.map(Effect.flip(calls.dryRun(caller.input()).pipe(caller.as)), (error) => error._tag)
      yield* caller.start()
      expect(yield* fails).toBe("InsufficientFunds")
      expect(yield* Effect.flip(calls.dryRun(caller.input({ phoneNumber: "0" })).pipe(caller.as))).toMatchObject({
        _tag: "InvalidPhoneNumber"
      })
    }).pipe(Effect.provide(services))
  )
})

describe("Calls.get and Calls.list", () => {
  it.effect("a call is found by its database id and by the service's id (C-4.2-5)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const { call } = yield* caller.start()
      expect((yield* calls.get(String(call.id)).pipe(caller.as)).callId).toBe(call.callId)
      expect((yield* calls.get(call.callId).pipe(caller.as)).id).toBe(call.id)
      expect(yield* Effect.flip(calls.get("999").pipe(caller.as))).toMatchObject({ _tag: "CallNotFound", call: "999" })
    }).pipe(Effect.provide(services))
  )

  it.effect("a call of another account is not found", () =>
    Effect.gen(function* () {
      const { call } = yield* (yield* makeCaller()).start()
      const other = yield* makeCaller()
      const calls = yield* Calls
      expect((yield* Effect.flip(calls.get(String(call.id)).pipe(other.as)))._tag).toBe("CallNotFound")
      expect((yield* calls.list({}, { page: 1, limit: 20 }).pipe(other.as)).count).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("a list between two dates has the calls of both dates, newest first", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      yield* TestClock.setTime(at(0).epochMilliseconds)
      for (const _ of [1, 2, 3]) {
        yield* caller.start()
        yield* TestClock.adjust("1 day")
      }
      const days = (startDate: string, endDate: string) =>
        calls
          .list(
            { startDate: CalendarDate.make(startDate), endDate: CalendarDate.make(endDate) },
            { page: 1, limit: 20 }
          )
          .pipe(
            caller.as,
            Effect.map((page) => page.items.map((call) => DateTime.formatIsoDate(call.createdAt)))
          )
      expect(yield* days("1970-01-02", "1970-01-03")).toEqual(["1970-01-03", "1970-01-02"])
      expect(yield* days("1970-01-02", "1970-01-02")).toEqual(["1970-01-02"])
    }).pipe(Effect.provide(services))
  )
})

describe("Calls.agentVariables", () => {
  it.effect("agentVariables returns the variables that the agent received, until the call ends (D-PROV-12)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const contact = yield* makeContact(caller.account.id, { customContext: { plan: { name: "gold" } } })
      const { write } = yield* BusinessContextStore
      yield* write(caller.account.id, { set: { hours: "9-17" }, remove: [] })
      const { call } = yield* caller.start({ contactId: contact.id, variables: { greeting: "{{plan}} {{x}}" } })
      const [asked] = yield* Effect.flatMap(FakeCallProvider, ({ requests }) => requests)
      expect(asked?.variables).toMatchObject({ business_hours: "9-17", greeting: '{"name":"gold"} ' })
      expect(yield* calls.agentVariables(call.callId)).toEqual(Option.some(asked?.variables))
      yield* report(call, { _tag: "Ended", status: "completed", answeredAt: at(5), endedAt: at(35), reason: "done" })
      expect(yield* calls.agentVariables(call.callId)).toEqual(Option.none())
      expect(yield* calls.agentVariables("call_other")).toEqual(Option.none())
    }).pipe(Effect.provide(services))
  )
})
