import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ApiRequest } from "./ApiRequest.ts"
import { PayloadTooLarge } from "./RequestError.ts"

/** A body was discarded while it arrived, because all arriving bodies together needed more memory than they may. */
export class BodyDiscarded extends Data.TaggedError("BodyDiscarded") {}

/** A body did not arrive completely within the timeout. */
export class BodyTimedOut extends Data.TaggedError("BodyTimedOut") {}

/** The connection failed before a body had arrived completely. */
export class BodyIncomplete extends Data.TaggedError("BodyIncomplete") {}

/** The limits of all bodies that arrive at the same time. */
export interface Limits {
  /** The maximum number of bytes of all arriving bodies together. */
  readonly maxBytes: number
  /** The timeout for one body. Default: none, so that the timeout of the server applies. */
  readonly timeout?: Duration.Input | undefined
}

/** The maximum size of a small body in bytes: 16 KiB. A small body is discarded only when no larger body is left. */
export const smallBytes = 16_384

/** The default for the bytes of all arriving bodies together: 64 MiB. */
export const defaultMaxBytes = 67_108_864

/** A body that is arriving. */
interface Body {
  /** The bytes that have arrived. */
  size: number
  readonly discarded: Deferred.Deferred<never, BodyDiscarded>
}

/**
 * Returns a function that reads bodies into memory, within a limit for all of them together.
 *
 * A body counts with the bytes that have arrived, until `use` has returned or reading has ended otherwise. A connection
 * that sends nothing therefore uses none of the limit. Beyond the limit, the oldest body that is larger than {@link
 * smallBytes} is discarded, and the oldest small one only when no larger one is left. Most senders send a body at once,
 * so an old body that is incomplete is probably one that its sender delays.
 */
export const make = ({ maxBytes, timeout }: Limits) => {
  let total = 0
  // A set keeps the order of insertion, so the oldest body is first.
  const bodies = new Set<Body>()

  const release = (body: Body): void => {
    if (bodies.delete(body)) total -= body.size
  }

  const discard = Effect.fnUntraced(function* (body: Body) {
    release(body)
    yield* Deferred.fail(body.discarded, new BodyDiscarded())
  })

  /** Reads the body of a request and returns what `use` returns for it. */
  return Effect.fnUntraced(function* <A>(
    request: Pick<ApiRequest, "headers" | "stream">,
    maxSize: number,
    use: (body: Uint8Array) => A
  ): Effect.fn.Return<A, PayloadTooLarge | BodyDiscarded | BodyTimedOut | BodyIncomplete> {
    const tooLarge = new PayloadTooLarge({ maxBytes: maxSize })
    if (Number(request.headers["content-length"]) > maxSize) return yield* tooLarge
    const body: Body = { size: 0, discarded: yield* Deferred.make<never, BodyDiscarded>() }
    let buffer = new Uint8Array(0)

    const append = Effect.fnUntraced(function* (chunk: Uint8Array) {
      if (!bodies.has(body)) return yield* new BodyDiscarded()
      const start = body.size
      body.size += chunk.length
      total += chunk.length
      if (body.size > maxSize) return yield* tooLarge
      for (const minSize of [smallBytes + 1, 0]) {
        for (const oldest of bodies) {
          if (total <= maxBytes) break
          if (oldest.size >= minSize) yield* discard(oldest)
        }
      }
      if (!bodies.has(body)) return yield* new BodyDiscarded()
      // Chunks are copied into one buffer. A chunk may be a single byte, and as an object it needs far more memory.
      const { size } = body
      if (size > buffer.length) buffer = enlarged(buffer, Math.max(size, Math.min(2 * start, maxSize)))
      buffer.set(chunk, start)
    })

    // The body is added inside the effect that `ensuring` covers. A fiber can be interrupted between any two
    // operations, and a body that was added before would then count for ever.
    return yield* Effect.sync(() => bodies.add(body)).pipe(
      Effect.andThen(Stream.runForEach(request.stream, append)),
      Effect.raceFirst(Deferred.await(body.discarded)),
      (read) =>
        timeout === undefined
          ? read
          : Effect.timeoutOrElse(read, { duration: timeout, orElse: () => new BodyTimedOut() }),
      Effect.map(() => use(buffer.subarray(0, body.size))),
      Effect.ensuring(Effect.sync(() => release(body)))
    )
  })
}

const enlarged = (bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
