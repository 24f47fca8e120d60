import { describe, expect } from "@effect/vitest"
import { CurrentMaxWait, ExternalBusy } from "@frontdesk/core/availability/ExternalBusy"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { alice, bob, busyFrom, find, monday, summary, test, tuesday, unreachable } from "./externalCalendars.ts"

const readAhead = Effect.flatMap(ExternalBusy, (external) => external.readAhead(alice))

/** Lets the background read what {@link readAhead} has started. */
const settled = Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))

const waitingAtMost = (millis: number) => Effect.provideService(CurrentMaxWait, Duration.millis(millis))

describe("ExternalBusy.readAhead", () => {
  test("reads the calendars of the next weeks once, and questions about days in them read nothing for a minute", (fake) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(monday))
      yield* readAhead
      yield* settled
      expect(fake.reads).toEqual(["google 1 2026-05-30"])
      fake.onBusy = () => busyFrom(7)
      const days = yield* Effect.flatMap(ExternalBusy, (external) =>
        external.find(alice, DateTime.add(monday, { days: 10 }), DateTime.add(monday, { days: 30 }))
      )
      expect(summary(days)[0]?.[1]).toBe(0)
      yield* find()
      yield* readAhead
      yield* settled
      expect(fake.reads).toHaveLength(1)
      yield* find(bob)
      expect(fake.reads).toHaveLength(2)
      yield* TestClock.adjust("1 minute")
      expect(summary(yield* find())[0]?.[1]).toBe(7)
      expect(fake.reads).toHaveLength(3)
    }))

  test("does not wait for a calendar that hangs, and does not fail for one that cannot be read", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.never
      yield* readAhead
      fake.onBusy = () => unreachable
      yield* readAhead
      yield* settled
    }))
})

describe("CurrentMaxWait", () => {
  test("when a calendar does not answer in time, the last busy times that include the range count", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => Effect.never
      yield* TestClock.adjust("2 minutes")
      const finding = yield* Effect.forkChild(
        Effect.flatMap(ExternalBusy, (external) =>
          external.find(alice, monday, DateTime.subtract(tuesday, { hours: 1 }))
        ).pipe(waitingAtMost(1_500)),
        { startImmediately: true }
      )
      yield* TestClock.adjust("1499 millis")
      expect(finding.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(summary(yield* Fiber.join(finding))).toEqual([["google", 0, 0]])
    }))

  test("without earlier busy times the question fails in time", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.never
      const finding = yield* Effect.forkChild(Effect.flip(waitingAtMost(1_500)(find())), { startImmediately: true })
      yield* TestClock.adjust("1500 millis")
      expect(yield* Fiber.join(finding)).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))
})
