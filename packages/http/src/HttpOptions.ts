import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Compress } from "./openapi/CompressedAsset.ts"

/** A route beside the API, such as `GET /health`: it needs no key, and HEAD, OPTIONS and 405 follow from it. */
export interface ExtraRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  /** What metrics and logs call it; "none" unless said. */
  readonly operation?: string | undefined
  /** Whether each request counts against the limit of its client's address; no unless set. */
  readonly isLimited?: boolean | undefined
  readonly handler: Effect.Effect<HttpServerResponse, never, HttpServerRequest>
}

/** How the API is served. */
export interface HttpOptions {
  /** The most bytes a body may have; 1 MiB unless said (D-ERR-9). */
  readonly maxBodySize?: number | undefined
  /**
   * The most bytes of bodies that are arriving, all together; 64 MiB unless given. Beyond it the oldest of the bodies above
   * 16 KiB is refused with 503 `service_unavailable`.
   */
  readonly maxArrivingBytes?: number | undefined
  /**
   * How many requests to the API may wait or be worked on at once. Beyond that the newest of the caller with the most
   * waiting requests is refused with 503 `service_unavailable`, before any work is done. Null: as many as come; 256 unless
   * given. `extra` routes are not counted.
   */
  readonly maxRequests?: number | null | undefined
  /**
   * How many requests to the API are worked on at once; 8 unless given. The others wait, and callers take turns. A request
   * that waits for a call provider or an external calendar is not counted.
   */
  readonly maxConcurrentRequests?: number | undefined
  /** The origins whose pages may call the API from a browser, exactly as browsers send them; none unless said. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Whether the endpoints of the API are there; they are unless said. Without them only `extra` routes answer. */
  readonly api?: boolean | undefined
  /** Whether `/openapi.json` and `/docs` are there; they are unless said. */
  readonly docs?: boolean | undefined
  /** Compresses the documentation with Brotli, without blocking the thread; only gzip is offered unless given. */
  readonly brotli?: Compress | undefined
  /** Further routes. */
  readonly extra?: ReadonlyArray<ExtraRoute> | undefined
}

/** The most bytes a body may have unless said: 1 MiB (D-ERR-9). */
export const defaultMaxBodySize = 1_048_576

/** How many requests may wait or be worked on at once unless given. */
export const defaultMaxRequests = 256

/** How many requests are worked on at once unless given. */
export const defaultMaxConcurrentRequests = 8
