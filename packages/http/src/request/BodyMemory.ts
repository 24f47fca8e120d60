import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { PayloadTooLarge } from "./RequestError.ts"

/** Newer bodies take the memory that there is for all. */
export class BodyNotHeld extends Data.TaggedError("BodyNotHeld") {}

/** A body did not come in time. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** The connection broke off within a body. */
export class BodyBroken extends Data.TaggedError("BodyBroken") {}

/** What all bodies together may take. */
export interface Limits {
  /** The most bytes that are held at a time. */
  readonly maxBytes: number
  /** How long one body may take to come; as long as the server lets it unless given. */
  readonly patience?: Duration.Input | undefined
}

/** A body with at most so many bytes is given up only when there are no larger ones: 16 KiB. */
export const smallBytes = 16_384

/** The most bytes that are held at a time unless given: 64 MiB. */
export const defaultMaxBytes = 67_108_864

/** A body that is being read. */
interface Body {
  /** The bytes that have come. */
  size: number
  readonly isGivenUp: Deferred.Deferred<never, BodyNotHeld>
}

/**
 * Reads bodies within limits for all of them together.
 *
 * A body counts with the bytes that have come of it, from when they come until it is judged, or is not read to its end
 * for whatever reason. So a connection that sends nothing is in nobody's way. Where all of them together are too many
 * bytes, the oldest is given up that is not small ({@link smallBytes}), and a small one only when all are: most senders send
 * a body at once, and one that keeps a body back is in nobody's way either.
 */
export const make = ({ maxBytes, patience }: Limits) => {
  let held = 0
  // The oldest is first.
  const bodies = new Set<Body>()

  const giveBack = (body: Body): void => {
    if (bodies.delete(body)) held -= body.size
  }

  const giveUp = Effect.fnUntraced(function* (body: Body) {
    giveBack(body)
    yield* Deferred.fail(body.isGivenUp, new BodyNotHeld())
  })

  /** Reads the body of a request and has it judged. */
  return Effect.fnUntraced(function* <A>(
    request: HttpServerRequest,
    maxSize: number,
    judge: (body: Uint8Array) => A
  ): Effect.fn.Return<A, PayloadTooLarge | BodyNotHeld | BodyTooSlow | BodyBroken> {
    const tooLarge = new PayloadTooLarge({ maxBytes: maxSize })
    if (Number(request.headers["content-length"]) > maxSize) return yield* tooLarge
    const body: Body = { size: 0, isGivenUp: yield* Deferred.make<never, BodyNotHeld>() }
    let buffer = new Uint8Array(0)

    const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
      if (!bodies.has(body)) return yield* new BodyNotHeld()
      const start = body.size
      body.size += chunk.length
      held += chunk.length
      if (body.size > maxSize) return yield* tooLarge
      for (const minimum of [smallBytes + 1, 0]) {
        for (const oldest of bodies) {
          if (held <= maxBytes) break
          if (oldest.size >= minimum) yield* giveUp(oldest)
        }
      }
      if (!bodies.has(body)) return yield* new BodyNotHeld()
      // Chunks are not kept: each may be a single byte, and takes far more as an object.
      const { size } = body
      if (size > buffer.length) buffer = enlarged(buffer, Math.max(size, Math.min(2 * start, maxSize)))
      buffer.set(chunk, start)
    })

    // Within what gives it back, because a fiber can be interrupted between any two operations.
    return yield* Effect.sync(() => bodies.add(body)).pipe(
      Effect.andThen(Stream.runForEach(request.stream, take)),
      Effect.raceFirst(Deferred.await(body.isGivenUp)),
      Effect.catchTag("HttpServerError", () => new BodyBroken()),
      (read) =>
        patience === undefined
          ? read
          : Effect.timeoutOrElse(read, { duration: patience, orElse: () => new BodyTooSlow() }),
      Effect.map(() => judge(buffer.subarray(0, body.size))),
      Effect.ensuring(Effect.sync(() => giveBack(body)))
    )
  })
}

const enlarged = (bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
