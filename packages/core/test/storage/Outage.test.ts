import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import * as Outage from "@frontdesk/core/storage/Outage"
import { StorageError } from "@frontdesk/core/storage/StorageError"

/** What a client fails with. */
class Failure extends Error {
  override readonly name: "Down" | "Late" | "Wrong"
  constructor(name: "Down" | "Late" | "Wrong") {
    super(name)
    this.name = name
  }
}

const isA = (name: Failure["name"]) => (error: unknown) => error instanceof Failure && error.name === name

const make = (isOver = Effect.succeed(true)) =>
  Outage.make({
    storage: "The shop's database",
    isPossible: (error) => isA("Down")(error) || isA("Late")(error),
    reasonOf: (error) => Effect.sync(() => (isA("Down")(error) ? "it is down" : undefined)),
    isOver
  })

/** What is logged by an effect, with the level before it. */
const logged = <A, E, R>(effect: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel} ${String(Array.isArray(message) ? message[0] : message)}`)
  })
  return effect(lines).pipe(
    Effect.provideService(References.MinimumLogLevel, "Debug"),
    Effect.provideService(Logger.CurrentLoggers, new Set([logger])),
    Effect.andThen(Effect.sync(() => lines))
  )
}

const begun =
  "Error The shop's database is unavailable: it is down. What fails of it is logged at debug level until it is available again"

const again = (seconds: string, calls: string) =>
  `Info The shop's database is available again, after ${seconds} seconds in which ${calls} failed`

describe("an outage", () => {
  it.effect(
    "is said once when it begins, and once when it is over, with how long it lasted and how much failed (D-SRV-5)",
    () =>
      logged(
        Effect.fnUntraced(function* (lines) {
          const { watch } = yield* make()
          const fail = Effect.ignore(watch(Effect.fail(new Failure("Down"))))
          yield* watch(Effect.void)
          for (let count = 0; count < 4; count++) yield* Effect.andThen(fail, TestClock.adjust("2 seconds"))
          yield* TestClock.adjust("2 seconds")
          expect(lines).toEqual([begun])
          yield* TestClock.adjust("10 seconds")
          expect(lines).toEqual([begun, again("6.0", "4 calls")])
          yield* TestClock.adjust("1 minute")
          yield* fail
          expect(lines.slice(2)).toEqual([begun])
        })
      )
  )

  it.effect("goes on while the storage does not show that it is over, whatever succeeds and though nothing fails", () =>
    logged(
      Effect.fnUntraced(function* (lines) {
        let isOver = false
        const { watch } = yield* make(Effect.sync(() => isOver))
        yield* Effect.ignore(watch(Effect.fail(new Failure("Down"))))
        for (let count = 0; count < 100; count++)
          yield* Effect.andThen(watch(Effect.void), TestClock.adjust("1 second"))
        expect(lines).toEqual([begun])
        isOver = true
        yield* TestClock.adjust("5 seconds")
        expect(lines).toEqual([begun, again("0.0", "1 call")])
      })
    )
  )

  it.effect("goes on for a minute at most when the storage shows that it is over, whatever fails", () =>
    logged(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        for (let count = 0; count < 900; count++) {
          yield* Effect.ignore(watch(Effect.fail(new Failure("Down"))))
          yield* TestClock.adjust("4 seconds")
        }
        expect(lines.filter((line) => line === begun).length).toBeGreaterThan(50)
        expect(lines[1]).toBe(again("56.0", "15 calls"))
      })
    )
  )

  it.effect("does not begin when the storage finds another reason", () =>
    logged(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        yield* Effect.ignore(watch(Effect.fail(new Failure("Late"))))
        expect(lines).toEqual([])
      })
    )
  )

  it.effect("does not begin again with a call that was begun during it and fails when it is over", () =>
    logged(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        yield* Effect.ignore(watch(Effect.fail(new Failure("Down"))))
        yield* TestClock.adjust("1 second")
        const late = new Failure("Down")
        const pending = yield* Effect.forkChild(
          Effect.ignore(watch(Effect.andThen(Effect.sleep("1 minute"), Effect.fail(late)))),
          { startImmediately: true }
        )
        yield* TestClock.adjust("70 seconds")
        expect(pending.pollUnsafe()).toBeDefined()
        expect(lines).toEqual([begun, again("0.0", "1 call")])
        yield* Outage.log("Warn", "It was not written", late)
        expect(lines.at(-1)).toBe("Debug It was not written: the storage is unavailable")
      })
    )
  )
})

describe("a failure", () => {
  /** How an error is logged that was watched, after another failure. */
  const levelOf = (error: Failure, before: ReadonlyArray<Failure> = []) =>
    logged(
      Effect.fnUntraced(function* () {
        const { watch } = yield* make()
        for (const one of [...before, error]) yield* Effect.ignore(watch(Effect.fail(one)))
        const storageError = new StorageError({ reason: "unavailable", operation: "test", cause: error })
        for (const failure of [error, storageError, Cause.fail(storageError), Cause.die(storageError)]) {
          yield* Outage.log("Warn", "It was not written", failure, { task: 1 })
        }
      })
    ).pipe(Effect.map((lines) => [...new Set(lines.filter((line) => line.includes("not written")))]))

  it.effect("of an outage that was said is one line at debug level; every other is as loud as it is", () =>
    Effect.gen(function* () {
      const quiet = ["Debug It was not written: the storage is unavailable"]
      const loud = ["Warn It was not written"]
      expect(yield* levelOf(new Failure("Down"))).toEqual(quiet)
      expect(yield* levelOf(new Failure("Wrong"))).toEqual(loud)
      expect(yield* levelOf(new Failure("Wrong"), [new Failure("Down")])).toEqual(loud)
      expect(yield* levelOf(new Failure("Late"))).toEqual(loud)
      expect(yield* levelOf(new Failure("Late"), [new Failure("Down")])).toEqual(quiet)
    })
  )

  it.effect("beside one of an outage is as loud as it is", () =>
    logged(
      Effect.fnUntraced(function* (lines) {
        const { watch } = yield* make()
        const down = new Failure("Down")
        yield* Effect.ignore(watch(Effect.fail(down)))
        const bug = Cause.die(new TypeError("a bug"))
        for (const cause of [Cause.combine(Cause.fail(down), bug), Cause.combine(bug, Cause.fail(down)), Cause.empty]) {
          yield* Outage.log("Warn", "It was not written", cause)
        }
        expect(lines.slice(1)).toEqual(Array.from({ length: 3 }, () => "Warn It was not written"))
      })
    )
  )

  it.effect("of a storage that says no outages is as loud as it is, also when it is unavailable", () =>
    Effect.gen(function* () {
      const error = new StorageError({ reason: "unavailable", operation: "test", cause: new Failure("Down") })
      expect(yield* logged(() => Outage.log("Warn", "It was not written", error))).toEqual(["Warn It was not written"])
    })
  )
})
