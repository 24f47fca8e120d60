import { describe, expect } from "@effect/vitest"
import { ExternalBusy } from "@frontdesk/core/availability/ExternalBusy"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  alice,
  bob,
  busyFrom,
  find,
  monday,
  rateLimited,
  summary,
  test,
  tuesday,
  unreachable
} from "./externalCalendars.ts"

/** The morning of {@link monday}, which lies within the day that {@link find} reads. */
const noon = DateTime.add(monday, { hours: 12 })

const findNow = (accountId = alice, from = monday, until = noon) =>
  Effect.flatMap(ExternalBusy, (external) => external.findNow(accountId, from, until))

describe("ExternalBusy.findNow", () => {
  test("reads each calendar now, although fresh busy times are cached (D-CAL-11)", (fake) =>
    Effect.gen(function* () {
      yield* find()
      yield* findNow(alice, monday, tuesday)
      fake.onBusy = () => busyFrom(7)
      yield* TestClock.adjust("1 second")
      expect(summary(yield* findNow(alice, monday, tuesday))).toEqual([["google", 7, 1]])
      expect(fake.reads).toHaveLength(3)
    }))

  test("when a calendar does not answer in 1.5 seconds, cached busy times of up to 5 minutes that include the range count", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => Effect.never
      yield* TestClock.adjust("298 seconds")
      const finding = yield* Effect.forkChild(findNow(), { startImmediately: true })
      yield* TestClock.adjust("1499 millis")
      expect(finding.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(summary(yield* Fiber.join(finding))).toEqual([["google", 0, 0]])
      fake.onBusy = () => unreachable
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(findNow())).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))

  test("cached busy times of a shorter range, of another account or of another calendar do not count", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => unreachable
      const later = DateTime.add(tuesday, { milliseconds: 1 })
      for (const range of [
        findNow(alice, monday, later),
        findNow(alice, DateTime.subtract(monday, { milliseconds: 1 }))
      ]) {
        expect(yield* Effect.flip(range)).toMatchObject({ _tag: "CalendarUnavailable" })
      }
      expect(yield* Effect.flip(findNow(bob))).toMatchObject({ _tag: "CalendarUnavailable" })
      expect(summary(yield* findNow())).toEqual([["google", 0, 0]])
      fake.calendar = "home"
      expect(yield* Effect.flip(findNow())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("a calendar whose provider requests a wait is not read, and the youngest cached busy times count", (fake) =>
    Effect.gen(function* () {
      yield* find()
      yield* TestClock.adjust("1 second")
      fake.onBusy = () => busyFrom(7)
      yield* findNow(alice, monday, tuesday)
      fake.onBusy = () => rateLimited(60_000)
      expect(summary(yield* findNow())).toEqual([["google", 7, 1]])
      const reads = fake.reads.length
      expect(summary(yield* findNow())).toEqual([["google", 7, 1]])
      expect(fake.reads).toHaveLength(reads)
    }))
})
