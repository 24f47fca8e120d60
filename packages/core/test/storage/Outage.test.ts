import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Outage from "@frontdesk/core/storage/Outage"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { collect, type LogLine } from "@frontdesk/testing/LogCapture"

/** An error of a database client. `Down` shows an outage, `Late` may come from one, and `Wrong` has another cause. */
class ClientError extends Error {
  override readonly name: "Down" | "Late" | "Wrong"
  constructor(name: "Down" | "Late" | "Wrong") {
    super(name)
    this.name = name
  }
}

const isA = (name: ClientError["name"]) => (error: unknown) => error instanceof ClientError && error.name === name

const make = (isOver = Effect.succeed(true)) =>
  Outage.make({
    storage: "The shop's database",
    isPossible: (error) => isA("Down")(error) || isA("Late")(error),
    reasonOf: (error) => Effect.sync(() => (isA("Down")(error) ? "it is down" : undefined)),
    isOver
  })

/** A line of the log, with a matcher for its text. */
interface ExpectedLine {
  readonly level: string
  readonly event: string
  readonly text: unknown
}

const begun: ExpectedLine = {
  level: "Error",
  event: "storage.unavailable",
  text: expect.stringContaining("it is down")
}

/** The line at the end of an outage. Its text has how long the outage lasted and how many calls failed. */
const ended = (seconds: string, calls: number): ExpectedLine => ({
  level: "Info",
  event: "storage.available",
  text: expect.stringMatching(new RegExp(`\\b${RegExp.escape(seconds)} seconds.*\\b${calls} call`))
})

describe("Outage.watch: the report of an outage", () => {
  it.effect(
    "is one line when the outage begins and one when it ends, with its length and the number of failed calls (D-SRV-5)",
    () =>
      collect(
        Effect.fnUntraced(function* (lines) {
          const { watch } = yield* make()
          const fail = Effect.ignore(watch(Effect.fail(new ClientError("Down"))))
          yield* watch(Effect.void)
          for (let count = 0; count < 4; count++) yield* Effect.andThen(fail, TestClock.adjust("2 seconds"))
          yield* TestClock.adjust("2 seconds")
          expect(lines).toMatchObject([begun])
          yield* TestClock.adjust("10 seconds")
          expect(lines).toMatchObject([begun, ended("6.0", 4)])
          yield* TestClock.adjust("1 minute")
          yield* fail
          expect(lines.slice(2)).toMatchObject([begun])
        })
      )
  )

  it.effect("does not end before the storage can be read and written again, although no call fails", () =>
    collect(
      Effect.fnUntraced(function* (lines) {
        let isOver = false
        const { watch } = yield* make(Effect.sync(() => isOver))
        yield* Effect.ignore(watch(Effect.fail(new ClientError("Down"))))
        for (let count = 0; count < 100; count++)
          yield* Effect.andThen(watch(Effect.void), TestClock.adjust("1 second"))
        expect(lines).toMatchObject([begun])
        isOver = true
        yield* TestClock.adjust("5 seconds")
        expect(lines).toMatchObject([begun, ended("0.0", 1)])
      })
    )
  )

  it.effect("ends after a minute when the storage works again, although calls still fail", () =>
    collect(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        for (let count = 0; count < 900; count++) {
          yield* Effect.ignore(watch(Effect.fail(new ClientError("Down"))))
          yield* TestClock.adjust("4 seconds")
        }
        expect(lines.filter(({ event }) => event === "storage.unavailable").length).toBeGreaterThan(50)
        expect(lines[1]).toMatchObject(ended("56.0", 15))
      })
    )
  )

  it.effect("is not written for an error that has another cause than an outage", () =>
    collect(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        yield* Effect.ignore(watch(Effect.fail(new ClientError("Late"))))
        expect(lines).toEqual([])
      })
    )
  )

  it.effect("is not written again for a call that began during the outage and fails after its end", () =>
    collect(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        yield* Effect.ignore(watch(Effect.fail(new ClientError("Down"))))
        yield* TestClock.adjust("1 second")
        const late = new ClientError("Down")
        const pending = yield* Effect.forkChild(
          Effect.ignore(watch(Effect.andThen(Effect.sleep("1 minute"), Effect.fail(late)))),
          { startImmediately: true }
        )
        yield* TestClock.adjust("70 seconds")
        expect(pending.pollUnsafe()).toBeDefined()
        expect(lines).toMatchObject([begun, ended("0.0", 1)])
        yield* Outage.log("Warn", message, late)
        expect(lines.at(-1)?.level).toBe("Debug")
      })
    )
  )
})

/** The message that the tests log with a failure. */
const message = "The row was not written"

describe("Outage.log: the log level of a failure", () => {
  const levelsOf = (lines: ReadonlyArray<LogLine>) => [
    ...new Set(lines.filter(({ text }) => text.startsWith(message)).map(({ level }) => level))
  ]

  /** Returns the log levels of a failure with the name, after failures with the names in `before`. */
  const levelsAfter = (before: ReadonlyArray<ClientError["name"]>, name: ClientError["name"]) =>
    collect(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        const error = new ClientError(name)
        for (const one of [...before.map((earlier) => new ClientError(earlier)), error]) {
          yield* Effect.ignore(watch(Effect.fail(one)))
        }
        const storageError = new StorageError({ reason: "unavailable", operation: "test", cause: error })
        for (const failure of [error, storageError, Cause.fail(storageError), Cause.die(storageError)]) {
          yield* Outage.log("Warn", message, failure, { task: 1 })
        }
        return levelsOf(lines)
      })
    )

  it.effect("is debug for an error of a reported outage, and the given level for every other error", () =>
    Effect.gen(function* () {
      expect(yield* levelsAfter([], "Down")).toEqual(["Debug"])
      expect(yield* levelsAfter([], "Wrong")).toEqual(["Warn"])
      expect(yield* levelsAfter(["Down"], "Wrong")).toEqual(["Warn"])
      expect(yield* levelsAfter([], "Late")).toEqual(["Warn"])
      expect(yield* levelsAfter(["Down"], "Late")).toEqual(["Debug"])
    })
  )

  it.effect("is the given level for a cause that has another failure beside that of an outage", () =>
    collect(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        const down = new ClientError("Down")
        yield* Effect.ignore(watch(Effect.fail(down)))
        const bug = Cause.die(new TypeError("a bug"))
        for (const cause of [Cause.combine(Cause.fail(down), bug), Cause.combine(bug, Cause.fail(down)), Cause.empty]) {
          yield* Outage.log("Warn", message, cause)
        }
        expect(lines.slice(1).map(({ level }) => level)).toEqual(["Warn", "Warn", "Warn"])
      })
    )
  )

  it.effect("is the given level for a storage that reports no outages, also when it is unavailable", () =>
    collect((lines) =>
      Effect.gen(function* () {
        const error = new StorageError({ reason: "unavailable", operation: "test", cause: new ClientError("Down") })
        yield* Outage.log("Warn", message, error)
        expect(levelsOf(lines)).toEqual(["Warn"])
      })
    )
  )
})
