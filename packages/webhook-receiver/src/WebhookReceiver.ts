/*
 * Verifies webhook requests. The file imports nothing and needs only Web Crypto, so it can also be copied. The sender
 * signs with `WebhookSignature` of `@frontdesk/core`. Shared test vectors and a property test check that both follow
 * the same rules.
 */

// Every JavaScript runtime has the following, but the types of the standard library do not declare them.
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
 * What a signature covers.
 *
 * - `standard`: the id, the time and the body, by the Standard Webhooks specification.
 * - `body`: the body alone, by C-6.3-1. An attacker who has seen one request can send its body again at any time, under
 *   any id.
 */
export type Scheme = "standard" | "body"

/** The options of {@link make}. */
export interface Options {
  /** The secrets, at least one, in the form `whsec_…`. During a rotation pass the new and the old one. */
  readonly secrets: ReadonlyArray<string>
  /**
   * The accepted schemes. The default is only `standard`. With both, a request with any header of `standard` must have
   * a valid signature in that scheme. An attacker can omit those headers, so accept `body` only from a sender that does
   * not sign with `standard`.
   */
  readonly schemes?: ReadonlyArray<Scheme>
  /** The maximum difference between the time of a request and `now`, in seconds. The default is 300. */
  readonly toleranceSeconds?: number
  /** The prefix of the headers of the scheme `body`. The default is `X-Service-`. */
  readonly prefix?: string
  /** Returns the present time in Unix milliseconds. The default is the system's clock. */
  readonly now?: () => number
}

/**
 * The headers of a request: a Fetch `Headers`, or an object with names in any case, such as Node's `request.headers`.
 */
export type HeaderSource =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request to verify. */
export interface Incoming {
  readonly headers: HeaderSource
  /**
   * The bytes as they arrived. `verify` copies them, so the caller may reuse the buffer. Text is encoded as UTF-8, so
   * it must have been decoded from valid UTF-8.
   */
  readonly body: Uint8Array | ArrayBuffer | string
}

/** The result for a request with a valid signature. */
export interface Verified {
  readonly ok: true
  readonly scheme: Scheme
  /** The id of the delivery, which is the same in every attempt. In the scheme `body` it is not signed. */
  readonly id: string
  /** The time of the attempt in Unix seconds; null in the scheme `body`, which has no time. */
  readonly timestamp: number | null
  /**
   * The `event_type` of the body; null when it has none. The header with the name of the webhook event is ignored,
   * because it is not signed.
   */
  readonly event: string | null
  /** The parsed body; undefined when it is not JSON in UTF-8. */
  readonly payload: unknown
}

/**
 * The result for a request that is rejected, with the reason. Only a request with a valid signature is reported as too
 * old or too early.
 */
export type Refused =
  | { readonly ok: false; readonly reason: "missing-header" | "malformed-header"; readonly header: string }
  | { readonly ok: false; readonly reason: "parsed-body" | "different-ids" | "wrong-signature" }
  | { readonly ok: false; readonly reason: "too-old" | "too-early"; readonly timestamp: number }

/** Verifies the requests to one URL. */
export interface Receiver {
  /**
   * Returns whether a request has a valid signature. It computes the signature itself and compares in constant time
   * (C-6.3-4). The promise never rejects, whatever the request contains.
   */
  readonly verify: (request: Incoming) => Promise<Verified | Refused>
}

/**
 * Makes a receiver. Throws a `TypeError` without a secret, for a secret that is not visible ASCII or only the prefix,
 * and without a known scheme. Throws a `RangeError` for a tolerance that is not 0 or more.
 */
export const make = (options: Options): Receiver => {
  const { secrets, schemes = ["standard"], toleranceSeconds = 300, prefix = "X-Service-", now = systemTime } = options
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    throw new TypeError(
      "The option secrets needs at least one secret. A secret is visible ASCII text, and more than whsec_."
    )
  }
  if (!schemes.includes("standard") && !schemes.includes("body")) {
    throw new TypeError("The option schemes needs standard, body or both.")
  }
  if (!(toleranceSeconds >= 0)) throw new RangeError("The option toleranceSeconds must be 0 or more.")
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
    // Negated, so that an age of NaN is rejected.
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

// No full stop, because the end of the id would be ambiguous in `id.timestamp.body`. No comma, because a comma joins
// the values of a header that is present twice, and such a header is malformed.
const idForm = /^[\w-]{1,128}$/
// Each time has only one valid form.
const timestampForm = /^(?:0|[1-9]\d{0,11})$/
const signaturesForm = /^[^\s,]+,[^\s,]+(?: [^\s,]+,[^\s,]+)*$/
const hexForm = /^[0-9a-f]{64}$/

const systemTime = (): number => Date.now()

/**
 * Returns whether a secret is visible ASCII and more than the prefix. The type is checked too, because a secret that is
 * read from the environment may be undefined.
 */
const isSecret = (secret: unknown): boolean =>
  typeof secret === "string" && secret !== "whsec_" && /^[!-~]+$/.test(secret)

/** The maximum length of a header, in characters. */
const maxHeaderLength = 4_096

/** Returns the value of a header, or the rejection when it is missing or malformed. */
const read = (headers: HeaderSource, name: string, form: RegExp): string | Refused => {
  const value = find(headers, name)
  if (value === null) return { ok: false, reason: "missing-header", header: name }
  return value.length <= maxHeaderLength && form.test(value)
    ? value
    : { ok: false, reason: "malformed-header", header: name }
}

/** Returns the value of a header, or null. Several values are joined by a comma, like Fetch and Node join them. */
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
 * Returns a copy of the bytes of a body; null for any other value, such as a body that a framework has parsed.
 *
 * Without a copy, the caller could change the buffer between the verification and the parsing.
 */
const bytesOf = (body: unknown): Uint8Array | null => {
  if (typeof body === "string") return utf8(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice()
  return isArrayBuffer(body) ? new Uint8Array(body).slice() : null
}

/** Returns whether a body is an `ArrayBuffer`, even one of another realm, for which `instanceof` is false. */
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

/**
 * Returns the bytes that the secret encodes after its prefix. A secret that is not base64 is used as text, with its
 * prefix.
 */
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
 * Returns whether the two lists have a text in common. Every pair is compared completely, so that the time does not
 * reveal where two texts differ.
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
