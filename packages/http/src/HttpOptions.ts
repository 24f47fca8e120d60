import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** A route beside the API, such as `GET /health`: it needs no key, and HEAD, OPTIONS and 405 follow from it. */
export interface ExtraRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  /** What metrics and logs call it; "none" unless said. */
  readonly operation?: string | undefined
  readonly handler: Effect.Effect<HttpServerResponse, never, HttpServerRequest>
}

/** How the API is served. */
export interface HttpOptions {
  /** The most bytes a body may have; 1 MiB unless said (Decisions 2). */
  readonly maxBodySize?: number | undefined
  /** The origins whose pages may call the API from a browser, exactly as browsers send them; none unless said. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Whether `/openapi.json` and `/docs` are there; they are unless said. */
  readonly docs?: boolean | undefined
  /** Further routes. */
  readonly extra?: ReadonlyArray<ExtraRoute> | undefined
}

/** The most bytes a body may have unless said: 1 MiB (Decisions 2). */
export const defaultMaxBodySize = 1_048_576
