import type { Clock } from "./Clock.ts"
import * as VirtualClock from "./Clock.ts"
import * as CallbackSender from "./CallbackSender.ts"
import { type Script, scriptOf } from "./Script.ts"
import * as Service from "./Service.ts"

/** Options of a fake. */
export interface Options {
  /** The port to listen on. Default: any free port. */
  readonly port?: number
  /** The time at which its clock begins, in milliseconds since 1970. Default: the current second. */
  readonly startAt?: number
  /**
   * The number of seconds that its clock advances in each real second while steps of calls are planned. When no steps
   * are planned, its clock returns to real time. Default: the clock advances only through {@link Fake.advance}.
   */
  readonly pace?: number
}

/** A fake of a provider, as an HTTP server. */
export interface Fake extends Service.Service {
  /** Returns its time in milliseconds since 1970. */
  readonly now: () => number
  /** Advances its time, and resolves when the due callbacks have been answered. */
  readonly advance: (millis: number) => Promise<void>
  /** Sets the script of later calls to a number. */
  readonly script: (number: string, script: Script) => void
  /** Sends a callback with a valid signature about a call that was never started. */
  readonly callBackUnknown: (url: string) => Promise<void>
  /** The callbacks that were sent, oldest first. */
  readonly sent: ReadonlyArray<CallbackSender.SentCallback>
}

/** What the implementation of a provider's API receives. */
export interface FakeContext {
  readonly clock: Clock
  /** Returns the script of a call to a number. */
  readonly scriptFor: (number: string) => Script
  /** Makes the sender for the callbacks of a call. */
  readonly senderFor: (script: Script) => CallbackSender.CallbackSender
  /** Records a callback that was sent. */
  readonly recordSent: (sent: CallbackSender.SentCallback) => void
}

/** The implementation of a provider's API. */
export interface ProviderApi {
  /** Returns the answer to a request. `origin` is the URL at which the client reached the fake. */
  readonly handle: (request: Service.Incoming, origin: string) => Promise<Service.Outgoing>
  /** Sends a callback, with the retries of the provider. */
  readonly deliver: (callback: CallbackSender.Callback) => Promise<void>
  /**
   * Handles a request to a path below `/_sim/` that only this provider has. Returns undefined for any other path. `origin` is
   * the URL at which the client reached the fake.
   */
  readonly control?: (
    path: string,
    input: Readonly<Record<string, unknown>>,
    origin: string
  ) => Promise<Service.Outgoing | undefined>
  /** Returns a callback with a valid signature about a call that was never started. */
  readonly unknownCall: (url: string) => CallbackSender.Callback
}

/**
 * Opens a fake. In addition to the provider's API it has paths to control it:
 *
 * - `GET /_sim/callbacks` returns the callbacks that were sent.
 * - `POST /_sim/advance` `{"millis": 1000}` advances the time.
 * - `POST /_sim/scripts` `{"number": "+1…", "script": {…}}` sets the script of later calls to a number.
 * - `POST /_sim/unknown-call` `{"url": "…"}` sends a callback about a call that was never started.
 */
export const open = async (options: Options, implement: (context: FakeContext) => ProviderApi): Promise<Fake> => {
  const clock = VirtualClock.make(options.startAt ?? Math.floor(Date.now() / 1000) * 1000)
  const scripts = new Map<string, Script>()
  const sent: Array<CallbackSender.SentCallback> = []
  const provider = implement({
    clock,
    scriptFor: (number) => scripts.get(number) ?? scriptOf(number),
    senderFor: (script) => CallbackSender.make(clock, script, (callback) => provider.deliver(callback)),
    recordSent: (callback) => void sent.push(callback)
  })

  const callBackUnknown = (url: string) => provider.deliver(provider.unknownCall(url))

  const control = async (
    path: string,
    input: Readonly<Record<string, unknown>>,
    origin: string
  ): Promise<Service.Outgoing> => {
    switch (path) {
      case "/_sim/callbacks":
        return { status: 200, body: sent }
      case "/_sim/advance":
        if (typeof input["millis"] === "number") await clock.advance(input["millis"])
        return { status: 200, body: { now: clock.now() } }
      case "/_sim/scripts":
        if (typeof input["number"] !== "string" || !isScript(input["script"])) return { status: 400, body: "" }
        scripts.set(input["number"], input["script"])
        return { status: 204, body: "" }
      case "/_sim/unknown-call":
        if (typeof input["url"] !== "string") return { status: 400, body: "" }
        await callBackUnknown(input["url"])
        return { status: 204, body: "" }
      default:
        return (await provider.control?.(path, input, origin)) ?? { status: 404, body: "" }
    }
  }

  const service = await Service.open(options.port ?? 0, (request) => {
    const origin = `http://${request.headers["host"] ?? "127.0.0.1"}`
    return request.url.pathname.startsWith("/_sim/")
      ? control(request.url.pathname, parseObject(request.body), origin)
      : provider.handle(request, origin)
  })
  const ticks = options.pace === undefined ? undefined : runAtPace(clock, options.pace)
  return {
    ...service,
    now: clock.now,
    advance: clock.advance,
    script: (number, script) => void scripts.set(number, script),
    callBackUnknown,
    sent,
    [Symbol.asyncDispose]: async () => {
      clearInterval(ticks)
      await service.down()
    }
  }
}

const runAtPace = (clock: Clock, pace: number): NodeJS.Timeout => {
  let last = performance.now()
  return setInterval(() => {
    const present = performance.now()
    // The providers' timestamps are whole milliseconds, so a fraction waits for the next tick.
    const millis = Math.floor((present - last) * pace)
    void clock.advance(millis)
    // Otherwise each call would be created further in the future than the call before it.
    void clock.setWhenIdle(Date.now)
    last += millis / pace
  }, 20)
}

/** Returns the JSON object of a body, or an empty object when the body is something else. */
export const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Returns whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the value at a path of JSON objects, or undefined when there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

// The fields are not checked: a wrong script affects only the developer who wrote it.
const isScript = (value: unknown): value is Script => isObject(value)
