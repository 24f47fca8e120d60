import { describe, expect } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { defaultSettings, ExternalBusy } from "@frontdesk/core/availability/ExternalBusy"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { alice, bob, busyFrom, unreachable, find, monday, summary, test, tuesday } from "./externalCalendars.ts"

const findReadable = Effect.flatMap(ExternalBusy, (external) => external.findReadable(alice, monday, tuesday))

describe("ExternalBusy", () => {
  test("an account without external calendars has no busy times, and no provider is read", (fake) =>
    Effect.gen(function* () {
      fake.providers = []
      expect(yield* find()).toEqual([])
      expect(fake.reads).toEqual([])
    }))

  test("find returns the busy times of each calendar, and when it was read", (fake) =>
    Effect.gen(function* () {
      fake.providers = ["google", "apple"]
      fake.onBusy = (provider) => busyFrom(provider === "google" ? 7 : 8)
      yield* TestClock.adjust("3 seconds")
      expect(summary(yield* find())).toEqual([
        ["google", 7, 3],
        ["apple", 8, 3]
      ])
    }))

  test("a result is used for a minute from the start of the read (D-EXT-8)", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.delay(busyFrom(1), "4 seconds")
      const first = yield* Effect.forkChild(find())
      yield* TestClock.adjust("4 seconds")
      expect(summary(yield* Fiber.join(first))).toEqual([["google", 1, 0]])
      fake.onBusy = () => busyFrom(2)
      yield* TestClock.adjust("55999 millis")
      expect(summary(yield* find())).toEqual([["google", 1, 0]])
      yield* TestClock.adjust("1 millis")
      expect(summary(yield* find())).toEqual([["google", 2, 60]])
      expect(fake.reads).toHaveLength(2)
    }))

  test("each account, calendar and range of time is read separately", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = (_provider, accountId) => busyFrom(accountId)
      expect(summary(yield* find(alice))).toEqual([["google", 1, 0]])
      expect(summary(yield* find(bob))).toEqual([["google", 2, 0]])
      yield* find(alice, DateTime.makeUnsafe("2026-05-31"))
      fake.providers = ["apple"]
      yield* find(alice)
      expect(fake.reads).toEqual([
        "google 1 2026-06-01",
        "google 2 2026-06-01",
        "google 1 2026-05-31",
        "apple 1 2026-06-01"
      ])
    }))

  test("concurrent queries for the same range share one read", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.delay(busyFrom(1), "2 seconds")
      const finding = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 20 }, () => find()),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(finding)).toHaveLength(20)
      expect(fake.reads).toHaveLength(1)
    }))

  test("when one of two concurrent queries is interrupted, the other query still gets the result", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.delay(busyFrom(1), "2 seconds")
      const [first, second] = [yield* Effect.forkChild(find()), yield* Effect.forkChild(find())]
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      expect(summary(yield* Fiber.join(second))).toEqual([["google", 1, 0]])
      expect(fake.reads).toHaveLength(1)
    }))

  test("while reads fail, the last result is used for ten minutes, with the time of its read (D-EXT-8)", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => unreachable
      yield* TestClock.adjust("9 minutes")
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("59999 millis")
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))

  test("find fails when the first read of a calendar fails", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => unreachable
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable", provider: "google" })
    }))

  test("find fails when one of several calendars cannot be read", (fake) =>
    Effect.gen(function* () {
      fake.providers = ["google", "apple"]
      fake.onBusy = (provider) => (provider === "apple" ? unreachable : busyFrom(1))
      expect(yield* Effect.flip(find())).toMatchObject({ provider: "apple" })
    }))

  test("findReadable names the calendars that cannot be read, and has the busy times of the others", (fake) =>
    Effect.gen(function* () {
      fake.providers = ["google", "apple"]
      fake.onBusy = (provider) => (provider === "apple" ? unreachable : busyFrom(1))
      const { calendars, unavailable } = yield* findReadable
      expect(summary(calendars)).toEqual([["google", 1, 0]])
      expect(unavailable).toEqual(["apple"])
    }))

  test("findReadable uses the last result for ten minutes, and then names the calendar (D-EXT-8)", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => unreachable
      yield* TestClock.adjust("599999 millis")
      expect((yield* findReadable).unavailable).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(yield* findReadable).toEqual({ calendars: [], unavailable: ["google"] })
    }))

  test("find fails with CalendarUnavailable when the credentials cannot be decrypted", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.fail(new StorageError({ reason: "corrupt", operation: "open", cause: "a key" }))
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("a read fails when the provider does not answer within five seconds (D-EXT-8)", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () => Effect.never
      const finding = yield* Effect.forkChild(Effect.exit(find()))
      yield* TestClock.adjust("4999 millis")
      expect(finding.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(Exit.isFailure(yield* Fiber.join(finding))).toBe(true)
    }))

  test("a calendar is not read for five seconds after a failed read, with and without a last result", (fake) =>
    Effect.gen(function* () {
      for (const isRemembered of [false, true]) {
        fake.onBusy = () => busyFrom(1)
        if (isRemembered) yield* find()
        yield* TestClock.adjust("2 minutes")
        fake.onBusy = () => unreachable
        yield* Effect.exit(find())
        const before = fake.reads.length
        fake.onBusy = () => busyFrom(2)
        yield* TestClock.adjust("4999 millis")
        expect(Exit.isSuccess(yield* Effect.exit(find()))).toBe(isRemembered)
        expect(fake.reads).toHaveLength(before)
        yield* TestClock.adjust("1 millis")
        expect(summary(yield* find())[0]?.slice(0, 2)).toEqual(["google", 2])
        yield* TestClock.adjust("1 hour")
      }
    }))

  test("the pause after a failed read does not extend the maximum age of the last result", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.onBusy = () => unreachable
      yield* TestClock.adjust("598 seconds")
      expect(summary(yield* find())).toEqual([["google", 0, 0]])
      yield* TestClock.adjust("2 seconds")
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
    }))

  test("results of another calendar, or of a former connection, are not used, even while reads fail", (fake) =>
    Effect.gen(function* () {
      yield* find()
      fake.calendar = "home"
      fake.onBusy = () => busyFrom(1)
      expect(summary(yield* find())).toEqual([["google", 1, 0]])
      fake.since = tuesday
      fake.onBusy = () => busyFrom(2)
      expect(summary(yield* find())).toEqual([["google", 2, 0]])
      fake.onBusy = () => unreachable
      fake.calendar = "third"
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
      fake.calendar = "home"
      fake.since = monday
      expect(summary(yield* find())).toEqual([["google", 1, 0]])
      fake.since = DateTime.add(tuesday, { days: 1 })
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable" })
    }))

  test("busy times that touch are merged", (fake) =>
    Effect.gen(function* () {
      fake.onBusy = () =>
        Effect.succeed([
          { start: 5, end: 7 },
          { start: 1, end: 5 },
          { start: 2, end: 3 }
        ])
      expect((yield* find())[0]?.busy).toEqual([{ start: 1, end: 7 }])
    }))

  test("the cache has at most a million busy times, and deletes the oldest results beyond that (D-EXT-15)", (fake) =>
    Effect.gen(function* () {
      const many = Array.from({ length: 400_000 }, (_, index) => ({ start: index * 2, end: index * 2 + 1 }))
      fake.onBusy = () => Effect.succeed(many)
      const findOf = (id: number) => find(AccountId.make(id))
      for (const id of [1, 2, 3]) yield* findOf(id)
      expect(fake.reads).toHaveLength(3)
      for (const id of [2, 3]) yield* findOf(id)
      expect(fake.reads).toHaveLength(3)
      yield* findOf(1)
      expect(fake.reads).toHaveLength(4)
      fake.onBusy = () => unreachable
      yield* TestClock.adjust("2 minutes")
      expect(Exit.isFailure(yield* Effect.exit(findOf(2)))).toBe(true)
      expect((yield* findOf(3))[0]?.busy).toHaveLength(400_000)
    }))

  test("a result from the future is not used, because the clock was set back (D-EXT-15)", (fake) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7_200_000)
      yield* find()
      yield* TestClock.setTime(3_600_000)
      fake.onBusy = () => busyFrom(1)
      expect(summary(yield* find())).toEqual([["google", 1, 3_600]])
      yield* TestClock.setTime(1_800_000)
      fake.onBusy = () => unreachable
      expect(Exit.isFailure(yield* Effect.exit(find()))).toBe(true)
    }))

  test(
    "freshness, staleness and timeout follow the settings",
    (fake) =>
      Effect.gen(function* () {
        yield* find()
        fake.onBusy = () => Effect.never
        yield* TestClock.adjust("2 seconds")
        const finding = yield* Effect.forkChild(find())
        yield* TestClock.adjust("1 second")
        expect(summary(yield* Fiber.join(finding))).toEqual([["google", 0, 0]])
        yield* TestClock.adjust("1 second")
        const late = yield* Effect.forkChild(Effect.exit(find()))
        yield* TestClock.adjust("1 second")
        expect(Exit.isFailure(yield* Fiber.join(late))).toBe(true)
      }),
    {
      ...defaultSettings,
      freshness: Duration.seconds(2),
      staleness: Duration.seconds(4),
      timeout: Duration.seconds(1),
      pause: Duration.millis(1)
    }
  )
})
