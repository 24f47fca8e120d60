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
import { alice, bob, busyFrom, down, find, limited, monday, shown, test, tuesday } from "./externalCalendars.ts"

describe("ExternalBusy, with a provider that says when to ask again", () => {
  test("one that says when to ask again is asked nothing of that account before, and the old answers count on", (outside) =>
    Effect.gen(function* () {
      const sunday = DateTime.add(monday, { days: -1 })
      yield* find()
      yield* TestClock.adjust("2 minutes")
      outside.answer = () => limited(120_000)
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      outside.answer = () => busyFrom(1)
      const asked = outside.questions.length
      yield* TestClock.adjust("119999 millis")
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      expect(yield* Effect.flip(find(alice, sunday))).toMatchObject({ _tag: "CalendarUnavailable" })
      expect(outside.questions).toHaveLength(asked)
      expect(shown(yield* find(bob))).toEqual([["google", 1, 239.999]])
      yield* TestClock.adjust("5 seconds")
      expect(shown(yield* find())).toEqual([["google", 1, 244.999]])
      expect(shown(yield* find(alice, sunday))).toEqual([["google", 1, 244.999]])
    }))

  test("another calendar of the account, or the same one connected anew, is asked at once", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => limited(120_000)
      yield* Effect.exit(find())
      outside.answer = () => busyFrom(1)
      outside.calendar = "home"
      expect(yield* find()).toHaveLength(1)
      outside.calendar = "work"
      outside.since = tuesday
      expect(yield* find()).toHaveLength(1)
      outside.since = monday
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("of two times that were said at once the later counts", (outside) =>
    Effect.gen(function* () {
      const waits = [60_000, 10_000]
      outside.answer = () =>
        Effect.andThen(Effect.sleep(Duration.millis(3 - waits.length)), limited(waits.shift() ?? 0))
      const both = yield* Effect.forkChild(
        Effect.all([Effect.exit(find()), Effect.exit(find(alice, tuesday))], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(both)
      outside.answer = () => busyFrom(1)
      yield* TestClock.adjust("58 seconds")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      expect(outside.questions).toHaveLength(2)
    }))

  test("an old answer counts not a second longer because the provider said when to ask again", (outside) =>
    Effect.gen(function* () {
      yield* find()
      yield* TestClock.adjust("9 minutes")
      outside.answer = () => limited(300_000)
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("1 minute")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      expect(outside.questions).toHaveLength(2)
    }))

  test("one that says to ask again in a day is asked again after ten minutes, or once the clock is put back", (outside) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7_200_000)
      outside.answer = () => limited(86_400_000)
      yield* Effect.exit(find())
      outside.answer = () => busyFrom(1)
      yield* TestClock.adjust("599999 millis")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
      yield* TestClock.adjust("5 seconds")
      expect(shown(yield* find())).toEqual([["google", 1, 7_804.999]])
      outside.answer = () => limited(86_400_000)
      yield* TestClock.adjust("1 minute")
      yield* find()
      yield* TestClock.setTime(3_600_000)
      outside.answer = () => busyFrom(2)
      expect(shown(yield* find())).toEqual([["google", 2, 3_600]])
    }))

  test("whatever is asked when, nothing is asked of a connection before the time that its provider has said", (outside) =>
    Effect.gen(function* () {
      const said = new Map<AccountId, number>()
      const early: Array<number> = []
      const step = fc.record({
        wait: fc.integer({ min: 0, max: 400_000 }),
        account: fc.constantFrom(alice, bob),
        day: fc.nat(2),
        answer: fc.oneof(fc.constant("busy"), fc.constant("down"), fc.integer({ min: 0, max: 800_000 }))
      })
      yield* Property.forAll(fc.array(step, { maxLength: 30 }), (steps) =>
        Effect.gen(function* () {
          for (const { account, answer, day, wait } of steps) {
            yield* TestClock.adjust(Duration.millis(wait))
            const now = yield* Clock.currentTimeMillis
            outside.answer = (_provider, accountId) => {
              if (now < (said.get(accountId) ?? 0)) early.push(now)
              if (typeof answer === "string") return answer === "busy" ? busyFrom(1) : down
              said.set(accountId, now + Math.min(answer, 600_000))
              return limited(answer)
            }
            yield* Effect.exit(find(account, DateTime.add(monday, { days: -day })))
          }
          expect(early).toEqual([])
        })
      )
      expect(outside.questions.length).toBeGreaterThan(100)
    }))
})
