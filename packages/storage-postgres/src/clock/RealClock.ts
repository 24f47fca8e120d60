import * as Clock from "effect/Clock"
import * as Context from "effect/Context"

/** The clock of the machine, which a fiber has by default. */
export const realClock: Clock.Clock = Context.get(Context.empty(), Clock.Clock)

const realClocks = new WeakSet([realClock])

/** Returns whether timers of a clock follow real time, unlike those of a test clock. */
export const isReal = (clock: Clock.Clock): boolean => realClocks.has(clock)

/** Returns a clock whose timers are those of `local`. It follows real time if `local` does. */
export const withTimersOf = (local: Clock.Clock, clock: Omit<Clock.Clock, "sleep">): Clock.Clock => {
  const made: Clock.Clock = { ...clock, sleep: (duration) => local.sleep(duration) }
  if (isReal(local)) realClocks.add(made)
  return made
}
