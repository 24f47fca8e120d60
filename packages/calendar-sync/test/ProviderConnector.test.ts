import { type Google, openGoogle } from "@frontdesk/provider-fakes/google/Google"
import { CaldavHttpClient, CalendarProviders, Exchange, ProviderConnector } from "@frontdesk/calendar-sync"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { calendarConnectorSuite } from "@frontdesk/testing/suite/calendarConnectorSuite"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import { found, multistatus, type ReceivedRequest, type Reply, scriptedServer } from "./caldav/scriptedServer.ts"

class RunningGoogle extends Context.Service<RunningGoogle, Google>()(
  "@frontdesk/calendar-sync/test/ProviderConnector.test/RunningGoogle"
) {
  static readonly layer = Layer.effect(
    RunningGoogle,
    Effect.acquireRelease(Effect.promise(openGoogle), ({ close }) => Effect.promise(close))
  )
}

const client = { clientId: "client", clientSecret: Redacted.make("client-secret") }

const connector = (clients: CalendarProviders.Clients) =>
  Layer.unwrap(
    Effect.map(CalendarProviders.make(clients), (providers) => ProviderConnector.layer(clients, providers))
  ).pipe(Layer.provide([FetchHttpClient.layer, CaldavHttpClient.CaldavHttpClient.layerUnguarded]))

const withGoogle = Layer.unwrap(
  Effect.map(RunningGoogle, ({ url }) => connector({ google: { ...client, baseUrl: url } }))
).pipe(Layer.provideMerge(RunningGoogle.layer))

calendarConnectorSuite("Google", withGoogle, {
  excludeTestServices: true,
  oauth: {
    provider: "google",
    redirectUri: "https://api.example.com/calendar/oauth/callback",
    calendar: "jo@example.com",
    agree: Effect.fnUntraced(function* (url: string) {
      const { headers } = yield* Effect.orDie(Exchange.send(HttpClientRequest.get(url)))
      return new URL(headers["location"] ?? "").searchParams.get("code") ?? ""
    }, Effect.provide(FetchHttpClient.layer))
  },
  caldav: null
})

/** Returns the answers of a CalDAV server with one calendar: 401 without the password. */
const answer = ({ headers, method, path }: ReceivedRequest): Reply => {
  const expected = `Basic ${Buffer.from("ada:open sesame").toString("base64")}`
  if (headers.authorization !== expected) return { status: 401 }
  if (method === "REPORT") return { status: 207, body: multistatus() }
  const resources: Readonly<Record<string, string>> = {
    "/": found("/", "<d:current-user-principal><d:href>/ada/</d:href></d:current-user-principal>"),
    "/ada/": found("/ada/", "<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>"),
    "/home/": found("/calendar/", calendarProperties),
    "/calendar/": found("/calendar/", calendarProperties)
  }
  const resource = resources[path]
  return resource === undefined ? { status: 404 } : { status: 207, body: multistatus(resource) }
}

const calendarProperties =
  "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname>"

const scope = Effect.runSync(Scope.make())
const caldav = await Effect.runPromise(Scope.provide(scriptedServer(answer), scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

calendarConnectorSuite("CalDAV", connector({}), {
  excludeTestServices: true,
  oauth: null,
  caldav: {
    url: caldav.url,
    username: caldav.username,
    password: Redacted.make(caldav.password),
    calendar: caldav.calendar
  }
})

describe("ProviderConnector", () => {
  it.effect("has CalDAV and the providers with a client, and fails with invalid for the others", () =>
    Effect.gen(function* () {
      const { authorizationUrl, check, exchange, providers } = yield* CalendarConnector
      expect(providers).toEqual(["apple", "outlook"])
      const request = { state: "s", codeChallenge: "c", redirectUri: "https://api.example.com/back" }
      expect(yield* authorizationUrl("outlook", request)).toContain("https://login.microsoftonline.com/common/")
      const grant = { code: Redacted.make("c"), verifier: Redacted.make("v"), redirectUri: request.redirectUri }
      const key = { accountId: AccountId.make(1), provider: "google" } as const
      const failures = yield* Effect.all([
        Effect.flip(authorizationUrl("google", request)),
        Effect.flip(exchange("google", grant)),
        Effect.flip(check(key, null, Redacted.make("")))
      ])
      expect(failures.map(({ reason }) => reason)).toEqual(["invalid", "invalid", "invalid"])
    }).pipe(Effect.provide(connector({ outlook: client })))
  )
})
