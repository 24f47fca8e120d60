import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import type { Crypto } from "../crypto/Crypto.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import type { WebhookSender } from "./WebhookSender.ts"
import type * as DeliveryCommands from "./DeliveryCommands.ts"
import * as DeliveryEngine from "./DeliveryEngine.ts"
import * as DeliveryEngineState from "./DeliveryEngineState.ts"

/** A `DeliveryEngine` at work. */
export interface DeliveryProcess {
  readonly state: () => DeliveryEngineState.State
  readonly give: (input: DeliveryEngineState.Input) => void
  /** Ends when the engine is over; dies of a defect. */
  readonly over: Effect.Effect<void>
}

/**
 * Starts an engine in this state. It carries out each command at once in a fiber of its own, gives the engine the input that
 * follows, and gives it ticks when they are due. When the scope closes, what still runs is interrupted.
 */
export const start = Effect.fnUntraced(function* (
  initial: DeliveryEngineState.State,
  carryOut: DeliveryCommands.CarryOut
): Effect.fn.Return<DeliveryProcess, never, Scope.Scope | DeliveryQueue | WebhookSender | Crypto> {
  const clock = yield* Clock.Clock
  const fibers = yield* FiberSet.make<void, never>()
  const fork = yield* FiberSet.runtime(fibers)<DeliveryQueue | WebhookSender | Crypto>()
  const over = Latch.makeUnsafe(false)
  let state = initial
  let isTickComing = false
  let timer: Fiber.Fiber<void> | undefined
  let timerEnd = Number.POSITIVE_INFINITY

  const give = (input: DeliveryEngineState.Input): void => {
    const millis = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    const [next, commands] = DeliveryEngine.step(state, input, {
      millis,
      time: DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())
    })
    state = next
    for (const command of commands) fork(Effect.flatMap(carryOut(command), follow))
    const tickAt = DeliveryEngine.nextTick(state)
    if (DeliveryEngineState.isOver(state)) over.openUnsafe()
    else if (tickAt <= millis) tickSoon()
    else if (tickAt < timerEnd) setTimer(tickAt, millis)
  }

  const follow = Effect.fnUntraced(function* (input: DeliveryEngineState.Input | null) {
    if (input === null) return
    give(input)
    if (input._tag === "Claimed")
      yield* Metric.update(DeliveryMetrics.inFlight, DeliveryEngineState.countInFlight(state))
  })

  /** Whatever else happens at the same moment is seen by the same tick. */
  const tickSoon = (): void => {
    if (isTickComing) return
    isTickComing = true
    fork(Effect.andThen(Effect.yieldNow, tick))
  }
  const tick = Effect.sync(() => {
    isTickComing = false
    give({ _tag: "Tick" })
  })

  /** Sets the timer to an earlier time. One that has become too early gives a tick that finds nothing to do. */
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
  return { state: () => state, give, over: Effect.raceFirst(over.await, FiberSet.join(fibers)) }
})
