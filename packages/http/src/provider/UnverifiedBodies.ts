import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { PayloadTooLarge } from "../request/RequestError.ts"

/** Other bodies take the memory that there is for all. */
export class BodyNotHeld extends Data.TaggedError("BodyNotHeld") {}

/** A body did not come in time. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** The connection broke off within a body. */
export class BodyBroken extends Data.TaggedError("BodyBroken") {}

/** What all bodies together may take. */
export interface Limits {
  /** The most bytes that are held at a time. */
  readonly maxBytes: number
  /** How long one body may take to come. */
  readonly patience: Duration.Input
}

/**
 * Reads bodies that anybody may have sent, within limits for all of them together.
 *
 * A body counts with the bytes that have come of it, from when they come until it is judged, or is not read to its end
 * for whatever reason. So a connection that sends nothing is in nobody's way.
 */
export const make = ({ maxBytes, patience }: Limits) => {
  let held = 0

  /** Reads the body of a request and has it judged. */
  return Effect.fnUntraced(function* <A>(
    request: HttpServerRequest,
    maxSize: number,
    judge: (body: Uint8Array) => A
  ): Effect.fn.Return<A, PayloadTooLarge | BodyNotHeld | BodyTooSlow | BodyBroken> {
    const tooLarge = new PayloadTooLarge({ maxBytes: maxSize })
    if (Number(request.headers["content-length"]) > maxSize) return yield* tooLarge
    let size = 0
    let buffer = new Uint8Array(0)

    const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
      const start = size
      size += chunk.length
      held += chunk.length
      if (size > maxSize) return yield* tooLarge
      if (held > maxBytes) return yield* new BodyNotHeld()
      // Chunks are not kept: each may be a single byte, and takes far more as an object.
      if (size > buffer.length) buffer = enlarged(buffer, Math.max(size, Math.min(2 * start, maxSize)))
      buffer.set(chunk, start)
    })

    return yield* request.stream.pipe(
      Stream.runForEach(take),
      Effect.catchTag("HttpServerError", () => new BodyBroken()),
      Effect.timeoutOrElse({ duration: patience, orElse: () => new BodyTooSlow() }),
      Effect.map(() => judge(buffer.subarray(0, size))),
      Effect.ensuring(
        Effect.sync(() => {
          held -= size
        })
      )
    )
  })
}

const enlarged = (bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
