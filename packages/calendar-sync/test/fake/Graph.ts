import type { Interval } from "@frontdesk/core/values/Interval"
import * as Effect from "effect/Effect"
import * as FakeServer from "./FakeServer.ts"
import { type Fields, fieldsIn, listIn, parsed } from "./Json.ts"
import { OAuthServer } from "./OAuthServer.ts"

/** An event as the fake stores it. */
export interface StoredEvent {
  readonly id: string
  readonly changeKey: string
  /** The other fields of the API. */
  readonly fields: Fields
  /** The values of the extended properties, by id. */
  readonly properties: ReadonlyMap<string, string>
}

const writable = ["subject", "location", "start", "end", "isAllDay", "showAs", "body", "isOnlineMeeting"] as const

/**
 * A fake of the calendar of Microsoft Graph, with one mailbox and one calendar. It follows the reference of Graph:
 *
 * - A repeated `transactionId` creates no second event. With other content, or in another calendar, it is an error.
 * - Extended properties are returned only on request. A deleted event is not found by its id.
 * - Bodies are HTML pages in the form of Exchange. Times are in UTC, with seven digits after the second.
 */
export class GraphFake {
  readonly oauth = new OAuthServer()
  readonly events = new Map<string, StoredEvent>()
  calendar = { id: "AAMkADk0=", name: "Calendar", canEdit: true }
  /** Whether it is the main calendar of the mailbox, which has a path of its own. */
  isPrimary = true
  /** The Windows name of the mailbox's time zone. With null the client has no permission to read it. */
  timeZone: string | null = "Pacific Standard Time"
  /** The maximum number of occurrences on a page. */
  pageSize = 2
  /** The server in the link to the next page. Null for this server. */
  nextLinkBase: string | null = null
  /** Whether `If-Match` is checked. Graph does not document whether it is. */
  checksEtags = true
  private changes = 0

  readonly handle = (request: FakeServer.ReceivedRequest, base: string): FakeServer.Reply => {
    const reply = this.oauth.answer(request)
    if (reply !== undefined) return reply
    if (!this.oauth.isAuthorized(request)) return problem(401, "InvalidAuthenticationToken")
    const path = request.url.pathname.replace(/^\/v1\.0\/me/, "")
    if (path === "/mailboxSettings/timeZone") {
      return this.timeZone === null
        ? problem(403, "ErrorAccessDenied")
        : { status: 200, body: { value: this.timeZone } }
    }
    const [, name, rest = ""] = /^\/(calendar|calendars\/[^/]+)(\/.*)?$/.exec(path) ?? []
    const isOwn =
      name === `calendars/${encodeURIComponent(this.calendar.id)}` || (this.isPrimary && name === "calendar")
    if (!isOwn) return problem(404, "ErrorItemNotFound")
    return this.inCalendar(request, rest, base)
  }

  /** Changes fields of an event, as a person does in Outlook. */
  change(id: string, changed: Fields): void {
    const event = this.events.get(id)
    if (event === undefined) throw new Error(`The calendar has no event ${id}`)
    this.store({ ...event, fields: { ...event.fields, ...changed } })
  }

  /** Changes the body of an event, as a person does who adds a Teams meeting or edits the text. */
  changeBody(id: string, changed: (inner: string) => string): void {
    const content = String(fieldsIn(this.events.get(id)?.fields["body"])["content"])
    const inner = /<body>\r\n([\s\S]*)\r\n<\/body>/.exec(content)?.[1] ?? ""
    this.change(id, { isOnlineMeeting: true, body: page(changed(inner)) })
  }

  /** Adds a calendar event that Frontdesk has not written: a busy time. */
  addBusyTime({ end, start }: Interval, changed: Fields = {}): void {
    const when = (instant: number) => ({ dateTime: new Date(instant).toISOString().slice(0, 19), timeZone: "UTC" })
    const fields = { ...blank, start: when(start), end: when(end), ...changed }
    this.store({ id: `other${this.changes}`, fields, properties: new Map() })
  }

  private store(event: Omit<StoredEvent, "changeKey">): StoredEvent {
    const stored = { ...event, changeKey: `key${++this.changes}` }
    this.events.set(event.id, stored)
    return stored
  }

  private inCalendar(request: FakeServer.ReceivedRequest, path: string, base: string): FakeServer.Reply {
    const { method, url } = request
    if (path === "" && method === "GET") return { status: 200, body: this.calendar }
    if (path === "/calendarView" && method === "GET") return this.view(url, base)
    if (path === "/events" && method === "GET") return this.filter(url)
    if (path === "/events" && method === "POST") return this.create(parsed(request))
    const id = decodeURIComponent(/^\/events\/([^/]+)$/.exec(path)?.[1] ?? "")
    const event = this.events.get(id)
    if (event === undefined) return problem(404, "ErrorItemNotFound")
    if (method === "GET") return { status: 200, body: resourceOf(event, url) }
    if (method !== "PATCH") return problem(405, "MethodNotAllowed")
    const etag = request.headers["if-match"]
    if (this.checksEtags && etag !== undefined && etag !== etagOf(event))
      return problem(412, "ErrorIrresolvableConflict")
    return this.write(event, parsed(request), 200)
  }

  private create(body: Fields): FakeServer.Reply {
    const { transactionId } = body
    const before = [...this.events.values()].find(({ fields }) => fields["transactionId"] === transactionId)
    const creation = JSON.stringify([this.calendar.id, body])
    if (before !== undefined) {
      return before.fields["creation"] === creation
        ? { status: 201, body: resourceOf(before) }
        : problem(400, "ErrorDuplicateTransactionId")
    }
    const createdDateTime = new Date(Date.UTC(2026, 0, 1) + this.changes * 1_000).toISOString()
    const fields = { ...blank, createdDateTime, transactionId, creation }
    return this.write({ id: `AAMk${"A".repeat(100)}${this.changes}=`, fields, properties: new Map() }, body, 201)
  }

  private write(event: Omit<StoredEvent, "changeKey">, body: Fields, status: number): FakeServer.Reply {
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
    return { status, body: resourceOf(this.store({ id: event.id, fields, properties })) }
  }

  private filter(url: URL): FakeServer.Reply {
    const [, id, value] =
      /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '([^']+)' and ep\/value eq '([^']+)'\)$/.exec(
        url.searchParams.get("$filter") ?? ""
      ) ?? []
    if (id === undefined) return problem(400, "ErrorInvalidUrlQueryFilter")
    const found = [...this.events.values()].filter(({ properties }) => properties.get(id) === value)
    return { status: 200, body: { value: found.toReversed().map((event) => resourceOf(event, url)) } }
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
    const value = found.slice(skip, skip + this.pageSize).map((event) => resourceOf(event))
    return { status: 200, body: { value, ...(isLast ? {} : link) } }
  }
}

/** Starts a fake on a server, and returns both with the URLs for the provider's options. */
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

/** Returns an error answer in Graph's form. */
export const problem = (status: number, code: string): FakeServer.Reply => ({
  status,
  body: { error: { code, message: code, innerError: { "request-id": "1" } } }
})

/** Returns a body to which Outlook has added a Teams meeting: the text, a line, and the link to the meeting. */
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

const etagOf = ({ changeKey }: StoredEvent): string => `W/"${changeKey}"`

const none = new URL("http://127.0.0.1")

/** Returns an event as Graph returns it. It has extended properties only if the URL requests them. */
const resourceOf = (event: StoredEvent, { searchParams }: URL = none): Fields => {
  const { changeKey, fields, id, properties } = event
  const [, wanted = ""] =
    /^singleValueExtendedProperties\(\$filter=id eq '([^']+)'\)$/.exec(searchParams.get("$expand") ?? "") ?? []
  const value = properties.get(wanted)
  // Exchange changes the case of ids.
  const property = { id: wanted.toLowerCase().replace("string", "String"), value }
  return {
    "@odata.etag": etagOf(event),
    id,
    changeKey,
    ...fields,
    start: withFraction(fields["start"]),
    end: withFraction(fields["end"]),
    ...(value === undefined ? {} : { singleValueExtendedProperties: [property] })
  }
}

const timeOf = (when: unknown): string => String(fieldsIn(when)["dateTime"]).slice(0, 19)

const withFraction = (when: unknown) => ({ dateTime: `${timeOf(when)}.0000000`, timeZone: "UTC" })

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

/** Returns a body as Exchange stores it. */
const page = (inner: string) => ({
  contentType: "html",
  content:
    `<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>` +
    `<body>\r\n${inner
      .replace(/<script[\s\S]*?<\/script>/gi, "")
      .replace(/\r?\n/g, "\r\n")
      .trim()}\r\n</body></html>\r\n`
})
