/*
 * Verifies webhook requests. The file imports nothing and needs only Web Crypto, so it can also be copied. The sender signs by
 * `WebhookSignature` of `@frontdesk/core`; golden vectors and a law hold both sides to the same rules.
 */

// Every JavaScript runtime has these; the standard library's types leave them to the platform.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { readonly decode: (bytes: Uint8Array) => string }
declare const atob: (base64: string) => string
declare const btoa: (binary: string) => string
declare const crypto: {
  readonly subtle: {
    readonly importKey: (
      format: "raw",
      bytes: Uint8Array,
      algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" },
      extractable: boolean,
      usages: ReadonlyArray<"sign">
    ) => Promise<object>
    readonly sign: (algorithm: "HMAC", key: object, data: Uint8Array) => Promise<ArrayBuffer>
  }
}

/**
 * What a signature covers. `standard` is that of the Standard Webhooks specification: id, time and body. `body` is that
 * of C-6.3-1: the body alone, so that an attacker who saw one request can send its body again at any time, under any id.
 */
export type Scheme = "standard" | "body"

/** How a receiver verifies. */
export interface Options {
  /** The secrets as they were shown, one or more: while a secret is rotated, the new and the old one. */
  readonly secrets: ReadonlyArray<string>
  /**
   * The schemes that are accepted. The default is `standard` alone. With both, a request with any header of `standard` must
   * verify in it. That holds off no attacker, who can leave these headers out: name `body` only for a sender that has
   * nothing else.
   */
  readonly schemes?: ReadonlyArray<Scheme>
  /** How far the time of a request may be from `now`, in seconds, to either side. The default is 300. */
  readonly toleranceSeconds?: number
  /** What the headers of the contract begin with. The default is `X-Service-`. */
  readonly prefix?: string
  /** The present time in Unix milliseconds. The default is the system's clock. */
  readonly now?: () => number
}

/** Headers as a Fetch `Headers`, or as an object with names in any case, such as Node's `request.headers`. */
export type HeaderSource =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request as it arrived. */
export interface Incoming {
  readonly headers: HeaderSource
  /**
   * The bytes as they came; they are copied when `verify` is called. Text is taken as UTF-8, so it must have been read
   * from valid UTF-8.
   */
  readonly body: Uint8Array | ArrayBuffer | string
}

/** A request that was signed with one of the secrets. */
export interface Verified {
  readonly ok: true
  readonly scheme: Scheme
  /** The id of the delivery, the same whenever it is repeated. In the scheme `body` it is not signed. */
  readonly id: string
  /** When it was sent, in Unix seconds; null in the scheme `body`, which carries no time. */
  readonly timestamp: number | null
  /**
   * The `event_type` of the body; null when it has none. The header with the event's name is not signed, so not read.
   */
  readonly event: string | null
  /** The body parsed as JSON; undefined when it is not JSON in UTF-8. */
  readonly payload: unknown
}

/** Why a request is refused. Only a request with the right signature is reported as too old or too early. */
export type Refused =
  | { readonly ok: false; readonly reason: "missing-header" | "malformed-header"; readonly header: string }
  | { readonly ok: false; readonly reason: "parsed-body" | "different-ids" | "wrong-signature" }
  | { readonly ok: false; readonly reason: "too-old" | "too-early"; readonly timestamp: number }

/** Tells genuine requests from others. */
export interface Receiver {
  /** Verifies a request. Whatever a sender sends, the answer is a value and never a rejection. */
  readonly verify: (request: Incoming) => Promise<Verified | Refused>
}

/**
 * A receiver. Throws when its options cannot be meant: no secret, one that anybody could guess or that has white space,
 * no scheme, a tolerance below zero.
 */
export const make = (options: Options): Receiver => {
  const { secrets, schemes = ["standard"], toleranceSeconds = 300, prefix = "X-Service-", now = systemTime } = options
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    throw new TypeError("A receiver needs a secret, or some; none may be empty or have white space in it.")
  }
  if (!schemes.includes("standard") && !schemes.includes("body")) {
    throw new TypeError("A receiver needs the scheme standard, or body, or both.")
  }
  if (!(toleranceSeconds >= 0)) throw new RangeError("The tolerance is zero seconds or more.")
  const bodyHeaders = { id: `${prefix}Delivery-ID`, signature: `${prefix}Signature` }

  const verifyStandard = async (headers: HeaderSource, body: Uint8Array): Promise<Verified | Refused> => {
    const id = read(headers, standardHeaders.id, idForm)
    const time = read(headers, standardHeaders.timestamp, timestampForm)
    const signatures = read(headers, standardHeaders.signature, signaturesForm)
    if (typeof id !== "string") return id
    if (typeof time !== "string") return time
    if (typeof signatures !== "string") return signatures
    if ((find(headers, bodyHeaders.id) ?? id) !== id) return { ok: false, reason: "different-ids" }
    const signed = concat(utf8(`${id}.${time}.`), body)
    const macs = await Promise.all(secrets.map((secret) => hmac(standardKey(secret), signed)))
    const isGenuine = anySame(
      macs.map((mac) => `v1,${btoa(String.fromCharCode(...mac))}`),
      signatures.split(" ")
    )
    if (!isGenuine) return { ok: false, reason: "wrong-signature" }
    const timestamp = Number(time)
    const age = now() / 1_000 - timestamp
    // Written so that an age that is NaN is refused.
    if (!(Math.abs(age) <= toleranceSeconds)) {
      return { ok: false, reason: age < 0 ? "too-early" : "too-old", timestamp }
    }
    return { ok: true, scheme: "standard", id, timestamp, ...parse(body) }
  }

  const verifyBody = async (headers: HeaderSource, body: Uint8Array): Promise<Verified | Refused> => {
    const id = read(headers, bodyHeaders.id, idForm)
    const signature = read(headers, bodyHeaders.signature, hexForm)
    if (typeof id !== "string") return id
    if (typeof signature !== "string") return signature
    if ((find(headers, standardHeaders.id) ?? id) !== id) return { ok: false, reason: "different-ids" }
    const macs = await Promise.all(secrets.map((secret) => hmac(utf8(secret), body)))
    if (!anySame(macs.map(hex), [signature])) return { ok: false, reason: "wrong-signature" }
    return { ok: true, scheme: "body", id, timestamp: null, ...parse(body) }
  }

  return {
    verify: async ({ body, headers }) => {
      const bytes = bytesOf(body)
      if (bytes === null) return { ok: false, reason: "parsed-body" }
      const isStandard =
        schemes.includes("standard") &&
        (!schemes.includes("body") || Object.values(standardHeaders).some((name) => find(headers, name) !== null))
      return isStandard ? verifyStandard(headers, bytes) : verifyBody(headers, bytes)
    }
  }
}

const standardHeaders = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" }

// No full stop: with one the end of the id would be ambiguous in `id.timestamp.body`. No comma: it joins the values of a
// header that came twice, which is thereby malformed.
const idForm = /^[\w-]{1,128}$/
// One way to write each time.
const timestampForm = /^(?:0|[1-9]\d{0,11})$/
const signaturesForm = /^[^\s,]+,[^\s,]+(?: [^\s,]+,[^\s,]+)*$/
const hexForm = /^[0-9a-f]{64}$/

const systemTime = (): number => Date.now()

/** Visible ASCII, and more than the prefix. The type is tested because the environment of a program may lack it. */
const isSecret = (secret: unknown): boolean =>
  typeof secret === "string" && secret !== "whsec_" && /^[!-~]+$/.test(secret)

/** No honest header is longer, in characters. */
const maxHeaderLength = 4_096

/** The value of a header; refused when it is missing or has another form. */
const read = (headers: HeaderSource, name: string, form: RegExp): string | Refused => {
  const value = find(headers, name)
  if (value === null) return { ok: false, reason: "missing-header", header: name }
  return value.length <= maxHeaderLength && form.test(value)
    ? value
    : { ok: false, reason: "malformed-header", header: name }
}

/** The value of a header, those of one that came more than once joined as Fetch and Node join them. */
const find = (headers: HeaderSource, name: string): string | null => {
  if (isFetchHeaders(headers)) return headers.get(name)
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
  return values.length === 0 ? null : values.join(", ")
}

const isFetchHeaders = (headers: HeaderSource): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

/**
 * A copy of the bytes of a body, so that what is parsed is what was verified though the caller's buffer is used again
 * meanwhile; null for a value of another kind, as a framework's JSON parser leaves it.
 */
const bytesOf = (body: unknown): Uint8Array | null => {
  if (typeof body === "string") return utf8(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice()
  return isArrayBuffer(body) ? new Uint8Array(body).slice() : null
}

/** Also one of another realm, such as a test runner's, which does not inherit from this one's `ArrayBuffer`. */
const isArrayBuffer = (body: unknown): body is ArrayBuffer =>
  Object.prototype.toString.call(body) === "[object ArrayBuffer]"

const parse = (body: Uint8Array): Pick<Verified, "event" | "payload"> => {
  const payload = json(body)
  const hasEvent = typeof payload === "object" && payload !== null && "event_type" in payload
  return { event: hasEvent && typeof payload.event_type === "string" ? payload.event_type : null, payload }
}

const json = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return undefined
  }
}

/** The bytes in base64 behind the prefix; a secret that is not base64 there is its own key. */
const standardKey = (secret: string): Uint8Array => {
  const text = secret.replace(/^whsec_/, "")
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : utf8(secret)
}

const hmac = async (key: Uint8Array, data: Uint8Array): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data))
}

/**
 * Whether a text of one list is in the other. Every pair is compared to its end, so the time tells nothing of where
 * they differ.
 */
const anySame = (expected: ReadonlyArray<string>, given: ReadonlyArray<string>): boolean =>
  expected.flatMap((a) => given.map((b) => same(a, b))).includes(true)

const same = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const concat = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}
