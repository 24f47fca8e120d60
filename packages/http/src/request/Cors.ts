/** The CORS headers of responses to pages of other origins. */
export interface Cors {
  /** Returns the headers of every response to a request with this `Origin`. */
  readonly headers: (origin: string | undefined) => Readonly<Record<string, string>>
  /** Returns the additional headers of a response to OPTIONS with this `Origin`. */
  readonly preflight: (origin: string | undefined, methods: string) => Readonly<Record<string, string>>
}

const none = {}

const allowed = [
  "authorization",
  "content-type",
  "idempotency-key",
  "x-request-id",
  // MCP clients send these to `/mcp`.
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "x-conversation-id",
  "x-call-id"
].join(", ")

const exposed = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "idempotent-replayed",
  "deprecation",
  "www-authenticate"
].join(", ")

/** Makes the CORS headers for an exact list of origins (D-HTTP-7). With an empty list no response has a CORS header. */
export const make = (origins: ReadonlyArray<string>): Cors => {
  if (origins.length === 0) return { headers: () => none, preflight: () => none }
  const known = new Set(origins)
  // Responses differ by origin, also those to an origin that is not allowed. A cache must not mix them.
  const refused = { vary: "origin" }
  return {
    headers: (origin) =>
      origin !== undefined && known.has(origin)
        ? { ...refused, "access-control-allow-origin": origin, "access-control-expose-headers": exposed }
        : refused,
    preflight: (origin, methods) =>
      origin !== undefined && known.has(origin)
        ? {
            "access-control-allow-methods": methods,
            "access-control-allow-headers": allowed,
            "access-control-max-age": "7200"
          }
        : none
  }
}
