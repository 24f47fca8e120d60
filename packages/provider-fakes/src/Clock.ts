/** A clock whose time passes only when a test or a timer advances it. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Plans an action at a time. If the time has passed, the action runs at the next advance. */
  readonly at: (time: number, action: () => Promise<void> | void) => void
  /** Advances the time, and resolves when all due actions have run in the order of their times. */
  readonly advance: (millis: number) => Promise<void>
  /** Sets the time, also to an earlier one, if no actions are planned. Otherwise it does nothing. */
  readonly setWhenIdle: (time: () => number) => Promise<void>
}

interface Entry {
  readonly time: number
  readonly action: () => Promise<void> | void
}

/** Makes a clock that begins at a time. */
export const make = (start: number): Clock => {
  let present = start
  let entries: ReadonlyArray<Entry> = []
  let last = Promise.resolve()

  const run = async (until: number): Promise<void> => {
    for (let next = entries[0]; next !== undefined && next.time <= until; next = entries[0]) {
      entries = entries.slice(1)
      present = Math.max(present, next.time)
      await next.action()
    }
    present = Math.max(present, until)
  }

  const setWhenIdle = (time: () => number): void => {
    if (entries.length === 0) present = time()
  }

  return {
    now: () => present,
    at: (time, action) => {
      // The sort is stable, so actions at the same time run in the order in which they were planned.
      entries = [...entries, { time, action }].toSorted((a, b) => a.time - b.time)
    },
    advance: (millis) => {
      last = last.then(() => run(present + millis))
      return last
    },
    setWhenIdle: (time) => {
      last = last.then(() => setWhenIdle(time))
      return last
    }
  }
}
