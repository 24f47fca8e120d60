import type { Clock } from "./Clock.ts"
import type { Script } from "./Script.ts"

/** A callback: a request of the fake to the server under test. */
export interface Callback {
  /**
   * The step of the call that the callback reports: `ringing`, `answered`, `ended` or `data`. A question is `voice` at
   * Twilio, and has the type of its message at Vapi: `assistant-request` or `tool-calls`.
   */
  readonly kind: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A callback that was sent, with the status of its answer. */
export interface SentCallback extends Callback {
  /** Null when the server did not answer. */
  readonly status: number | null
}

/** Sends the callbacks of one call as its script describes. */
export interface CallbackSender {
  /** Sends a callback. With `forge` in the script, the forged callback is sent before it. */
  readonly send: (callback: Callback, forged: Callback) => Promise<void>
  /** Ends the callbacks of the call. Callbacks in reverse order are sent now. */
  readonly close: () => Promise<void>
}

/** Makes the sender for the callbacks of one call. `deliver` makes one request. */
export const make = (
  clock: Clock,
  { callbacks = {} }: Script,
  deliver: (callback: Callback) => Promise<void>
): CallbackSender => {
  const { delaySeconds = 0, forge = false, lose = [], order = "kept", times = 1 } = callbacks
  const deferred: Array<Callback> = []
  const deliverDelayed = async (callback: Callback) => {
    if (delaySeconds === 0) return deliver(callback)
    clock.at(clock.now() + delaySeconds * 1000, () => deliver(callback))
  }
  return {
    send: async (callback, forged) => {
      if (lose.includes(callback.kind)) return
      const all = [...(forge ? [forged] : []), ...Array<Callback>(times).fill(callback)]
      for (const each of all) {
        if (order === "reversed") deferred.unshift(each)
        else await deliverDelayed(each)
      }
    },
    close: async () => {
      for (const each of deferred.splice(0)) await deliverDelayed(each)
    }
  }
}

/** An answer of the server under test. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Makes one request and returns its answer, or null when there is none within the timeout. Default: 15 seconds. */
export const request = async (
  { body, headers, url }: Callback,
  timeoutMillis: number = 15_000
): Promise<Answer | null> => {
  try {
    const response = await fetch(url.replace(/#.*$/s, ""), {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMillis)
    })
    const contentType = response.headers.get("content-type") ?? ""
    return { status: response.status, contentType, body: await response.text() }
  } catch {
    return null
  }
}

/** Makes one request and returns the status of its answer, or null when there is no answer within 15 seconds. */
export const post = async (callback: Callback): Promise<number | null> => (await request(callback))?.status ?? null
