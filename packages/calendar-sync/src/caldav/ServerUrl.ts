import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"

/** Domains of a provider that distributes its accounts over many hosts, and refers from one host to another. */
const multiHostDomains = ["icloud.com", "icloud.com.cn"]

/** Returns whether a URL leads to this machine. Without a network in between, HTTP discloses nothing. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/**
 * Parses the URL of a CalDAV server. It must be HTTPS, because each request has the password; a URL of this machine may be
 * HTTP. It must not have credentials, a query or a fragment, because messages show the URL.
 *
 * Fails with `invalid` for any other text.
 */
export const parse = (text: string): Effect.Effect<URL, CalendarSyncError> => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))
  if (url === null || !isSafe || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return failure("the URL of the calendar must begin with https:// and have no credentials, query or fragment")
  }
  return Effect.succeed(url)
}

/**
 * Returns a URL to which a server refers, without its credentials and fragment. The URL may receive the credentials that
 * belong to `start` in one of two cases:
 *
 * - It has the same scheme, host and port as `start`.
 * - It is an HTTPS URL on the default port, and its host is that of `start` or a subdomain, or both hosts are iCloud's.
 *
 * Fails with `invalid` for any other URL. The error names its host, so that the person can enter the URL after checking it.
 */
export const follow = (start: URL, next: URL | null): Effect.Effect<URL, CalendarSyncError> => {
  if (next === null) return failure(`${start.href} refers to an invalid URL`)
  const plain = new URL(next)
  plain.username = ""
  plain.password = ""
  plain.hash = ""
  if (plain.origin === start.origin) return Effect.succeed(plain)
  const isBelow = plain.hostname === start.hostname || plain.hostname.endsWith(`.${start.hostname}`)
  const isSameProvider = multiHostDomains.some((domain) =>
    [start, plain].every(({ hostname }) => hostname.endsWith(`.${domain}`))
  )
  if (plain.protocol === "https:" && plain.port === "" && (isBelow || isSameProvider)) return Effect.succeed(plain)
  return failure(
    `${start.href} refers to ${plain.origin}, and credentials are not sent to another host: if that host is right, use its URL`
  )
}

/**
 * Returns the canonical spelling of a collection's URL: each segment of the path escaped in the same way, no empty segment,
 * and a "/" at the end. Servers accept other spellings, but Frontdesk would treat each of them as another calendar.
 */
export const collectionOf = ({ origin, pathname }: URL): string => {
  const segments = pathname.split("/").filter((segment) => segment !== "")
  return [origin, ...segments.map(escapeSegment), ""].join("/")
}

const escapeSegment = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    // The escaped octets are not UTF-8, so they stay as they are.
    return segment
  }
}

const failure = (cause: string) => Effect.fail(new CalendarSyncError({ reason: "invalid", cause }))
