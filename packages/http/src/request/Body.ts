import * as Utf8 from "@frontdesk/core/values/Utf8"
import type * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as BodyMemory from "./BodyMemory.ts"
import { InvalidJson, Overloaded, PayloadTooLarge, UnsupportedMediaType } from "./RequestError.ts"

/** A JSON object as it was sent. */
export type JsonObject = Readonly<Record<string, unknown>>

/** How many levels of objects and arrays a body may have: more would exhaust the stack of whatever walks them. */
export const maxDepth = 128

/** A body with more bytes is parsed in steps. */
const largeSize = 131_072

const nothing = new Uint8Array(0)

/**
 * Returns what reads the bytes of bodies. They are counted as they come in, so that a body in chunks is cut off as well
 * (D-ERR-9: 413).
 *
 * All bodies that are arriving have so many bytes together. Beyond that one is refused with 503, the oldest of the larger
 * ones first. A body that declares to be small is read at once, and waits for none.
 */
export const reader = (maxSize: ByteSize.ByteSize, maxArrivingBytes: number) => {
  const arriving = BodyMemory.make({ maxBytes: maxArrivingBytes })
  return (request: HttpServerRequest): Effect.Effect<Uint8Array, PayloadTooLarge | Overloaded | InvalidJson> => {
    const length = request.headers["content-length"]
    if (length === "0" || hasNone(request.source)) return Effect.succeed(nothing)
    if (length !== undefined && Number(length) > Number(maxSize)) return Effect.fail(tooLarge(maxSize))
    if (length !== undefined && Number(length) <= BodyMemory.smallBytes) return readSmall(request, maxSize)
    return arriving(request, Number(maxSize), (bytes) => bytes).pipe(
      Effect.catchTags({
        BodyNotHeld: () => new Overloaded({}),
        BodyTooSlow: () => unreadable(),
        BodyBroken: () => unreadable()
      })
    )
  }
}

/** Whether a request of the Fetch API has no body; it has no stream then. */
const hasNone = (source: object): boolean => "body" in source && source.body === null

const readSmall = (request: HttpServerRequest, maxSize: ByteSize.ByteSize) =>
  request.arrayBuffer.pipe(
    Effect.provideService(MaxBodySize, maxSize),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? tooLarge(maxSize) : unreadable()
    )
  )

const unreadable = () => new InvalidJson({ reason: "The body could not be read" })

const tooLarge = (maxSize: ByteSize.ByteSize) => new PayloadTooLarge({ maxBytes: Number(maxSize) })

const mediaType = /^application\/json[ \t]*(?:;|$)/i
const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^";, \t]+)/i

/** Whether a `Content-Type` is JSON in UTF-8. */
export const isJson = (contentType: string | undefined): boolean => {
  if (contentType === "application/json") return true
  if (contentType === undefined || !mediaType.test(contentType)) return false
  const named = charset.exec(contentType)?.[1]
  return named === undefined || /^utf-?8$/i.test(named)
}

/** The JSON object of a body; an empty body is `{}` (D-HTTP-5). A compressed one is refused as another media type. */
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

/** Each step takes milliseconds, so others have their turn between them. */
const parseLarge = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const text = yield* textOf(bytes)
  yield* Effect.yieldNow
  yield* checkDepth(text)
  yield* Effect.yieldNow
  return yield* parseText(text)
})

const textOf = (bytes: Uint8Array): Effect.Effect<string, InvalidJson> => {
  const text = Utf8.decode(bytes)
  return text === null ? invalid("The body is not UTF-8") : Effect.succeed(text)
}

const checkDepth = (text: string): Effect.Effect<void, InvalidJson> =>
  isDeep(text) ? invalid(`The body has more than ${maxDepth} levels of objects and arrays`) : Effect.void

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

/** Whether brackets are open more than {@link maxDepth} deep; what is inside strings does not count. */
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
