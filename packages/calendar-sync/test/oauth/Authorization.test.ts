import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { describe } from "vitest"
import { Authorization, GoogleCalendar, OutlookCalendar } from "@frontdesk/calendar-sync"
import { send } from "../../src/request/Exchange.ts"
import * as Connections from "../fake/Connections.ts"
import { newEvent } from "../fake/Events.ts"
import * as Google from "../fake/Google.ts"
import { registered } from "../fake/OAuthServer.ts"

const { clientId, redirectUri } = registered
const clientSecret = Redacted.make(registered.clientSecret)

const setUp = Effect.gen(function* () {
  const fake = yield* Google.start
  const options = { clientId, clientSecret, ...fake.urls }
  const client = GoogleCalendar.client(options)
  const begun = yield* Authorization.begin(client, redirectUri)
  /** The URL to which the provider sends the browser after the consent. */
  const visit = Effect.map(send(HttpClientRequest.get(begun.url)), ({ headers }) => headers["location"] ?? "")
  return { ...fake, oauth: fake.google.oauth, options, client, begun, visit }
})

describe("an authorization", () => {
  it.effect("an authorization leads to credentials with which the calendar can be read", () =>
    Effect.gen(function* () {
      const { begun, client, options, visit } = yield* setUp
      const code = yield* Authorization.codeOf(begun, yield* visit)
      const credentials = yield* Authorization.exchange(client, begun, code)
      const provider = yield* GoogleCalendar.make(options)
      const connection = { ...Connections.connection("google", ""), credentials }
      const calendar = yield* provider.open(connection, () => Effect.succeed(true))
      expect(yield* calendar.find(newEvent(), null)).toMatchObject({ _tag: "None" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("an authorization requests offline access to calendars, and no other scopes (D-EXT-12)", () =>
    Effect.gen(function* () {
      const google = yield* Authorization.begin(GoogleCalendar.client({ clientId, clientSecret }), redirectUri)
      const url = new URL(google.url)
      expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth")
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        access_type: "offline",
        prompt: "consent",
        scope: ["calendar.events", "calendar.freebusy", "calendar.calendars.readonly"]
          .map((scope) => `https://www.googleapis.com/auth/${scope}`)
          .join(" "),
        code_challenge_method: "S256",
        state: google.state
      })
      expect(google.url).not.toContain(Redacted.value(google.verifier))
      const outlook = yield* Authorization.begin(
        OutlookCalendar.client({ clientId, clientSecret, tenant: "organizations" }),
        redirectUri
      )
      const other = new URL(outlook.url)
      expect(other.origin + other.pathname).toBe(
        "https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize"
      )
      expect(other.searchParams.get("scope")).toBe(
        "offline_access https://graph.microsoft.com/Calendars.ReadWrite https://graph.microsoft.com/MailboxSettings.Read"
      )
      expect(outlook.state).not.toBe(google.state)
    })
  )

  it.effect("reading the code fails for an invalid URL, a URL of another authorization, and a URL of a refusal", () =>
    Effect.gen(function* () {
      const { begun } = yield* setUp
      const visited = [
        "",
        "nonsense",
        `${redirectUri}?code=1`,
        `${redirectUri}?code=1&state=other`,
        `${redirectUri}?error=access_denied&state=${begun.state}`,
        `${redirectUri}?state=${begun.state}`
      ]
      for (const url of visited) {
        expect(yield* Effect.flip(Authorization.codeOf(begun, url))).toMatchObject({ reason: "unauthorized" })
      }
    })
  )

  it.effect("a code fails with another authorization, and is used up by this attempt", () =>
    Effect.gen(function* () {
      const { begun, client, visit } = yield* setUp
      const code = yield* Authorization.codeOf(begun, yield* visit)
      const another = yield* Authorization.begin(client, redirectUri)
      expect(yield* Effect.flip(Authorization.exchange(client, another, code))).toMatchObject({
        reason: "unauthorized"
      })
      expect(yield* Effect.flip(Authorization.exchange(client, begun, code))).toMatchObject({ reason: "unauthorized" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect.each([
    ["https://www.googleapis.com/auth/calendar.events", /missing: .*calendar\.freebusy/],
    ["", /missing: .*calendar\.events .*calendar\.freebusy/]
  ] as const)("an authorization granted in part fails and names the missing scopes: granted %j", ([granted, missing]) =>
    Effect.gen(function* () {
      const { begun, client, oauth, visit } = yield* setUp
      oauth.granted = granted
      const code = yield* Authorization.codeOf(begun, yield* visit)
      const error = yield* Effect.flip(Authorization.exchange(client, begun, code))
      expect(error).toMatchObject({ reason: "unauthorized" })
      expect(String(error.cause)).toMatch(missing)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("scopes of Microsoft are recognized in each spelling, and offline access may be missing", () =>
    Effect.gen(function* () {
      const { begun, client, oauth, visit } = yield* setUp
      const { scopes } = OutlookCalendar.client({ clientId, clientSecret })
      oauth.granted = "Calendars.ReadWrite https://graph.microsoft.com/mailboxsettings.read profile"
      const code = yield* Authorization.codeOf(begun, yield* visit)
      yield* Authorization.exchange({ ...client, scopes }, begun, code)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("an exchange without a refresh token in the answer fails with unauthorized", () =>
    Effect.gen(function* () {
      const { begun, client, server, visit } = yield* setUp
      const code = yield* Authorization.codeOf(begun, yield* visit)
      const body = { access_token: "a", expires_in: 3_600 }
      server.fail({ kind: "answer", reply: { status: 200, body } })
      expect(yield* Effect.flip(Authorization.exchange(client, begun, code))).toMatchObject({ reason: "unauthorized" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
