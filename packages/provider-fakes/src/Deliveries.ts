import type { Clock } from "./Clock.ts"
import type { Script } from "./Script.ts"

/** A request that is made to the server under test. */
export interface Callback {
  /** What it tells of: `ringing`, `answered`, `ended` or `data`. */
  readonly kind: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request that was made, and the status of its answer; null when there was none. */
export interface Sent extends Callback {
  readonly status: number | null
}

/** The way of a call's callbacks to the server. */
export interface Deliveries {
  /** Sends a callback as the script of its call would have it, and a forged one before it where the script says so. */
  readonly send: (callback: Callback, forged: Callback) => Promise<void>
  /** Says that no more will come: what was held back is sent. */
  readonly close: () => Promise<void>
}

/** The deliveries of one call. */
export const make = (
  clock: Clock,
  { callbacks = {} }: Script,
  deliver: (callback: Callback) => Promise<void>
): Deliveries => {
  const { delaySeconds = 0, forge = false, lose = [], order = "kept", times = 1 } = callbacks
  const held: Array<Callback> = []
  const later = async (callback: Callback) => {
    if (delaySeconds === 0) return deliver(callback)
    clock.at(clock.now() + delaySeconds * 1000, () => deliver(callback))
  }
  return {
    send: async (callback, forged) => {
      if (lose.includes(callback.kind)) return
      const all = [...(forge ? [forged] : []), ...Array<Callback>(times).fill(callback)]
      for (const each of all) {
        if (order === "reversed") held.unshift(each)
        else await later(each)
      }
    },
    close: async () => {
      for (const each of held.splice(0)) await later(each)
    }
  }
}

/** Makes one request; null when it has no answer within 15 seconds. */
export const post = async ({ body, headers, url }: Callback): Promise<number | null> => {
  try {
    const response = await fetch(url.replace(/#.*$/s, ""), {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(15_000)
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}
