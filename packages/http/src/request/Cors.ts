/** What a browser is told about a request from a page of another origin. */
export interface Cors {
  /** The headers of an answer to a request from this origin. */
  readonly headers: (origin: string | undefined) => Readonly<Record<string, string>>
  /** The further headers of an answer to OPTIONS from this origin. */
  readonly preflight: (origin: string | undefined, methods: string) => Readonly<Record<string, string>>
}

const none = {}

const exposed = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "idempotent-replayed",
  "deprecation",
  "www-authenticate"
].join(", ")

/** CORS for an exact list of origins (D-HTTP-7); an empty list says nothing at all. */
export const make = (origins: ReadonlyArray<string>): Cors => {
  if (origins.length === 0) return { headers: () => none, preflight: () => none }
  const known = new Set(origins)
  // The answer differs by origin, also when it is refused.
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
            "access-control-allow-headers": "authorization, content-type, idempotency-key, x-request-id",
            "access-control-max-age": "7200"
          }
        : none
  }
}
