import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import type { Crypto } from "../crypto/Crypto.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import type { WebhookSender } from "./WebhookSender.ts"
import type * as DeliveryCommands from "./DeliveryCommands.ts"
import * as DeliveryEngine from "./DeliveryEngine.ts"
import * as DeliveryEngineState from "./DeliveryEngineState.ts"

/** A running `DeliveryEngine`. */
export interface RunningEngine {
  readonly state: () => DeliveryEngineState.State
  /** Passes an input to the engine, and starts the commands that follow. */
  readonly handle: (input: DeliveryEngineState.Input) => void
  /** Waits until the engine has ended. Dies of a defect of a command. */
  readonly ended: Effect.Effect<void>
}

/**
 * Starts an engine in a state. Each command runs at once in a fiber of its own. The input that follows from a command goes
 * back to the engine.
 * The engine also receives a Tick whenever one is due. Commands that still run when the scope closes are interrupted.
 */
export const start = Effect.fnUntraced(function* (
  initial: DeliveryEngineState.State,
  carryOut: DeliveryCommands.CarryOut
): Effect.fn.Return<RunningEngine, never, Scope.Scope | DeliveryQueue | WebhookSender | Crypto> {
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const fibers = yield* FiberSet.make<void, never>()
  const fork = yield* FiberSet.runtime(fibers)<DeliveryQueue | WebhookSender | Crypto>()
  const endedLatch = Latch.makeUnsafe(false)
  let state = initial
  let isTickScheduled = false
  let timer: Fiber.Fiber<void> | undefined
  let timerEnd = Number.POSITIVE_INFINITY

  const handle = (input: DeliveryEngineState.Input): void => {
    const millis = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    const [next, commands] = DeliveryEngine.step(state, input, {
      millis,
      time: DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())
    })
    state = next
    for (const command of commands) fork(Effect.map(carryOut(command), follow))
    const tickAt = DeliveryEngine.nextTick(state)
    if (DeliveryEngineState.hasEnded(state)) endedLatch.openUnsafe()
    else if (tickAt <= millis) tickSoon()
    else if (tickAt < timerEnd) setTimer(tickAt, millis)
  }

  const follow = (input: DeliveryEngineState.Input | null): void => {
    if (input === null) return
    handle(input)
    if (input._tag === "Claimed")
      DeliveryMetrics.inFlight.updateUnsafe(DeliveryEngineState.countInFlight(state), context)
  }

  /** Schedules a Tick after the fibers that are ready now, so that one Tick sees the inputs of all of them. */
  const tickSoon = (): void => {
    if (isTickScheduled) return
    isTickScheduled = true
    fork(Effect.andThen(Effect.yieldNow, tick))
  }
  const tick = Effect.sync(() => {
    isTickScheduled = false
    handle({ _tag: "Tick" })
  })

  /**
   * Sets the timer to an earlier time. It is never set to a later one, because a Tick that is too early does nothing.
   */
  const setTimer = (end: number, now: number): void => {
    timer?.interruptUnsafe()
    timerEnd = end
    timer = fork(Effect.andThen(Effect.sleep(Duration.millis(Math.ceil(end - now))), timerEnded))
  }
  const timerEnded = Effect.sync(() => {
    timerEnd = Number.POSITIVE_INFINITY
    tickSoon()
  })

  yield* tick
  return { state: () => state, handle, ended: Effect.raceFirst(endedLatch.await, FiberSet.join(fibers)) }
})
