/*
 * Remembers received deliveries, so that each one is handled once. The file imports nothing, so it can also be copied.
 */

// Every JavaScript runtime has this; the standard library's types leave it to the platform.
declare const performance: { readonly now: () => number }

/**
 * What a receiver remembers of the deliveries that came, so that it handles each once though it may come again, even
 * while it is being handled.
 *
 * A table whose primary key is the id can implement it: `take` inserts a row, so every process sees what another took. A
 * delivery that was taken long ago and never ended may be taken again, because its process may have died. If the first
 * handling ends after all, its `done` or `forget` counts for the caller that took the delivery meanwhile.
 */
export interface ReceivedDeliveries {
  /** Takes a delivery to be handled. Of many calls at once exactly one returns `taken`. */
  readonly take: (id: string) => Promise<Standing>
  /** Records that a taken delivery has been handled. */
  readonly done: (id: string) => Promise<void>
  /** Records that handling a delivery failed, so that it may be taken again. */
  readonly forget: (id: string) => Promise<void>
}

/**
 * `taken`: it is for the caller to handle, and to end with `done` or `forget`. `busy`: it is being handled. `done`: it
 * has been handled.
 */
export type Standing = "taken" | "busy" | "done"

/** How much is remembered in memory. */
export interface MemoryOptions {
  /** How many of the latest handled deliveries are remembered. The default is 10,000. */
  readonly capacity?: number
  /** For how long a handled delivery is remembered, in seconds. The default is 24 hours. */
  readonly ageSeconds?: number
  /**
   * How long a delivery is busy at most, in seconds. The default is 10 minutes. After that time the delivery may be taken
   * again while the first handling still runs, so choose a time that is longer than any handling takes.
   */
  readonly busySeconds?: number
  /** Milliseconds on a clock that is never set. The default is `performance.now`. */
  readonly now?: () => number
}

/** Remembers in the memory of this process, until it ends. */
export const inMemory = (options: MemoryOptions = {}): ReceivedDeliveries => {
  const { ageSeconds = 86_400, busySeconds = 600, capacity = 10_000, now = () => performance.now() } = options
  // When each was taken and when each was done, the oldest first.
  const busy = new Map<string, number>()
  const done = new Map<string, number>()
  const drop = () => {
    const time = now()
    for (const [id, at] of busy) {
      if (at > time - busySeconds * 1_000) break
      busy.delete(id)
    }
    for (const [id, at] of done) {
      if (done.size <= capacity && at > time - ageSeconds * 1_000) break
      done.delete(id)
    }
  }
  return {
    take: async (id) => {
      drop()
      if (done.has(id)) return "done"
      if (busy.has(id)) return "busy"
      busy.set(id, now())
      return "taken"
    },
    done: async (id) => {
      busy.delete(id)
      // Behind the others also when it was done before.
      done.delete(id)
      done.set(id, now())
      drop()
    },
    forget: async (id) => {
      busy.delete(id)
    }
  }
}

/**
 * Handles a delivery unless it has been handled or is being handled. When `handle` rejects, the delivery is forgotten
 * and the rejection handed on.
 *
 * To be answered with 2xx: `handled`, and `repeated`, which means that it was handled before. `busy` is to be answered
 * with an error, such as 409: should the handling under way fail, the sender must send it once more.
 */
export const handleOnce = async (
  deliveries: ReceivedDeliveries,
  id: string,
  handle: () => Promise<unknown>
): Promise<"handled" | "repeated" | "busy"> => {
  const standing = await deliveries.take(id)
  if (standing !== "taken") return standing === "done" ? "repeated" : "busy"
  try {
    await handle()
  } catch (error) {
    await deliveries.forget(id)
    throw error
  }
  await deliveries.done(id)
  return "handled"
}
