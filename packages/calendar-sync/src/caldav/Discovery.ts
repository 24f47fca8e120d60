import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import { isCalendar, described, isWritable, nameOf, takesEvents } from "./Collection.ts"
import { type DavExchange, propfind } from "./DavExchange.ts"
import { resourcesOf } from "./DavErrorResponse.ts"
import * as Multistatus from "./Multistatus.ts"
import * as ServerUrl from "./ServerUrl.ts"
import * as Xml from "./Xml.ts"

/** A calendar of an account, as it can be connected. */
export interface DiscoveredCalendar {
  /** The `calendar` of a connection. */
  readonly url: string
  /** What people call it; "" when it has no name. */
  readonly name: string
  readonly isWritable: boolean
}

/** How many redirects may follow one another. */
const maximumRedirects = 5

/**
 * The calendars of an account that take events (RFC 6764 6, RFC 5397, RFC 4791 6.2.1): from a URL to the principal, its
 * calendar homes, and what lies in them. A URL that is a calendar itself answers that one.
 */
export const calendars = Effect.fn("Caldav.calendars")(function* (
  send: DavExchange,
  url: string
): Effect.fn.Return<ReadonlyArray<DiscoveredCalendar>, CalendarSyncError> {
  const start = yield* ServerUrl.parse(url)
  const look = lookFrom(send, start)
  const given = yield* look(start, "0", [...described, "D:current-user-principal"]).pipe(
    // Not every server answers at its root.
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
      : hrefsOf(yield* look(new URL("/.well-known/caldav", start), "0", ["D:current-user-principal"]), principal)
  const found = yield* Effect.forEach(principals, (href) =>
    Effect.gen(function* () {
      const homes = hrefsOf(yield* look(yield* ServerUrl.follow(start, href), "0", ["C:calendar-home-set"]), home)
      return yield* Effect.forEach(homes, (href) =>
        Effect.flatMap(ServerUrl.follow(start, href), (url) => look(url, "1", described))
      )
    })
  )
  const usable = found.flat(2).filter(({ resource }) => isCalendar(resource) && takesEvents(resource))
  if (principals.length > 0) return usable.map(discovered)
  const cause = `${start.href} tells of no account: it may be no CalDAV server`
  return yield* new CalendarSyncError({ reason: "invalid", cause })
})

const principal = `${Multistatus.dav}current-user-principal`
const home = `${Multistatus.caldav}calendar-home-set`

/** A resource with the URL it is at. */
interface Located {
  readonly resource: Multistatus.Resource
  readonly url: URL
}

const discovered = ({ resource, url }: Located): DiscoveredCalendar => ({
  url: url.href,
  name: nameOf(resource),
  isWritable: isWritable(resource)
})

/** The URLs that a property names, without repeats. */
const hrefsOf = (located: ReadonlyArray<Located>, name: string): ReadonlyArray<URL> => {
  const urls = located.flatMap(({ resource, url }) => {
    const property = Multistatus.property(resource, name)
    const hrefs = property === undefined ? [] : Xml.all(property, `${Multistatus.dav}href`)
    return hrefs.flatMap(({ text }) => URL.parse(text.trim(), url) ?? [])
  })
  return [...new Map(urls.map((url) => [url.href, url])).values()]
}

/** Asks for properties, and follows redirects as far as credentials may go. */
const lookFrom = (send: DavExchange, start: URL) =>
  Effect.fnUntraced(function* (url: URL, depth: "0" | "1", properties: ReadonlyArray<string>) {
    let at = url
    for (let redirects = 0; ; redirects++) {
      const answer = yield* send("PROPFIND", at.href, { depth }, propfind(...properties))
      const location = answer.headers["location"]
      const isRedirect = [301, 302, 307, 308].includes(answer.status) && location !== undefined
      if (!isRedirect || redirects === maximumRedirects) {
        const from = at
        return (yield* resourcesOf(answer)).flatMap((resource): ReadonlyArray<Located> => {
          const url = URL.parse(resource.href, from)
          return url === null ? [] : [{ resource, url }]
        })
      }
      at = yield* ServerUrl.follow(start, URL.parse(location, at))
    }
  })
