/*
 * Stores which deliveries were received, so that each one is handled once. The file imports nothing, so it can also be copied.
 */

// Every JavaScript runtime has `performance`, but the types of the standard library do not declare it.
declare const performance: { readonly now: () => number }

/**
 * The deliveries that a receiver has handled or is handling. A receiver that asks it first handles each delivery once,
 * although a sender may repeat a delivery, even while it is being handled.
 *
 * A table with the id as its primary key can implement it: `claim` inserts a row, so all processes share the claims. A
 * claim must end after some time, because its process may have died. If the first handler ends later after all, its
 * `complete` or `release` applies to the present claim.
 */
export interface ReceivedDeliveries {
  /** Claims a delivery for its handler. Exactly one of several concurrent calls returns `claimed`. */
  readonly claim: (id: string) => Promise<ClaimResult>
  /** Ends a claim after the delivery was handled. */
  readonly complete: (id: string) => Promise<void>
  /** Ends a claim after the handler failed, so that the delivery can be claimed again. */
  readonly release: (id: string) => Promise<void>
}

/**
 * The result of a claim.
 *
 * - `claimed`: the caller handles the delivery, and then calls `complete` or `release`.
 * - `busy`: the delivery is being handled.
 * - `completed`: the delivery was handled before.
 */
export type ClaimResult = "claimed" | "busy" | "completed"

/** The limits of {@link inMemory}. */
export interface MemoryOptions {
  /**
   * The maximum number of handled deliveries that are stored. Beyond it the oldest is removed. The default is 10,000.
   */
  readonly capacity?: number
  /** How long a handled delivery is stored, in seconds. The default is 24 hours. */
  readonly ageSeconds?: number
  /**
   * How long a claim lasts, in seconds. The default is 10 minutes. After that time the delivery can be claimed again,
   * even if the first handler still runs. Choose a time that is longer than any handler needs.
   */
  readonly busySeconds?: number
  /** Returns the milliseconds of a monotonic clock. The default is `performance.now`. */
  readonly now?: () => number
}

/** Stores the deliveries in the memory of this process, until it ends. */
export const inMemory = (options: MemoryOptions = {}): ReceivedDeliveries => {
  const { ageSeconds = 86_400, busySeconds = 600, capacity = 10_000, now = () => performance.now() } = options
  // The time of each claim and of each completion, oldest first.
  const busy = new Map<string, number>()
  const completed = new Map<string, number>()
  const removeOld = () => {
    const time = now()
    for (const [id, at] of busy) {
      if (at > time - busySeconds * 1_000) break
      busy.delete(id)
    }
    for (const [id, at] of completed) {
      if (completed.size <= capacity && at > time - ageSeconds * 1_000) break
      completed.delete(id)
    }
  }
  return {
    claim: async (id) => {
      removeOld()
      if (completed.has(id)) return "completed"
      if (busy.has(id)) return "busy"
      busy.set(id, now())
      return "claimed"
    },
    complete: async (id) => {
      busy.delete(id)
      // Deleted first, because `set` would leave an id that is present at its old position.
      completed.delete(id)
      completed.set(id, now())
      removeOld()
    },
    release: async (id) => {
      busy.delete(id)
    }
  }
}

/**
 * Handles a delivery, unless it was handled before or is being handled. When `handle` rejects, the delivery is released
 * and the promise rejects with the same error.
 *
 * Returns `handled` after this call handled it, and `repeated` when it was handled before: answer both with 2xx.
 * Returns `busy` while it is being handled: answer with an error such as 409, so that the sender repeats the delivery
 * in case that handler fails.
 */
export const handleOnce = async (
  deliveries: ReceivedDeliveries,
  id: string,
  handle: () => Promise<unknown>
): Promise<"handled" | "repeated" | "busy"> => {
  const claim = await deliveries.claim(id)
  if (claim !== "claimed") return claim === "completed" ? "repeated" : "busy"
  try {
    await handle()
  } catch (error) {
    await deliveries.release(id)
    throw error
  }
  await deliveries.complete(id)
  return "handled"
}
