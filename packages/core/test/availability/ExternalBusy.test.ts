import { describe, expect } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { alice, bob, busyFrom, down, find, monday, shown, test, tuesday } from "./externalCalendars.ts"

describe("ExternalBusy", () => {
  test("an account without outside calendars has none, and nobody is asked", (outside) =>
    Effect.gen(function* () {
      outside.providers = []
      expect(yield* find()).toEqual([])
      expect(outside.questions).toEqual([])
    }))

  test("each calendar of the account says when it is busy, and when it was read", (outside) =>
    Effect.gen(function* () {
      outside.providers = ["google", "apple"]
      outside.answer = (provider) => busyFrom(provider === "google" ? 7 : 8)
      yield* TestClock.adjust("3 seconds")
      expect(shown(yield* find())).toEqual([
        ["google", 7, 3],
        ["apple", 8, 3]
      ])
    }))

  test("an answer counts for a minute, from when it was asked for (D-EXT-8)", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => Effect.delay(busyFrom(1), "4 seconds")
      const first = yield* Effect.forkChild(find())
      yield* TestClock.adjust("4 seconds")
      expect(shown(yield* Fiber.join(first))).toEqual([["google", 1, 0]])
      outside.answer = () => busyFrom(2)
      yield* TestClock.adjust("55999 millis")
      expect(shown(yield* find())).toEqual([["google", 1, 0]])
      yield* TestClock.adjust("1 millis")
      expect(shown(yield* find())).toEqual([["google", 2, 60]])
      expect(outside.questions).toHaveLength(2)
    }))

  test("accounts, calendars and times are asked about each for itself", (outside) =>
    Effect.gen(function* () {
      outside.answer = (_provider, accountId) => busyFrom(accountId)
      expect(shown(yield* find(alice))).toEqual([["google", 1, 0]])
      expect(shown(yield* find(bob))).toEqual([["google", 2, 0]])
      yield* find(alice, DateTime.makeUnsafe("2026-05-31"))
      outside.providers = ["apple"]
      yield* find(alice)
      expect(outside.questions).toEqual([
        "google 1 2026-06-01",
        "google 2 2026-06-01",
        "google 1 2026-05-31",
        "apple 1 2026-06-01"
      ])
    }))

  test("who asks the same at once shares one question", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => Effect.delay(busyFrom(1), "2 seconds")
      const asking = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 20 }, () => find()),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(asking)).toHaveLength(20)
      expect(outside.questions).toHaveLength(1)
    }))

  test("who goes away does not take the answer from those who wait with him", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => Effect.delay(busyFrom(1), "2 seconds")
      const [first, second] = [yield* Effect.forkChild(find()), yield* Effect.forkChild(find())]
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      expect(shown(yield* Fiber.join(second))).toEqual([["google", 1, 0]])
      expect(outside.questions).toHaveLength(1)
    }))

  test("in trouble the last answer counts for ten minutes, and says how old it is (D-EXT-8)", (outside) =>
    Effect.gen(function* () {
      yield* find()
      outside.answer = () => down
      yield* TestClock.adjust("9 minutes")
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("59999 millis")
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))

  test("a calendar that was never read is unavailable when it fails, and never free", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => down
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))

  test("one that cannot be read makes the whole answer unavailable", (outside) =>
    Effect.gen(function* () {
      outside.providers = ["google", "apple"]
      outside.answer = (provider) => (provider === "apple" ? down : busyFrom(1))
      expect(yield* Effect.flip(find())).toMatchObject({ provider: "apple" })
    }))

  test("credentials that cannot be opened are a calendar that cannot be read", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => Effect.fail(new StorageError({ reason: "corrupt", operation: "open", cause: "a key" }))
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("one that does not answer within five seconds has failed (D-EXT-8)", (outside) =>
    Effect.gen(function* () {
      outside.answer = () => Effect.never
      const asking = yield* Effect.forkChild(Effect.exit(find()))
      yield* TestClock.adjust("4999 millis")
      expect(asking.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(Exit.isFailure(yield* Fiber.join(asking))).toBe(true)
    }))

  test("one that failed is left alone for five seconds, whether an old answer helps out or not", (outside) =>
    Effect.gen(function* () {
      for (const isRemembered of [false, true]) {
        outside.answer = () => busyFrom(1)
        if (isRemembered) yield* find()
        yield* TestClock.adjust("2 minutes")
        outside.answer = () => down
        yield* Effect.exit(find())
        const asked = outside.questions.length
        outside.answer = () => busyFrom(2)
        yield* TestClock.adjust("4999 millis")
        expect(Exit.isSuccess(yield* Effect.exit(find()))).toBe(isRemembered)
        expect(outside.questions).toHaveLength(asked)
        yield* TestClock.adjust("1 millis")
        expect(shown(yield* find())[0]?.slice(0, 2)).toEqual(["google", 2])
        yield* TestClock.adjust("1 hour")
      }
    }))

  test("an old answer counts not a second longer because the provider is left alone", (outside) =>
    Effect.gen(function* () {
      yield* find()
      outside.answer = () => down
      yield* TestClock.adjust("598 seconds")
      expect(shown(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("2 seconds")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
    }))

  test("what another calendar said, or the same with other credentials, counts no more, in trouble neither", (outside) =>
    Effect.gen(function* () {
      yield* find()
      outside.calendar = "home"
      outside.answer = () => busyFrom(1)
      expect(shown(yield* find())).toEqual([["google", 1, 0]])
      outside.since = tuesday
      outside.answer = () => busyFrom(2)
      expect(shown(yield* find())).toEqual([["google", 2, 0]])
      outside.answer = () => down
      outside.calendar = "third"
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
      outside.calendar = "home"
      outside.since = monday
      expect(shown(yield* find())).toEqual([["google", 1, 0]])
      outside.since = DateTime.add(tuesday, { days: 1 })
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("busy times that touch are one", (outside) =>
    Effect.gen(function* () {
      outside.answer = () =>
        Effect.succeed([
          { start: 5, end: 7 },
          { start: 1, end: 5 },
          { start: 2, end: 3 }
        ])
      expect((yield* find())[0]?.busy).toEqual([{ start: 1, end: 7 }])
    }))

  test("a million busy times are remembered, and the oldest answers are forgotten for more (D-EXT-15)", (outside) =>
    Effect.gen(function* () {
      const many = Array.from({ length: 400_000 }, (_, index) => ({ start: index * 2, end: index * 2 + 1 }))
      outside.answer = () => Effect.succeed(many)
      const ask = (day: number) => find(alice, DateTime.add(monday, { days: -day }))
      for (const day of [1, 2, 3]) yield* ask(day)
      expect(outside.questions).toHaveLength(3)
      for (const day of [2, 3]) yield* ask(day)
      expect(outside.questions).toHaveLength(3)
      yield* ask(1)
      expect(outside.questions).toHaveLength(4)
      outside.answer = () => down
      yield* TestClock.adjust("2 minutes")
      expect(Exit.isFailure(yield* Effect.exit(ask(2)))).toBe(true)
      expect((yield* ask(3))[0]?.busy).toHaveLength(400_000)
    }))

  test("an answer from the future is not used: the clock was put back (D-EXT-15)", (outside) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7_200_000)
      yield* find()
      yield* TestClock.setTime(3_600_000)
      outside.answer = () => busyFrom(1)
      expect(shown(yield* find())).toEqual([["google", 1, 3_600]])
      yield* TestClock.setTime(1_800_000)
      outside.answer = () => down
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
    }))

  test(
    "the times are settings",
    (outside) =>
      Effect.gen(function* () {
        yield* find()
        outside.answer = () => Effect.never
        yield* TestClock.adjust("2 seconds")
        const asking = yield* Effect.forkChild(find())
        yield* TestClock.adjust("1 second")
        expect(shown(yield* Fiber.join(asking))).toEqual([["google", 0, 0]])
        yield* TestClock.adjust("1 second")
        const late = yield* Effect.forkChild(Effect.exit(find()))
        yield* TestClock.adjust("1 second")
        expect(Exit.isFailure(yield* Fiber.join(late))).toBe(true)
      }),
    {
      freshness: Duration.seconds(2),
      staleness: Duration.seconds(4),
      timeout: Duration.seconds(1),
      pause: Duration.millis(1)
    }
  )
})
