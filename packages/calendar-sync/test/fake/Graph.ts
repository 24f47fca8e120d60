import type { Interval } from "@frontdesk/core/values/Interval"
import * as Effect from "effect/Effect"
import * as FakeServer from "./FakeServer.ts"
import { type Fields, fieldsIn, listIn, parsed } from "./Json.ts"
import { OAuthServer } from "./OAuthServer.ts"

/** An event as the fake keeps it. */
export interface KeptEvent {
  readonly id: string
  readonly changeKey: string
  /** The fields of the API, but for these. */
  readonly fields: Fields
  /** The extended properties, by id. */
  readonly properties: ReadonlyMap<string, string>
}

const writable = ["subject", "location", "start", "end", "isAllDay", "showAs", "body", "isOnlineMeeting"] as const

/**
 * The calendar of Microsoft Graph as its reference describes it: one mailbox with one calendar, over a socket.
 *
 * A repeated `transactionId` makes no second event, and is refused with other contents or in another calendar; extended properties are answered only when they are asked for; a
 * deleted event is not found under its id; bodies come back as HTML pages of Exchange's making; times come back in UTC
 * with seven digits; a page has as many occurrences as it likes.
 */
export class GraphFake {
  readonly oauth = new OAuthServer()
  readonly events = new Map<string, KeptEvent>()
  calendar = { id: "AAMkADk0=", name: "Calendar", canEdit: true }
  /** Whether it is the main one of the mailbox, which has a path of its own. */
  isPrimary = true
  /** The zone of the mailbox, by its Windows name; null: it may not be read. */
  timeZone: string | null = "Pacific Standard Time"
  /** How many occurrences a page has at most. */
  pageSize = 2
  /** Where the next page is said to be. */
  nextLinkBase: string | null = null
  /** Whether `If-Match` is heeded, which is not documented. */
  heedsEtags = true
  private changes = 0

  readonly handle = (asked: FakeServer.Asked, base: string): FakeServer.Reply => {
    const reply = this.oauth.answer(asked)
    if (reply !== undefined) return reply
    if (!this.oauth.isAuthorized(asked)) return problem(401, "InvalidAuthenticationToken")
    const path = asked.url.pathname.replace(/^\/v1\.0\/me/, "")
    if (path === "/mailboxSettings/timeZone") {
      return this.timeZone === null
        ? problem(403, "ErrorAccessDenied")
        : { status: 200, body: { value: this.timeZone } }
    }
    const [, name, rest = ""] = /^\/(calendar|calendars\/[^/]+)(\/.*)?$/.exec(path) ?? []
    const isOwn =
      name === `calendars/${encodeURIComponent(this.calendar.id)}` || (this.isPrimary && name === "calendar")
    if (!isOwn) return problem(404, "ErrorItemNotFound")
    return this.inCalendar(asked, rest, base)
  }

  /** What somebody does in the calendar. */
  change(id: string, changed: Fields): void {
    const event = this.events.get(id)
    if (event === undefined) throw new Error(`no event ${id}`)
    this.keep({ ...event, fields: { ...event.fields, ...changed } })
  }

  /** Somebody adds a Teams meeting, or another text around what is there. */
  wrap(id: string, wrapped: (inner: string) => string): void {
    const content = String(fieldsIn(this.events.get(id)?.fields["body"])["content"])
    const inner = /<body>\r\n([\s\S]*)\r\n<\/body>/.exec(content)?.[1] ?? ""
    this.change(id, { isOnlineMeeting: true, body: page(wrapped(inner)) })
  }

  /** Puts in an event that is not Frontdesk's. */
  occupy({ end, start }: Interval, changed: Fields = {}): void {
    const when = (instant: number) => ({ dateTime: new Date(instant).toISOString().slice(0, 19), timeZone: "UTC" })
    const fields = { ...blank, start: when(start), end: when(end), ...changed }
    this.keep({ id: `other${this.changes}`, fields, properties: new Map() })
  }

  private keep(event: Omit<KeptEvent, "changeKey">): KeptEvent {
    const kept = { ...event, changeKey: `key${++this.changes}` }
    this.events.set(event.id, kept)
    return kept
  }

  private inCalendar(asked: FakeServer.Asked, path: string, base: string): FakeServer.Reply {
    const { method, url } = asked
    if (path === "" && method === "GET") return { status: 200, body: this.calendar }
    if (path === "/calendarView" && method === "GET") return this.view(url, base)
    if (path === "/events" && method === "GET") return this.filter(url)
    if (path === "/events" && method === "POST") return this.create(parsed(asked))
    const id = decodeURIComponent(/^\/events\/([^/]+)$/.exec(path)?.[1] ?? "")
    const event = this.events.get(id)
    if (event === undefined) return problem(404, "ErrorItemNotFound")
    if (method === "GET") return { status: 200, body: shown(event, url) }
    if (method !== "PATCH") return problem(405, "MethodNotAllowed")
    const etag = asked.headers["if-match"]
    if (this.heedsEtags && etag !== undefined && etag !== etagOf(event))
      return problem(412, "ErrorIrresolvableConflict")
    return this.write(event, parsed(asked), 200)
  }

  private create(body: Fields): FakeServer.Reply {
    const { transactionId } = body
    const before = [...this.events.values()].find(({ fields }) => fields["transactionId"] === transactionId)
    const made = JSON.stringify([this.calendar.id, body])
    if (before !== undefined) {
      return before.fields["made"] === made
        ? { status: 201, body: shown(before) }
        : problem(400, "ErrorDuplicateTransactionId")
    }
    const createdDateTime = new Date(Date.UTC(2026, 0, 1) + this.changes * 1_000).toISOString()
    const fields = { ...blank, createdDateTime, transactionId, made }
    return this.write({ id: `AAMk${"A".repeat(100)}${this.changes}=`, fields, properties: new Map() }, body, 201)
  }

  private write(event: Omit<KeptEvent, "changeKey">, body: Fields, status: number): FakeServer.Reply {
    if (!this.calendar.canEdit) return problem(403, "ErrorAccessDenied")
    const subject = body["subject"]
    if (typeof subject === "string" && subject.length > 255) return problem(400, "ErrorPropertyValidationFailure")
    const changed = new Map(
      writable.flatMap((key) => (key in body ? [[key, normalised(key, body[key])] as const] : []))
    )
    const fields: Fields = { ...event.fields, ...Object.fromEntries(changed) }
    if (!(instantOf(fields["start"]) <= instantOf(fields["end"]))) return problem(400, "ErrorPropertyValidationFailure")
    const given = listIn(body["singleValueExtendedProperties"])
    const properties = new Map([
      ...event.properties,
      ...given.map(({ id, value }): [string, string] => [String(id), String(value)])
    ])
    return { status, body: shown(this.keep({ id: event.id, fields, properties })) }
  }

  private filter(url: URL): FakeServer.Reply {
    const [, id, value] =
      /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '([^']+)' and ep\/value eq '([^']+)'\)$/.exec(
        url.searchParams.get("$filter") ?? ""
      ) ?? []
    if (id === undefined) return problem(400, "ErrorInvalidUrlQueryFilter")
    const found = [...this.events.values()].filter(({ properties }) => properties.get(id) === value)
    return { status: 200, body: { value: found.toReversed().map((event) => shown(event, url)) } }
  }

  private view({ pathname, searchParams }: URL, base: string): FakeServer.Reply {
    const [from, until] = ["startDateTime", "endDateTime"].map((key) => Date.parse(searchParams.get(key) ?? ""))
    if (from === undefined || until === undefined || !(from < until)) return problem(400, "ErrorInvalidParameter")
    const found = [...this.events.values()].filter(
      ({ fields }) => instantOf(fields["end"]) > from && instantOf(fields["start"]) < until
    )
    const skip = Number(searchParams.get("$skip") ?? 0)
    const isLast = skip + this.pageSize >= found.length
    const following = new URLSearchParams(searchParams)
    following.set("$skip", String(skip + this.pageSize))
    const link = { "@odata.nextLink": `${this.nextLinkBase ?? base}${pathname}?${following.toString()}` }
    const value = found.slice(skip, skip + this.pageSize).map((event) => shown(event))
    return { status: 200, body: { value, ...(isLast ? {} : link) } }
  }
}

/** A fake over a socket, and where its parts are. */
export const start = Effect.gen(function* () {
  const graph = new GraphFake()
  const server = yield* FakeServer.start(graph.handle)
  const urls = {
    apiUrl: `${server.url}/v1.0`,
    authorizationUrl: `${server.url}/authorize`,
    tokenUrl: `${server.url}/token`
  }
  return { graph, server, urls }
})

/** An error in Graph's form. */
export const problem = (status: number, code: string): FakeServer.Reply => ({
  status,
  body: { error: { code, message: code, innerError: { "request-id": "1" } } }
})

/** What Outlook appends to a body for a Teams meeting: the way into it behind a line. */
export const teams = (inner: string): string =>
  `<div class="elementToProof">${inner}</div><br><div style="width:100%"><span style="opacity:.36">${"_".repeat(80)}</span></div>` +
  `<div class="me-email-text"><a href="https://teams.microsoft.com/l/meetup-join/1">Join</a></div>`

const blank = {
  subject: null,
  location: { displayName: "", locationType: "default", uniqueIdType: "unknown" },
  isAllDay: false,
  isCancelled: false,
  isOnlineMeeting: false,
  showAs: "busy",
  body: { contentType: "html", content: "" }
}

const etagOf = ({ changeKey }: KeptEvent): string => `W/"${changeKey}"`

const none = new URL("http://127.0.0.1")

/** An event as it is answered: extended properties only when they are asked for. */
const shown = (event: KeptEvent, { searchParams }: URL = none): Fields => {
  const { changeKey, fields, id, properties } = event
  const [, wanted = ""] =
    /^singleValueExtendedProperties\(\$filter=id eq '([^']+)'\)$/.exec(searchParams.get("$expand") ?? "") ?? []
  const value = properties.get(wanted)
  // Exchange spells ids in its own way.
  const property = { id: wanted.toLowerCase().replace("string", "String"), value }
  return {
    "@odata.etag": etagOf(event),
    id,
    changeKey,
    ...fields,
    start: toldOf(fields["start"]),
    end: toldOf(fields["end"]),
    ...(value === undefined ? {} : { singleValueExtendedProperties: [property] })
  }
}

const timeOf = (when: unknown): string => String(fieldsIn(when)["dateTime"]).slice(0, 19)

const toldOf = (when: unknown) => ({ dateTime: `${timeOf(when)}.0000000`, timeZone: "UTC" })

const instantOf = (when: unknown): number => Date.parse(`${timeOf(when)}Z`)

const normalised = (key: string, value: unknown): unknown => {
  if (key !== "body") return key === "subject" ? String(value).trim() : value
  const content = String(fieldsIn(value)["content"])
  const html =
    fieldsIn(value)["contentType"] === "text"
      ? content.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("\n", "<br>\r\n")
      : content
  return page(/<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html)
}

/** A body as Exchange keeps it. */
const page = (inner: string) => ({
  contentType: "html",
  content:
    `<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>` +
    `<body>\r\n${inner
      .replace(/<script[\s\S]*?<\/script>/gi, "")
      .replace(/\r?\n/g, "\r\n")
      .trim()}\r\n</body></html>\r\n`
})
