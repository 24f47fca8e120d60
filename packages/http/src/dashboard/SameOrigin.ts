import type { ApiRequest } from "../request/ApiRequest.ts"

/**
 * Returns the origin at which the browser of a request reaches the server: the configured one, or else that of the `Host`
 * header over http. Undefined when neither is known.
 */
export const originOf = (
  configured: string | undefined,
  { headers }: Pick<ApiRequest, "headers">
): string | undefined => configured ?? (headers["host"] === undefined ? undefined : `http://${headers["host"]}`)

/**
 * Returns whether a page of this server sent a request that changes something, and not a page of another site (D-MEM-11).
 *
 * Browsers state the relation in `Sec-Fetch-Site`, but only to servers that they trust, over https or on the same machine.
 * Without that header a matching `Origin` passes. A request with neither is refused. An `Origin` of `null`, which a page without
 * referrer sends, passes only together with `Sec-Fetch-Site: same-origin`.
 */
export const isSameOrigin = (configured: string | undefined, request: Pick<ApiRequest, "headers">): boolean => {
  const { headers } = request
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  if (site !== undefined && site !== "same-origin") return false
  if (site === "same-origin" && (origin === undefined || origin === "null")) return true
  const own = originOf(configured, request)
  if (origin === undefined || own === undefined) return false
  // Without a configured origin the scheme is unknown, because a proxy may end TLS.
  return origin === own || (configured === undefined && origin === own.replace(/^http:/, "https:"))
}

/** Returns whether a request with this method changes nothing. */
export const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"
