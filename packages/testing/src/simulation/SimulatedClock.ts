import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Process, Simulator } from "./Simulator.ts"

/** One reading of a clock. */
export interface Reading {
  /** Milliseconds since the simulation began. */
  readonly elapsed: number
  /** Epoch milliseconds. */
  readonly shown: number
}

/** Returns the clock of a process. It shows the wall clock of the machine. A sleep never ends if the process dies. */
export const make = (
  { elapsed, later, wall }: Simulator,
  process: Process,
  read: (reading: Reading) => void
): Clock.Clock => {
  const currentTimeMillisUnsafe = () => {
    const shown = wall()
    read({ elapsed: elapsed(), shown })
    return shown
  }
  const currentTimeNanosUnsafe = () => BigInt(currentTimeMillisUnsafe()) * 1_000_000n
  const monotonicTimeNanosUnsafe = () => BigInt(elapsed()) * 1_000_000n
  return {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe,
    monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return Effect.yieldNow
      if (!Number.isFinite(millis)) return Effect.never
      return Effect.callback((resume) => {
        const cancel = later(process, millis, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    }
  }
}
