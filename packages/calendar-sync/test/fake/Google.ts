import { type Interval, union } from "@frontdesk/core/values/Interval"
import * as Effect from "effect/Effect"
import * as FakeServer from "./FakeServer.ts"
import { type Fields, isFields, listIn, parsed } from "./Json.ts"
import { OAuthServer } from "./OAuthServer.ts"

/** An event as the fake stores it: the fields of the API. */
export interface StoredEvent extends Fields {
  readonly id: string
  readonly etag: string
}

/**
 * A fake of Google Calendar with one account and one calendar. It follows Google's reference:
 *
 * - Deleted events stay readable with the status `cancelled`, and their ids cannot be used again.
 * - PATCH merges fields, and `null` removes a field. `If-Match` is checked.
 * - Descriptions are HTML without scripts. Times are in the zone of the calendar, without fractions of a second.
 */
export class GoogleFake {
  readonly oauth = new OAuthServer()
  readonly events = new Map<string, StoredEvent>()
  /** The calendar, and the role of the account in it. */
  calendar = { id: "zoe@example.com", summary: "Work", accessRole: "owner" }
  /** Whether it is the main calendar of the account. */
  isPrimary = true
  /** The error inside the answers of `freeBusy`. Null for none. */
  busyError: string | null = null
  private changes = 0

  readonly handle = (request: FakeServer.ReceivedRequest): FakeServer.Reply => {
    const reply = this.oauth.answer(request)
    if (reply !== undefined) return reply
    if (!this.oauth.isAuthorized(request)) return problem(401, "authError")
    const { pathname, searchParams } = request.url
    if (pathname === "/calendar/v3/freeBusy" && request.method === "POST") return this.freeBusy(parsed(request))
    const [, calendar = "", path, id] =
      /^\/calendar\/v3\/calendars\/([^/]+)(\/events(?:\/([^/]+))?)?$/.exec(pathname) ?? []
    if (!this.isNamed(decodeURIComponent(calendar))) return problem(404, "notFound")
    if (path === undefined) return { status: 200, body: { kind: "calendar#calendar", id: this.calendar.id } }
    if (request.method === "GET" && id === undefined) {
      return { status: 200, body: { accessRole: this.calendar.accessRole, summary: this.calendar.summary, items: [] } }
    }
    if (request.method === "GET") return this.get(id ?? "")
    if (!["owner", "writer"].includes(this.calendar.accessRole)) return problem(403, "requiredAccessLevel")
    if (searchParams.get("sendUpdates") !== "none") return problem(400, "writes must have sendUpdates=none")
    if (request.method === "POST") return this.insert(parsed(request))
    if (request.method === "PATCH") return this.patch(id ?? "", parsed(request), request.headers["if-match"])
    return problem(404, "notFound")
  }

  /** Changes fields of an event, as a person does in the calendar. */
  change(id: string, fields: Fields): void {
    const event = this.events.get(id)
    if (event === undefined) throw new Error(`The calendar has no event ${id}`)
    this.store({ ...event, ...fields })
  }

  /** Adds a calendar event that Frontdesk has not written: a busy time. */
  addBusyTime({ end, start }: Interval, fields: Fields = {}): void {
    this.store({ id: `other${this.changes}`, status: "confirmed", ...times(start, end), ...fields })
  }

  /** Returns whether a name in a URL is that of the calendar: its id, or `primary` for the main calendar. */
  private isNamed(calendar: string): boolean {
    return calendar === this.calendar.id || (this.isPrimary && calendar === "primary")
  }

  private store(event: Fields & { readonly id: string }): StoredEvent {
    const stored = { ...event, etag: `"${++this.changes}"` }
    this.events.set(event.id, stored)
    return stored
  }

  private get(id: string): FakeServer.Reply {
    const event = this.events.get(id)
    return event === undefined ? problem(404, "notFound") : { status: 200, body: event }
  }

  private insert(body: Fields): FakeServer.Reply {
    const id = String(body["id"])
    if (!/^[a-v0-9]{5,1024}$/.test(id)) return problem(400, "invalid")
    if (this.events.has(id)) return problem(409, "duplicate")
    return this.write({ ...body, id })
  }

  private patch(id: string, body: Fields, etag: string | undefined): FakeServer.Reply {
    const event = this.events.get(id)
    if (event === undefined) return problem(404, "notFound")
    if (etag !== undefined && etag !== event.etag) return problem(412, "conditionNotMet")
    return this.write({ ...merged(event, body), id })
  }

  private write(event: Fields & { readonly id: string }): FakeServer.Reply {
    const description = event["description"]
    const [start, end] = [instantOf(event["start"]), instantOf(event["end"])]
    if (Number.isNaN(start) || Number.isNaN(end) || end < start) return problem(400, "timeRangeEmpty")
    if (typeof description === "string" && description.length > 8_192) return problem(400, "invalid")
    const clean = typeof description === "string" ? { description: sanitized(description) } : {}
    const summary = event["summary"]
    const titled = typeof summary === "string" ? { summary: summary.trim() } : {}
    const stored = this.store({ status: "confirmed", ...event, ...clean, ...titled, ...times(start, end, event) })
    return { status: 200, body: stored }
  }

  private freeBusy(body: Fields): FakeServer.Reply {
    const [from, until] = [Date.parse(String(body["timeMin"])), Date.parse(String(body["timeMax"]))]
    if (!(from < until)) return problem(400, "timeRangeEmpty")
    if (until - from > 60 * 86_400_000) return problem(400, "timeRangeTooLong")
    const id = String(listIn(body["items"])[0]?.["id"])
    const reason = this.isNamed(id) ? this.busyError : "notFound"
    if (reason !== null) {
      return { status: 200, body: { calendars: { [id]: { errors: [{ domain: "global", reason }], busy: [] } } } }
    }
    const taken = [...this.events.values()]
      .filter(({ status, transparency }) => status !== "cancelled" && transparency !== "transparent")
      .map((event) => ({
        start: Math.max(instantOf(event["start"]), from),
        end: Math.min(instantOf(event["end"]), until)
      }))
    const busy = union(taken).map(({ end, start }) => ({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString()
    }))
    return { status: 200, body: { kind: "calendar#freeBusy", calendars: { [id]: { busy } } } }
  }
}

/** Starts a fake on a server, and returns both with the URLs for the provider's options. */
export const start = Effect.gen(function* () {
  const google = new GoogleFake()
  const server = yield* FakeServer.start(google.handle)
  const urls = {
    apiUrl: `${server.url}/calendar/v3`,
    authorizationUrl: `${server.url}/authorize`,
    tokenUrl: `${server.url}/token`
  }
  return { google, server, urls }
})

/** Returns an error answer in Google's form. */
export const problem = (code: number, reason: string): FakeServer.Reply => ({
  status: code,
  body: { error: { code, message: reason, errors: [{ domain: "global", reason, message: reason }] } }
})

/** Returns the fields after a merge. A `null` in the patch removes a field. */
const merged = (before: Fields, patch: Fields): Fields => {
  const after = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(patch)) {
    const old = after.get(key)
    if (value === null) after.delete(key)
    else after.set(key, isFields(value) ? merged(isFields(old) ? old : {}, value) : value)
  }
  return Object.fromEntries(after)
}

const instantOf = (when: unknown): number => {
  const { date, dateTime } = isFields(when) ? when : {}
  return Date.parse(typeof dateTime === "string" ? dateTime : `${String(date)}T00:00:00+01:00`)
}

/** Returns start and end as Google returns them for a calendar in Paris in winter. An event with dates keeps its dates. */
const times = (start: number, end: number, event: Fields = {}): Fields => {
  const inParis = (instant: number) => ({
    dateTime: new Date(instant + 3_600_000).toISOString().replace(/\.\d+Z$/, "+01:00"),
    timeZone: "Europe/Paris"
  })
  const isDate = (when: unknown) => isFields(when) && "date" in when
  return isDate(event["start"]) ? {} : { start: inParis(start), end: inParis(end) }
}

/** Returns HTML without scripts and unusual tags, as Google stores it. */
const sanitized = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/gi, "")
    .replace(/<(?!\/?(a|b|i|u|br|p|ul|ol|li|span)\b)[^<>]*>/gi, "")
    .replaceAll("\r", "")
    .trim()
