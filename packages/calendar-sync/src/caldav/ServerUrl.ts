import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"

/**
 * Providers that spread accounts over hosts of their own domain: whoever gives one of these hosts gets sent to another.
 */
const spread = ["icloud.com", "icloud.com.cn"]

/** What names the machine itself: nobody listens on the way there. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/**
 * A URL of a CalDAV server: HTTPS, to the machine itself also HTTP, for each request carries the password; and without
 * credentials, a query or a fragment, which would be shown.
 */
export const parse = (text: string): Effect.Effect<URL, CalendarSyncError> => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))
  if (url === null || !isSafe || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return failure("the URL of the calendar must begin with https:// and hold no credentials, query or fragment")
  }
  return Effect.succeed(url)
}

/**
 * A URL that a server has named, if the credentials that were given for `start` may go there: to the same host and port,
 * by HTTPS to it or to a host below its name, or within the domain of iCloud. Anywhere else somebody has to give the
 * URL.
 */
export const follow = (start: URL, next: URL | null): Effect.Effect<URL, CalendarSyncError> => {
  if (next === null) return failure(`${start.href} leads to what is no URL`)
  const plain = new URL(next)
  plain.username = ""
  plain.password = ""
  plain.hash = ""
  if (plain.origin === start.origin) return Effect.succeed(plain)
  const isBelow = plain.hostname === start.hostname || plain.hostname.endsWith(`.${start.hostname}`)
  const isSpread = spread.some((domain) => [start, plain].every(({ hostname }) => hostname.endsWith(`.${domain}`)))
  if (plain.protocol === "https:" && plain.port === "" && (isBelow || isSpread)) return Effect.succeed(plain)
  return failure(`${start.href} leads to ${plain.origin}, where credentials are not sent: give that URL if it is right`)
}

/**
 * The one spelling of a collection's URL: each segment of its path escaped anew, none of them empty, and a "/" at its
 * end. Servers take the others for the same, and each would be another calendar.
 */
export const collectionOf = ({ origin, pathname }: URL): string => {
  const segments = pathname.split("/").filter((segment) => segment !== "")
  return [origin, ...segments.map(escapedAnew), ""].join("/")
}

const escapedAnew = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    // Octets that are no text.
    return segment
  }
}

const failure = (cause: string) => Effect.fail(new CalendarSyncError({ reason: "invalid", cause }))
