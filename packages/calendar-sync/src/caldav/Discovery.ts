import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import { collectionProperties, isCalendar, isWritable, nameOf, supportsEvents } from "./Collection.ts"
import { type DavExchange, propfind } from "./DavExchange.ts"
import { resourcesOf } from "./DavErrorResponse.ts"
import * as Multistatus from "./Multistatus.ts"
import * as ServerUrl from "./ServerUrl.ts"
import * as Xml from "./Xml.ts"

/** A calendar of an account that can be connected. */
export interface DiscoveredCalendar {
  /** The URL of the calendar. It is the `calendar` of a connection. */
  readonly url: string
  /** The display name; "" when the calendar has none. */
  readonly name: string
  readonly isWritable: boolean
}

/** The maximum number of redirects that are followed one after the other. */
const maxRedirects = 5

/**
 * Returns the calendars of an account that support events (RFC 6764 6, RFC 5397, RFC 4791 6.2.1). It goes from the URL to
 * the principal, from there to the calendar homes, and from there to the calendars. For the URL of a calendar it returns
 * that calendar alone.
 *
 * Fails with `invalid` when the server names no principal.
 */
export const calendars = Tracing.operation("Caldav.calendars")(function* (
  send: DavExchange,
  url: string
): Effect.fn.Return<ReadonlyArray<DiscoveredCalendar>, CalendarSyncError> {
  const start = yield* ServerUrl.parse(url)
  const read = propertiesFrom(send, start)
  const given = yield* read(start, "0", [...collectionProperties, "D:current-user-principal"]).pipe(
    // Some servers reject a PROPFIND at their root.
    Effect.catchIf(
      ({ reason }) => reason === "gone" || reason === "invalid",
      () => Effect.succeed([])
    )
  )
  const itself = given.filter(({ resource }) => isCalendar(resource))
  if (itself.length > 0) return itself.map(discovered)
  const principals =
    hrefsOf(given, principal).length > 0
      ? hrefsOf(given, principal)
      : hrefsOf(yield* read(new URL("/.well-known/caldav", start), "0", ["D:current-user-principal"]), principal)
  const found = yield* Effect.forEach(principals, (href) =>
    Effect.gen(function* () {
      const homes = hrefsOf(yield* read(yield* ServerUrl.follow(start, href), "0", ["C:calendar-home-set"]), home)
      return yield* Effect.forEach(homes, (href) =>
        Effect.flatMap(ServerUrl.follow(start, href), (url) => read(url, "1", collectionProperties))
      )
    })
  )
  const usable = found.flat(2).filter(({ resource }) => isCalendar(resource) && supportsEvents(resource))
  if (principals.length > 0) return usable.map(discovered)
  const cause = `${start.href} names no principal: it may not be a CalDAV server`
  return yield* new CalendarSyncError({ reason: "invalid", cause })
})

const principal = `${Multistatus.dav}current-user-principal`
const home = `${Multistatus.caldav}calendar-home-set`

/** A resource with its absolute URL. */
interface Located {
  readonly resource: Multistatus.Resource
  readonly url: URL
}

const discovered = ({ resource, url }: Located): DiscoveredCalendar => ({
  url: url.href,
  name: nameOf(resource),
  isWritable: isWritable(resource)
})

/** Returns the distinct URLs in a property of the resources. */
const hrefsOf = (located: ReadonlyArray<Located>, name: string): ReadonlyArray<URL> => {
  const urls = located.flatMap(({ resource, url }) => {
    const property = Multistatus.property(resource, name)
    const hrefs = property === undefined ? [] : Xml.all(property, `${Multistatus.dav}href`)
    return hrefs.flatMap(({ text }) => URL.parse(text.trim(), url) ?? [])
  })
  return [...new Map(urls.map((url) => [url.href, url])).values()]
}

/** Returns a function that reads properties. It follows redirects to URLs that may receive the credentials. */
const propertiesFrom = (send: DavExchange, start: URL) =>
  Effect.fnUntraced(function* (url: URL, depth: "0" | "1", properties: ReadonlyArray<string>) {
    let at = url
    for (let redirects = 0; ; redirects++) {
      const answer = yield* send("PROPFIND", at.href, { depth }, propfind(...properties))
      const location = answer.headers["location"]
      const isRedirect = [301, 302, 307, 308].includes(answer.status) && location !== undefined
      if (!isRedirect || redirects === maxRedirects) {
        const from = at
        return (yield* resourcesOf(answer)).flatMap((resource): ReadonlyArray<Located> => {
          const url = URL.parse(resource.href, from)
          return url === null ? [] : [{ resource, url }]
        })
      }
      at = yield* ServerUrl.follow(start, URL.parse(location, at))
    }
  })
