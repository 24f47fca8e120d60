import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { totalCharge } from "@frontdesk/core/call/Billing"
import type { Call } from "@frontdesk/core/call/Call"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { forAll } from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeCaller, money, report, services, stored } from "./caller.ts"

/** The price of a minute in tenths of the currency. It is small, so that balances are often just enough or just too little. */
const price = 1
/** The maximum number of running calls. */
const limit = 3

type Command =
  | { readonly _tag: "Deposit"; readonly tenths: number }
  | { readonly _tag: "Start"; readonly isRefused: boolean }
  | { readonly _tag: "End"; readonly which: number; readonly minutes: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ _tag: fc.constant("Deposit" as const), tenths: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ _tag: fc.constant("Start" as const), isRefused: fc.boolean() }),
  // A call of 0 minutes is never answered.
  fc.record({ _tag: fc.constant("End" as const), which: fc.nat(), minutes: fc.integer({ min: 0, max: 5 }) })
)

/** Returns the report of the end of a call that talked for some minutes. */
const endAfter = (minutes: number, endedAt: DateTime.Utc): ProviderReport => ({
  _tag: "Ended",
  ...(minutes === 0
    ? { status: "no_answer", answeredAt: null }
    : { status: "completed", answeredAt: DateTime.subtract(endedAt, { minutes }) }),
  endedAt,
  reason: "done"
})

describe("laws of Calls: the balance", () => {
  it.effect("the balance is deposits minus charges minus open reservations and never negative (D-BILL-4)", () =>
    forAll(fc.array(command, { maxLength: 25 }), (commands) =>
      Effect.gen(function* () {
        const caller = yield* makeCaller({ deposit: 0, price: price / 10, maxRunningCalls: limit })
        const accounts = yield* AccountStore
        const fake = yield* FakeCallProvider
        yield* fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: providerCallId(ref) }))
        const started: Array<Call> = []
        const running = new Set<number>()
        let spendable = 0
        let charged = 0
        for (const each of commands) {
          if (each._tag === "Deposit") {
            yield* accounts.changeFunds(caller.account.id, { deposits: money(each.tenths / 10) }, Samples.cause)
            spendable += each.tenths
          }
          if (each._tag === "Start") {
            yield* fake.answerWith(({ ref }) =>
              each.isRefused
                ? { _tag: "Refused", code: "no", reason: "no", retryable: true }
                : { _tag: "Accepted", providerCallId: providerCallId(ref) }
            )
            const expected =
              running.size >= limit
                ? "ConcurrencyLimitReached"
                : spendable < price
                  ? "InsufficientFunds"
                  : each.isRefused
                    ? "ProviderRefused"
                    : "started"
            const result = yield* Effect.result(caller.start())
            expect(Result.isSuccess(result) ? "started" : result.failure._tag).toBe(expected)
            if (Result.isSuccess(result)) {
              running.add(started.length)
              spendable -= price
              started.push(result.success.call)
            }
          }
          const call = each._tag === "End" ? started[each.which % started.length] : undefined
          if (each._tag === "End" && call !== undefined) {
            yield* TestClock.adjust(Duration.minutes(each.minutes))
            yield* report(call, endAfter(each.minutes, yield* DateTime.now))
            if (running.delete(each.which % started.length)) {
              const total = Math.min(each.minutes * price, price + spendable)
              spendable += price - total
              charged += total
            }
          }
          const funds = yield* caller.funds
          expect(yield* caller.balance).toBe(money(spendable / 10))
          expect(yield* caller.balance).toBeGreaterThanOrEqual(0)
          expect(funds.charges).toBe(money(charged / 10))
          expect(funds.reservations).toBe(money((running.size * price) / 10))
        }
        const after = yield* Effect.forEach(started, stored)
        const settled = after.filter((call) => isTerminal(call.status)).map((call) => totalCharge(call.billing))
        expect(settled.reduce((sum, total) => sum + total, 0)).toBe((yield* caller.funds).charges)
      }).pipe(Effect.provide(services))
    )
  )
})
