import type { Clock } from "./Clock.ts"
import * as VirtualClock from "./Clock.ts"
import { type Callback, type Deliveries, make as makeDeliveries, type Sent } from "./Deliveries.ts"
import { type Script, scriptOf } from "./Script.ts"
import * as Service from "./Service.ts"

/** How a fake is opened. */
export interface Options {
  /** Any free port unless given. */
  readonly port?: number
  /** When its clock begins, in milliseconds since 1970; now unless given. */
  readonly startAt?: number
  /**
   * How many of its seconds pass in a second while something is to happen, from the real time on; when nothing is, its
   * time is the real one again. None unless given: its clock is advanced by hand.
   */
  readonly pace?: number
}

/** A stand-in for a provider, over a real socket. */
export interface Fake extends Service.Service {
  /** Its time, in milliseconds since 1970. */
  readonly now: () => number
  /** Lets its time pass, and resolves when the callbacks that were due have been answered. */
  readonly advance: (millis: number) => Promise<void>
  /** What becomes of calls to a number from now on. */
  readonly script: (number: string, script: Script) => void
  /** Sends a callback, rightly signed, about a call that nobody has started. */
  readonly callBackUnknown: (url: string) => Promise<void>
  /** The callbacks that were sent, oldest first. */
  readonly sent: ReadonlyArray<Sent>
}

/** What the part of a fake that knows the provider's API is given. */
export interface Stage {
  readonly clock: Clock
  readonly scriptFor: (number: string) => Script
  readonly deliveries: (script: Script) => Deliveries
  readonly sent: (sent: Sent) => void
}

/** What that part makes of it. */
export interface Provider {
  readonly handle: (request: Service.Incoming, origin: string) => Promise<Service.Outgoing>
  /** Makes one request, with the repeats that are the provider's custom. */
  readonly deliver: (callback: Callback) => Promise<void>
  /** A callback, rightly signed, about a call that nobody has started. */
  readonly unknownCall: (url: string) => Callback
}

/**
 * Opens a fake. Beside the provider's API it has a few addresses of its own:
 *
 * - `GET /_sim/callbacks`: the callbacks that were sent
 * - `POST /_sim/advance` `{"millis": 1000}`: lets time pass
 * - `POST /_sim/scripts` `{"number": "+1…", "script": {…}}`: what becomes of calls to a number
 * - `POST /_sim/unknown-call` `{"url": "…"}`: a callback about a call that nobody has started
 */
export const open = async (options: Options, provide: (stage: Stage) => Provider): Promise<Fake> => {
  const clock = VirtualClock.make(options.startAt ?? Math.floor(Date.now() / 1000) * 1000)
  const scripts = new Map<string, Script>()
  const sent: Array<Sent> = []
  const provider = provide({
    clock,
    scriptFor: (number) => scripts.get(number) ?? scriptOf(number),
    deliveries: (script) => makeDeliveries(clock, script, (callback) => provider.deliver(callback)),
    sent: (one) => void sent.push(one)
  })

  const callBackUnknown = (url: string) => provider.deliver(provider.unknownCall(url))

  const control = async (path: string, input: Readonly<Record<string, unknown>>): Promise<Service.Outgoing> => {
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
        return { status: 404, body: "" }
    }
  }

  const service = await Service.open(options.port ?? 0, (request) =>
    request.url.pathname.startsWith("/_sim/")
      ? control(request.url.pathname, parseObject(request.body))
      : provider.handle(request, `http://${request.headers["host"] ?? "127.0.0.1"}`)
  )
  const ticks = options.pace === undefined ? undefined : run(clock, options.pace)
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

const run = (clock: Clock, pace: number): NodeJS.Timeout => {
  let last = performance.now()
  return setInterval(() => {
    const present = performance.now()
    void clock.advance((present - last) * pace)
    // Else each call would be made further in the future than the one before.
    void clock.rest(Date.now)
    last = present
  }, 20)
}

/** The JSON object of a body; an empty one where there is none. */
export const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

// Only its author is hurt by one that is not as documented.
const isScript = (value: unknown): value is Script => isObject(value)
