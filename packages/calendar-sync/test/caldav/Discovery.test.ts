import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as Caldav from "../../src/caldav/Caldav.ts"
import * as ServerUrl from "../../src/caldav/ServerUrl.ts"
import { connectionOf, open } from "./caldavConnection.ts"
import { type ReceivedRequest, found, multistatus, type Reply, scriptedServer } from "./scriptedServer.ts"

const discover = (url: string) =>
  Caldav.calendars({ url, username: "ada", password: Redacted.make("open sesame") }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )

const href = (name: string, path: string) => `<${name}><d:href>${path}</d:href></${name}>`

const calendar = (name: string, ...more: ReadonlyArray<string>) =>
  `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>${more.join("")}`

/** Returns the answers of a server like iCloud: the root has only the principal, and the calendars are at other paths. */
const cloud = ({ path }: ReceivedRequest): Reply => {
  const answers: { readonly [path: string]: ReadonlyArray<string> } = {
    "/": [found("/", href("d:current-user-principal", "/17/principal/"))],
    "/17/principal/": [found("/17/principal/", href("c:calendar-home-set", "/17/calendars/"))],
    "/17/calendars/": [
      found("/17/calendars/", "<d:resourcetype><d:collection/></d:resourcetype>"),
      found("/17/calendars/work/", calendar("Work &amp; more")),
      found(
        "/17/calendars/shared/",
        calendar(
          "Shared",
          "<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>",
          '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>'
        )
      ),
      found(
        "/17/calendars/tasks/",
        calendar(
          "Tasks",
          '<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>'
        )
      )
    ]
  }
  const responses = answers[path]
  return responses === undefined ? { status: 404 } : { status: 207, body: multistatus(...responses) }
}

describe("the calendars of an account", () => {
  it.live("discovery returns the calendars of the principal that support events, with their names", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer(cloud)
      expect(yield* discover(server.url)).toEqual([
        { url: `${server.url}17/calendars/work/`, name: "Work & more", isWritable: true },
        { url: `${server.url}17/calendars/shared/`, name: "Shared", isWritable: false }
      ])
    })
  )

  it.live("discovery uses the well-known path when the given URL does not exist", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer((request) =>
        request.path === "/.well-known/caldav" ? { status: 301, headers: { location: "/" } } : cloud(request)
      )
      expect(yield* discover(`${server.url}unknown/`)).toHaveLength(2)
    })
  )

  it.live("a redirect to another server is an error that names the other server, which receives no request", () =>
    Effect.gen(function* () {
      const other = yield* scriptedServer(cloud)
      const server = yield* scriptedServer(() => ({ status: 302, headers: { location: other.url } }))
      const error = yield* Effect.flip(discover(server.url))
      expect(error.reason).toBe("invalid")
      expect(String(error.cause)).toContain(`refers to ${other.url.slice(0, -1)}`)
      expect(other.requests).toEqual([])
    })
  )

  it.live("a calendar home on another server is an error, and the other server receives no request", () =>
    Effect.gen(function* () {
      const other = yield* scriptedServer(cloud)
      const server = yield* scriptedServer((request) =>
        request.path === "/17/principal/"
          ? { status: 207, body: multistatus(found("/", href("c:calendar-home-set", `${other.url}17/calendars/`))) }
          : cloud(request)
      )
      expect(yield* Effect.flip(discover(server.url))).toMatchObject({ reason: "invalid" })
      expect(other.requests).toEqual([])
    })
  )

  it.live("a redirect loop is an error after a few requests", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer(() => ({ status: 307, headers: { location: "/again/" } }))
      expect(yield* Effect.flip(discover(server.url))).toMatchObject({ reason: "invalid" })
      // Six requests from the given URL, and six from the well-known path.
      expect(server.requests).toHaveLength(12)
    })
  )

  it.live("a server without CalDAV is an error", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer(() => ({ status: 405, body: "no" }))
      expect(yield* Effect.flip(discover(server.url))).toMatchObject({ reason: "invalid" })
    })
  )
})

describe("credentials", () => {
  const follows = (from: string, to: string) =>
    Effect.match(ServerUrl.follow(new URL(from), URL.parse(to)), {
      onFailure: () => null,
      onSuccess: ({ href }) => href
    })

  it.effect.each([
    ["https://caldav.icloud.com/", "https://p42-caldav.icloud.com:443/17/calendars/"],
    ["https://dav.example.com/", "https://dav.example.com/17/"],
    ["https://example.com/", "https://dav.example.com/17/"],
    ["http://dav.example.com/", "https://dav.example.com/"]
  ] as const)("credentials for %s may be sent to %s", ([from, to]) =>
    Effect.gen(function* () {
      expect(yield* follows(from, to)).toBe(new URL(to).href)
    })
  )

  it.effect.each([
    ["https://caldav.icloud.com/", "https://icloud.com.example.org/"],
    ["https://caldav.icloud.com/", "http://p42-caldav.icloud.com/"],
    ["https://caldav.icloud.com/", "https://evilicloud.com/"],
    ["https://dav.example.com/", "https://example.com/"],
    ["https://dav.example.com/", "https://other.example.com/"],
    ["https://dav.example.com/", "http://dav.example.com/"],
    ["https://dav.example.com/", "https://dav.example.com:8443/"],
    ["https://dav.example.com/", "file:///etc/passwd"],
    ["https://example.com/", "https://badexample.com/"]
  ] as const)("credentials for %s are not sent to %s", ([from, to]) =>
    Effect.gen(function* () {
      expect(yield* follows(from, to)).toBeNull()
    })
  )

  it.live.each([
    "ftp://dav.example.com/",
    "http://dav.example.com/",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "https://ada:secret@dav.example.com/",
    "https://dav.example.com/?token=secret",
    "dav.example.com",
    ""
  ])("a connection with the calendar %j is rejected, and the error contains no secret of it", (calendar) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(open({ calendar, username: "ada", password: "open sesame" }))
      expect(error).toMatchObject({ reason: "invalid" })
      expect(JSON.stringify(error)).toContain("https://")
      expect(JSON.stringify(error)).not.toContain("secret")
    })
  )

  it.effect.each([
    "http://127.0.0.1:5232/a/",
    "http://localhost/a/",
    "http://[::1]:5232/a/",
    "https://dav.example.com/"
  ])("a connection with the calendar %s is accepted", (calendar) =>
    Effect.gen(function* () {
      expect((yield* ServerUrl.parse(calendar)).href).toBe(calendar)
    })
  )

  it.effect.each([
    "",
    "{}",
    '{"username":"a:b","password":"x"}',
    '{"username":"a","password":""}',
    '{"refreshToken":"x"}'
  ])("a connection whose credentials are the text %j fails with unauthorized", (text) =>
    Effect.gen(function* () {
      const provider = yield* Caldav.make().pipe(Effect.provide(FetchHttpClient.layer))
      const server = { calendar: "https://dav.example.com/", username: "ada", password: "open sesame" }
      const connection = { ...connectionOf(server), credentials: Redacted.make(text) }
      const error = yield* Effect.flip(provider.open(connection, () => Effect.succeed(true)))
      expect(error).toMatchObject({ reason: "unauthorized" })
    })
  )
})
