import type { Principal } from "@frontdesk/core/access/Principal"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { DashboardOptions } from "./dashboard/DashboardOptions.ts"
import type { Compress } from "./openapi/CompressedAsset.ts"
import type { ApiRequest } from "./request/ApiRequest.ts"

/** The caller of a request, which the program that serves the API has found. */
export interface HostCaller {
  readonly principal: Principal["Service"]
  /** The name of the rate limit bucket of the caller. */
  readonly bucket: string
}

/**
 * A further route that is not part of the API, such as `GET /health`. It needs no key. HEAD, OPTIONS and the answer 405
 * are added automatically.
 */
export interface ExtraRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  /** The operation in metrics and logs. Default: `none`. */
  readonly operation?: string | undefined
  /** Whether each request consumes from the bucket of the client's address. Default: false. */
  readonly isLimited?: boolean | undefined
  readonly handler: Effect.Effect<HttpServerResponse, never, HttpServerRequest>
}

/** A request to a {@link CallerRoute}, with its body. */
export interface CallerRequest {
  readonly method: string
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** What a request to a {@link CallerRoute} asks for. */
export interface CallerWork {
  /**
   * The cost beyond one ordinary request with a body of its size, for example because the body contains several requests.
   * Default: 0.
   */
  readonly cost?: number | undefined
  /** Returns the response. It checks the permissions of the caller itself. */
  readonly response: Effect.Effect<HttpServerResponse, never, Principal>
}

/**
 * A further route for callers of the API that is not part of it, such as `POST /mcp`. A request is handled like one to
 * the API until its body has arrived: it needs a caller, consumes from the caller's rate limit, and waits for its turn.
 * The answer 405 for other methods is added automatically.
 */
export interface CallerRoute {
  readonly method: "POST"
  readonly path: `/${string}`
  /** The operation in metrics and logs. */
  readonly operation: string
  /**
   * Reads a request of a caller, and returns the work that it asks for. It runs before the request consumes from the rate
   * limit and waits for its turn, so it only parses the body.
   */
  readonly handler: (request: CallerRequest) => CallerWork
}

/** Options of the HTTP API. */
export interface HttpOptions {
  /** The maximum size of a body in bytes. Default: 1 MiB (D-ERR-9). */
  readonly maxBodySize?: number | undefined
  /**
   * The maximum number of bytes of all arriving bodies together. Beyond it, the request with the oldest body above 16
   * KiB fails with 503 `service_unavailable`. Default: 64 MiB.
   */
  readonly maxArrivingBytes?: number | undefined
  /**
   * The maximum number of requests to the API that wait or run at once. Beyond it, the newest request of the caller
   * with the most waiting requests fails with 503 `service_unavailable`, before any work is done. `extra` routes do not
   * count. Null: no limit. Default: 256.
   */
  readonly maxRequests?: number | null | undefined
  /**
   * The maximum number of requests to the API that run at once. The other requests wait, and callers take turns. A
   * request that waits for a call provider, an external calendar or a shared COMMIT in SQLite does not count, also not
   * afterwards. Default: 8.
   */
  readonly maxConcurrentRequests?: number | undefined
  /**
   * The origins whose pages may call the API from a browser, exactly as browsers send them, such as
   * `https://app.example.com`. Default: none.
   */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /**
   * How many proxies are before the server, each of which adds the address of its client to `X-Forwarded-For`. Requests without
   * a valid key are limited by the address of the client. Default: 0, and the header is not read.
   */
  readonly trustedProxies?: number | undefined
  /**
   * Finds the caller of a request in place of its API key, for a program with users of its own. Null: the request fails with
   * 401, and with 503 while the storage is unavailable. Signed links, extra routes and the documentation need no caller.
   * Default: the API key of the request.
   */
  readonly authenticate?: ((request: ApiRequest) => Effect.Effect<HostCaller | null, StorageError>) | undefined
  /** How the dashboard is served. Default: there is none. */
  readonly dashboard?: DashboardOptions | undefined
  /** Whether the endpoints of the API are served. Default: true. */
  readonly api?: boolean | undefined
  /** Whether `/openapi.json` and `/docs` are served. Default: true. */
  readonly docs?: boolean | undefined
  /** Compresses the documentation with Brotli without blocking the thread. Default: only gzip is offered. */
  readonly brotli?: Compress | undefined
  /**
   * Returns a number that changes with each turn of the event loop, for example
   * `() => performance.nodeTiming.uvMetricsInfo.loopCount` in Node. With it, a request needs no further turn to be counted.
   */
  readonly currentTurn?: (() => number) | undefined
  /** Further routes. Default: none. */
  readonly extra?: ReadonlyArray<ExtraRoute> | undefined
  /** Further routes for callers of the API. Default: none. */
  readonly callerRoutes?: ReadonlyArray<CallerRoute> | undefined
}

/** The default of {@link HttpOptions.maxBodySize}: 1 MiB. */
export const defaultMaxBodySize = 1_048_576

/** The default of {@link HttpOptions.maxRequests}. */
export const defaultMaxRequests = 256

/** The default of {@link HttpOptions.maxConcurrentRequests}. */
export const defaultMaxConcurrentRequests = 8
