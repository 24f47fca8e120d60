/** Time that passes when it is told to. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Does something at a time; at once when the time next passes, if it is over. */
  readonly at: (time: number, action: () => Promise<void> | void) => void
  /** Lets time pass, and resolves when all that was due has been done, in order. */
  readonly advance: (millis: number) => Promise<void>
  /** Sets the time, which may be earlier, unless something is still to be done. */
  readonly rest: (time: () => number) => Promise<void>
}

interface Entry {
  readonly time: number
  readonly action: () => Promise<void> | void
}

/** A clock that stands at a time until it is advanced. */
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

  const rest = (time: () => number): void => {
    if (entries.length === 0) present = time()
  }

  return {
    now: () => present,
    at: (time, action) => {
      // The order in which they were made, where the time is the same.
      entries = [...entries, { time, action }].toSorted((a, b) => a.time - b.time)
    },
    advance: (millis) => {
      last = last.then(() => run(present + millis))
      return last
    },
    rest: (time) => {
      last = last.then(() => rest(time))
      return last
    }
  }
}
