import { realClock } from "@frontdesk/storage-sql/storage/RealClock"
import type * as Clock from "effect/Clock"

const realClocks = new WeakSet([realClock])

/** Returns whether timers of a clock follow real time, unlike those of a test clock. */
export const isReal = (clock: Clock.Clock): boolean => realClocks.has(clock)

/** Returns a clock whose timers are those of `local`. It follows real time if `local` does. */
export const withTimersOf = (local: Clock.Clock, clock: Omit<Clock.Clock, "sleep">): Clock.Clock => {
  const made: Clock.Clock = { ...clock, sleep: (duration) => local.sleep(duration) }
  if (isReal(local)) realClocks.add(made)
  return made
}
