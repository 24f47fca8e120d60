import { type Interval, union } from "@frontdesk/core/values/Interval"
import * as Effect from "effect/Effect"
import * as FakeServer from "./FakeServer.ts"
import { type Fields, isFields, listIn, parsed } from "./Json.ts"
import { OAuthServer } from "./OAuthServer.ts"

/** An event as the fake keeps it: the fields of the API. */
export interface KeptEvent extends Fields {
  readonly id: string
  readonly etag: string
}

/**
 * Google Calendar as its reference describes it: one account with one calendar, over a socket.
 *
 * Ids are unique also among deleted events, which stay to be read with the status `cancelled`; PATCH merges and takes
 * `null` as "remove"; `If-Match` is heeded; descriptions are HTML without scripts; times come back in the calendar's
 * zone, to the second.
 */
export class GoogleFake {
  readonly oauth = new OAuthServer()
  readonly events = new Map<string, KeptEvent>()
  /** Names the calendar and says what the account may do with it. */
  calendar = { id: "zoe@example.com", summary: "Work", accessRole: "owner" }
  /** Whether it is the main one of the account. */
  isPrimary = true
  /** An error inside the next answers of `freeBusy`. */
  busyError: string | null = null
  private changes = 0

  readonly handle = (asked: FakeServer.Asked): FakeServer.Reply => {
    const reply = this.oauth.answer(asked)
    if (reply !== undefined) return reply
    if (!this.oauth.isAuthorized(asked)) return problem(401, "authError")
    const { pathname, searchParams } = asked.url
    if (pathname === "/calendar/v3/freeBusy" && asked.method === "POST") return this.freeBusy(parsed(asked))
    const [, calendar = "", path, id] =
      /^\/calendar\/v3\/calendars\/([^/]+)(\/events(?:\/([^/]+))?)?$/.exec(pathname) ?? []
    if (!this.isNamed(decodeURIComponent(calendar))) return problem(404, "notFound")
    if (path === undefined) return { status: 200, body: { kind: "calendar#calendar", id: this.calendar.id } }
    if (asked.method === "GET" && id === undefined) {
      return { status: 200, body: { accessRole: this.calendar.accessRole, summary: this.calendar.summary, items: [] } }
    }
    if (asked.method === "GET") return this.get(id ?? "")
    if (!["owner", "writer"].includes(this.calendar.accessRole)) return problem(403, "requiredAccessLevel")
    if (searchParams.get("sendUpdates") !== "none") return problem(400, "the test wants sendUpdates=none")
    if (asked.method === "POST") return this.insert(parsed(asked))
    if (asked.method === "PATCH") return this.patch(id ?? "", parsed(asked), asked.headers["if-match"])
    return problem(404, "notFound")
  }

  /** What somebody does in the calendar. */
  change(id: string, fields: Fields): void {
    const event = this.events.get(id)
    if (event === undefined) throw new Error(`no event ${id}`)
    this.keep({ ...event, ...fields })
  }

  /** Puts in an event that is not Frontdesk's. */
  occupy({ end, start }: Interval, fields: Fields = {}): void {
    this.keep({ id: `other${this.changes}`, status: "confirmed", ...times(start, end), ...fields })
  }

  /** Whether this is the calendar's id, or the name that the main one has with every account. */
  private isNamed(calendar: string): boolean {
    return calendar === this.calendar.id || (this.isPrimary && calendar === "primary")
  }

  private keep(event: Fields & { readonly id: string }): KeptEvent {
    const kept = { ...event, etag: `"${++this.changes}"` }
    this.events.set(event.id, kept)
    return kept
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
    const kept = this.keep({ status: "confirmed", ...event, ...clean, ...titled, ...times(start, end, event) })
    return { status: 200, body: kept }
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

/** A fake over a socket, and where its parts are. */
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

/** An error in Google's form. */
export const problem = (code: number, reason: string): FakeServer.Reply => ({
  status: code,
  body: { error: { code, message: reason, errors: [{ domain: "global", reason, message: reason }] } }
})

/** The fields after a merge: `null` removes one. */
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

/** Times as Google tells them of a calendar in Paris, in winter. */
const times = (start: number, end: number, kept: Fields = {}): Fields => {
  const told = (instant: number) => ({
    dateTime: new Date(instant + 3_600_000).toISOString().replace(/\.\d+Z$/, "+01:00"),
    timeZone: "Europe/Paris"
  })
  const isDate = (when: unknown) => isFields(when) && "date" in when
  return isDate(kept["start"]) ? {} : { start: told(start), end: told(end) }
}

/** HTML without what could run, as Google keeps it. */
const sanitized = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/gi, "")
    .replace(/<(?!\/?(a|b|i|u|br|p|ul|ol|li|span)\b)[^<>]*>/gi, "")
    .replaceAll("\r", "")
    .trim()
