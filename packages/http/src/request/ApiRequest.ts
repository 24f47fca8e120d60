import type * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { BodyIncomplete } from "./BodyMemory.ts"
import { PayloadTooLarge } from "./RequestError.ts"

/**
 * A request as the pipeline reads it. An adapter to an HTTP server implements it; {@link ofEffect} does so for the
 * servers of Effect.
 */
export interface ApiRequest {
  /** The method in upper case. */
  readonly method: string
  /** The path and the query, such as `/api/v1/agents?page=2`. */
  readonly url: string
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The address of the client, where it is known. */
  readonly remoteAddress: Option.Option<string>
  /** Whether it is known before the first byte that the request has no body. */
  readonly hasNoBody: boolean
  /**
   * Reads the whole body. Fails when it has more than `maxSize` bytes or does not arrive completely. An adapter that
   * waits for events calls `inTurn` with the function that continues, so that the scheduler knows whose turn it is.
   */
  readonly readBody: (
    maxSize: ByteSize.ByteSize,
    inTurn: (next: () => void) => void
  ) => Effect.Effect<Uint8Array, PayloadTooLarge | BodyIncomplete>
  /** The body in parts as they arrive. */
  readonly stream: Stream.Stream<Uint8Array, BodyIncomplete>
}

/** Returns the request of a server of Effect as the pipeline reads it. */
export const ofEffect = (request: HttpServerRequest): ApiRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  remoteAddress: request.remoteAddress,
  // A request of the Fetch API without a body has no stream to read.
  hasNoBody: "body" in request.source && request.source.body === null,
  readBody: (maxSize) =>
    request.arrayBuffer.pipe(
      Effect.provideService(MaxBodySize, maxSize),
      Effect.map((buffer) => new Uint8Array(buffer)),
      Effect.mapError(({ reason }) =>
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? new PayloadTooLarge({ maxBytes: Number(maxSize) })
          : new BodyIncomplete()
      )
    ),
  get stream() {
    return Stream.mapError(request.stream, () => new BodyIncomplete())
  }
})
