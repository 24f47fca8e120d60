import * as Utf8 from "@frontdesk/core/values/Utf8"
import type * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type { ApiRequest } from "./ApiRequest.ts"
import * as BodyMemory from "./BodyMemory.ts"
import { InvalidJson, Overloaded, PayloadTooLarge, UnsupportedMediaType } from "./RequestError.ts"

/** A JSON object, parsed and not decoded. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * The maximum number of levels of objects and arrays in a body (D-ERR-2). Without a limit, a deep body could overflow the
 * stack of a recursive function.
 */
export const maxDepth = 128

/** The size in bytes above which a body is parsed in several steps. */
const largeSize = 131_072

/** The bytes of an absent body. */
export const noBytes = new Uint8Array(0)

/**
 * Returns a function that reads the body of a request.
 *
 * It fails with `PayloadTooLarge` as soon as more than `maxSize` bytes have arrived, also for a chunked body (D-ERR-9:
 * 413). When all arriving bodies together have more than `maxArrivingBytes`, one of them fails with `Overloaded` (503),
 * the oldest large one first. A body whose `Content-Length` is small does not count for that limit. `inTurn` runs what
 * follows the arrival of a small body when it is the turn of the caller.
 */
export const reader = (maxSize: ByteSize.ByteSize, maxArrivingBytes: number) => {
  const arriving = BodyMemory.make({ maxBytes: maxArrivingBytes })
  return (
    request: ApiRequest,
    inTurn: (next: () => void) => void
  ): Effect.Effect<Uint8Array, PayloadTooLarge | Overloaded | InvalidJson> => {
    const length = request.headers["content-length"]
    if (length === "0" || request.hasNoBody) return Effect.succeed(noBytes)
    if (length !== undefined && Number(length) > Number(maxSize)) return Effect.fail(tooLarge(maxSize))
    if (length !== undefined && Number(length) <= BodyMemory.smallBytes)
      return Effect.catchTag(request.readBody(maxSize, inTurn), "BodyIncomplete", () => unreadable())
    return arriving(request, Number(maxSize), (bytes) => bytes).pipe(
      Effect.catchTags({
        BodyDiscarded: () => new Overloaded({}),
        BodyTimedOut: () => unreadable(),
        BodyIncomplete: () => unreadable()
      })
    )
  }
}

const unreadable = () => new InvalidJson({ reason: "The body did not arrive completely" })

const tooLarge = (maxSize: ByteSize.ByteSize) => new PayloadTooLarge({ maxBytes: Number(maxSize) })

const mediaType = /^application\/json[ \t]*(?:;|$)/i
const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^";, \t]+)/i

/** Returns whether a `Content-Type` is JSON in UTF-8, as a body must be (C-0-2). */
export const isJson = (contentType: string | undefined): boolean => {
  if (contentType === "application/json") return true
  if (contentType === undefined || !mediaType.test(contentType)) return false
  const named = charset.exec(contentType)?.[1]
  return named === undefined || /^utf-?8$/i.test(named)
}

/**
 * Returns the JSON object of a body. An empty body is `{}` (D-HTTP-5). Fails with `UnsupportedMediaType` when the body
 * has another type or is compressed, and with `InvalidJson` when it is not a JSON object in UTF-8.
 */
export const parse = (
  bytes: Uint8Array,
  { "content-encoding": contentEncoding, "content-type": contentType }: Readonly<Record<string, string | undefined>>
): Effect.Effect<JsonObject, UnsupportedMediaType | InvalidJson> => {
  if (bytes.length === 0) return Effect.succeed({})
  if (!isJson(contentType) || (contentEncoding ?? "identity") !== "identity")
    return Effect.fail(new UnsupportedMediaType({}))
  return bytes.length > largeSize ? parseLarge(bytes) : parseSmall(bytes)
}

const parseSmall = (bytes: Uint8Array): Effect.Effect<JsonObject, InvalidJson> =>
  Effect.flatMap(textOf(bytes), (text) => Effect.andThen(checkDepth(text), parseText(text)))

/** Parses in steps. Each step takes milliseconds, and other callers get a turn between two steps. */
const parseLarge = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const text = yield* textOf(bytes)
  yield* Effect.yieldNow
  yield* checkDepth(text)
  yield* Effect.yieldNow
  return yield* parseText(text)
})

const textOf = (bytes: Uint8Array): Effect.Effect<string, InvalidJson> => {
  const text = Utf8.decode(bytes)
  return text === null ? invalid("The body is not valid UTF-8") : Effect.succeed(text)
}

const checkDepth = (text: string): Effect.Effect<void, InvalidJson> =>
  isDeep(text)
    ? invalid(`The body is nested too deeply: more than ${maxDepth} levels of objects and arrays`)
    : Effect.void

const invalid = (reason: string) => Effect.fail(new InvalidJson({ reason }))

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parseText = (text: string): Effect.Effect<JsonObject, InvalidJson> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? Effect.succeed(value) : invalid("The body is not a JSON object")
  } catch {
    return invalid("The body is not valid JSON")
  }
}

/** Returns whether a JSON text is nested deeper than {@link maxDepth}. Brackets inside strings do not count. */
const isDeep = (text: string): boolean => {
  if (text.length <= 2 * maxDepth) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93]

const endOfString = (text: string, start: number): number => {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1
  return end
}
