import { describe, expect } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import * as Property from "@frontdesk/testing/Property"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  alice,
  bob,
  busyFrom,
  unreachable,
  find,
  rateLimited,
  monday,
  summary,
  test,
  tuesday
} from "./externalCalendars.ts"

describe("ExternalBusy with a provider that requests a wait", () => {
  test("during the wait the connection is not read: a query uses its last result, or fails without one", (fake) =>
    Effect.gen(function* () {
      const sunday = DateTime.add(monday, { days: -1 })
      yield* find()
      yield* TestClock.adjust("2 minutes")
      fake.onBusy = () => rateLimited(120_000)
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      fake.onBusy = () => busyFrom(1)
      const before = fake.reads.length
      yield* TestClock.adjust("119999 millis")
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      expect(yield* Effect.flip(find(alice, sunday))).toMatchObject({ _tag: "CalendarUnavailable" })
      expect(fake.reads).toHaveLength(before)
      expect(summary(yield* find(bob))).toEqual([["google", 1, 239.999]])
      // The last result and the failure are cached for 5 seconds.
      yield* TestClock.adjust("5 seconds")
      expect(summary(yield* find())).toEqual([["google", 1, 244.999]])
      expect(summary(yield* find(alice, sunday))).toEqual([["google", 1, 244.999]])
    }))

  test("another calendar of the account, and a new connection to the same calendar, are read during the wait", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => rateLimited(120_000)
      yield* Effect.exit(find())
      fake.onBusy = () => busyFrom(1)
      fake.calendar = "home"
      expect(yield* find()).toHaveLength(1)
      fake.calendar = "work"
      fake.since = tuesday
      expect(yield* find()).toHaveLength(1)
      fake.since = monday
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("of two waits that are requested at once the longer one counts", (fake) =>
    Effect.gen(function* () {
      const waits = [60_000, 10_000]
      fake.onBusy = () =>
        Effect.andThen(Effect.sleep(Duration.millis(3 - waits.length)), rateLimited(waits.shift() ?? 0))
      const both = yield* Effect.forkChild(
        Effect.all([Effect.exit(find()), Effect.exit(find(alice, tuesday))], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(both)
      fake.onBusy = () => busyFrom(1)
      yield* TestClock.adjust("58 seconds")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      expect(fake.reads).toHaveLength(2)
    }))

  test("a wait does not extend the maximum age of the last result", (fake) =>
    Effect.gen(function* () {
      yield* find()
      yield* TestClock.adjust("9 minutes")
      fake.onBusy = () => rateLimited(300_000)
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("1 minute")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      expect(fake.reads).toHaveLength(2)
    }))

  test("a wait of a day ends after ten minutes, or when the clock is set back", (fake) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7_200_000)
      fake.onBusy = () => rateLimited(86_400_000)
      yield* Effect.exit(find())
      fake.onBusy = () => busyFrom(1)
      yield* TestClock.adjust("599999 millis")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      yield* TestClock.adjust("5 seconds")
      expect(summary(yield* find())).toEqual([["google", 1, 7_804.999]])
      fake.onBusy = () => rateLimited(86_400_000)
      yield* TestClock.adjust("1 minute")
      yield* find()
      yield* TestClock.setTime(3_600_000)
      fake.onBusy = () => busyFrom(2)
      expect(summary(yield* find())).toEqual([["google", 2, 3_600]])
    }))

  test("law: no connection is read during a wait that its provider has requested", (fake) =>
    Effect.gen(function* () {
      const waitEnds = new Map<AccountId, number>()
      const early: Array<number> = []
      const step = fc.record({
        wait: fc.integer({ min: 0, max: 400_000 }),
        account: fc.constantFrom(alice, bob),
        day: fc.nat(2),
        answer: fc.oneof(fc.constant("busy"), fc.constant("unreachable"), fc.integer({ min: 0, max: 800_000 }))
      })
      yield* Property.forAll(fc.array(step, { maxLength: 30 }), (steps) =>
        Effect.gen(function* () {
          for (const { account, answer, day, wait } of steps) {
            yield* TestClock.adjust(Duration.millis(wait))
            const now = yield* Clock.currentTimeMillis
            fake.onBusy = (_provider, accountId) => {
              if (now < (waitEnds.get(accountId) ?? 0)) early.push(now)
              if (typeof answer === "string") return answer === "busy" ? busyFrom(1) : unreachable
              waitEnds.set(accountId, now + Math.min(answer, 600_000))
              return rateLimited(answer)
            }
            yield* Effect.exit(find(account, DateTime.add(monday, { days: -day })))
          }
          expect(early).toEqual([])
        })
      )
      expect(fake.reads.length).toBeGreaterThan(100)
    }))
})
