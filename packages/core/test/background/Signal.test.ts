import { describe, expect, it } from "@effect/vitest"
import * as Signal from "@frontdesk/core/background/Signal"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const setUp = Effect.gen(function* () {
  const signal = Signal.make()
  const heard: Array<string> = []
  yield* signal.forward(() => heard.push("signal"))
  return { signal, heard }
})

describe("Signal.afterTransaction", () => {
  it.effect("a signal that is raised several times is sent once, when the effect has ended", () =>
    Effect.gen(function* () {
      const { heard, signal } = yield* setUp
      yield* Signal.afterTransaction(
        Effect.andThen(
          Effect.andThen(signal.notify, signal.notify),
          Effect.sync(() => heard.push("end"))
        )
      )
      expect(heard).toEqual(["end", "signal"])
    }).pipe(Effect.scoped)
  )

  it.effect("a signal is sent also when the effect fails", () =>
    Effect.gen(function* () {
      const { heard, signal } = yield* setUp
      yield* Effect.exit(Signal.afterTransaction(Effect.andThen(signal.notify, Effect.fail("lost"))))
      expect(heard).toEqual(["signal"])
    }).pipe(Effect.scoped)
  )

  it.effect("a signal that is raised in a nested afterTransaction is sent when the outermost effect has ended", () =>
    Effect.gen(function* () {
      const { heard, signal } = yield* setUp
      const say = (what: string) => Effect.sync(() => heard.push(what))
      yield* Signal.afterTransaction(Effect.andThen(Signal.afterTransaction(signal.notify), say("end")))
      expect(heard).toEqual(["end", "signal"])
    }).pipe(Effect.scoped)
  )

  it.effect("a signal that a fiber raises after the effect has ended is sent at once", () =>
    Effect.gen(function* () {
      const { heard, signal } = yield* setUp
      const gate = yield* Deferred.make<void>()
      const later = Effect.andThen(Deferred.await(gate), signal.notify)
      const fiber = yield* Signal.afterTransaction(Effect.forkScoped(later))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      expect(heard).toEqual(["signal"])
    }).pipe(Effect.scoped)
  )
})
