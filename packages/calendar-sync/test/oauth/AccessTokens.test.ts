import { expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { utc } from "@frontdesk/core/values/TimeZone"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { GoogleCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import type { RemoteProvider } from "../../src/RemoteCalendar.ts"
import * as Accounts from "../fake/Accounts.ts"
import * as Connections from "../fake/Connections.ts"
import { newEvent } from "../fake/Events.ts"
import type { ReceivedRequest } from "../fake/FakeServer.ts"
import * as Google from "../fake/Google.ts"
import { registered } from "../fake/OAuthServer.ts"

const setUp = Effect.gen(function* () {
  const fake = yield* Google.start
  const { clientId, clientSecret } = registered
  const provider = yield* GoogleCalendar.make({ clientId, clientSecret: Redacted.make(clientSecret), ...fake.urls })
  const connection = Connections.connection("google", fake.google.oauth.agree())
  return { ...fake, oauth: fake.google.oauth, provider, connection }
}).pipe(Effect.provide(FetchHttpClient.layer))

const stored = () => Effect.succeed(true)
const isToken = ({ url }: ReceivedRequest) => url.pathname === "/token"
const isEvent = ({ url }: ReceivedRequest) => url.pathname.includes("/events")

/** Opens the calendar of a connection and reads it once. */
const use = (provider: RemoteProvider, connection = Connections.connection("google", ""), renewed = stored) =>
  Effect.flatMap(provider.open(connection, renewed), (calendar) => calendar.find(newEvent(), null))

describe("access tokens", () => {
  it.effect(
    "simultaneous requests cause one refresh, and a request in the last minute of the token causes the next",
    () =>
      Effect.gen(function* () {
        const { connection, oauth, provider } = yield* setUp
        yield* Effect.all(
          Array.from({ length: 20 }, () => use(provider, connection)),
          { concurrency: "unbounded" }
        )
        expect(oauth.refreshes).toBe(1)
        yield* TestClock.adjust("58 minutes")
        yield* use(provider, connection)
        expect(oauth.refreshes).toBe(1)
        yield* TestClock.adjust("61 seconds")
        yield* use(provider, connection)
        expect(oauth.refreshes).toBe(2)
      })
  )

  it.effect("a connection with other credentials gets a token of its own", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      yield* use(provider, connection)
      yield* use(provider, Connections.connection("google", oauth.agree()))
      expect(oauth.refreshes).toBe(2)
    })
  )

  it.effect("a renewed refresh token is stored and used for the next refresh", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      const sync = ExternalCalendars.layer({ google: provider })
      const read = Effect.flatMap(CalendarSync, ({ busy }) =>
        busy("google", Connections.connected, DateTime.makeUnsafe(0), DateTime.makeUnsafe(3_600_000))
      )
      yield* Effect.gen(function* () {
        for (let hour = 0; hour < 3; hour++) {
          yield* read
          yield* read
          yield* TestClock.adjust("1 hour")
        }
      }).pipe(Effect.provide(sync.pipe(Layer.provide(Connections.layer(connection)))))
      expect(oauth.refreshes).toBe(3)
    })
  )

  it.effect("a token with a lifetime of 30 seconds is used for half of it", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      oauth.lifetime = 30
      const calendar = yield* provider.open(connection, stored)
      yield* calendar.find(newEvent(), null)
      yield* TestClock.adjust("14 seconds")
      yield* calendar.find(newEvent(), null)
      expect(oauth.refreshes).toBe(1)
      yield* TestClock.adjust("1 second")
      // The refresh token was used up, so the calendar has to be opened again.
      expect(yield* Effect.flip(calendar.find(newEvent(), null))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("a connection whose credentials were replaced is opened again with the new ones", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      expect(yield* Effect.flip(use(provider, connection, () => Effect.succeed(false)))).toMatchObject({
        reason: "conflict"
      })
      let times = 0
      const racing: RemoteProvider = {
        // The first time, another node has already replaced the credentials.
        open: () => provider.open(Connections.connection("google", oauth.agree()), () => Effect.succeed(++times > 1))
      }
      const check = Effect.flatMap(CalendarSync, (sync) => sync.check("google", Connections.connected))
      const sync = ExternalCalendars.layer({ google: racing })
      const found = yield* Effect.provide(check, Layer.provide(sync, Connections.layer(connection)))
      expect(found).toMatchObject({ isUsable: true })
      expect(times).toBe(2)
    })
  )

  it.effect(
    "a refused refresh token leads to a new try if another node has replaced it, and to unauthorized otherwise",
    () =>
      Effect.gen(function* () {
        const { connection, oauth, provider, urls } = yield* setUp
        oauth.rotates = true
        const services = yield* Layer.build(Connections.layer(connection))
        const connections = Context.get(services, CalendarConnections)
        const event = newEvent()
        let reads = 0
        // How many reads still return the old credentials, because the other node has not stored the new ones yet.
        let staleReads = 1
        const secondRead = yield* Queue.unbounded<void>()
        const stale = CalendarConnections.of({
          ...connections,
          open: (key) =>
            Effect.suspend(() => {
              if (++reads === 2 && staleReads > 1) Queue.offerUnsafe(secondRead, undefined)
              return reads <= staleReads ? Effect.succeed(Option.some(connection)) : connections.open(key)
            })
        })
        const { clientId, clientSecret } = registered
        const another = yield* GoogleCalendar.make({
          clientId,
          clientSecret: Redacted.make(clientSecret),
          ...urls
        }).pipe(Effect.provide(FetchHttpClient.layer))
        const write = (google: RemoteProvider, connections: CalendarConnections["Service"]) =>
          Effect.flatMap(CalendarSync, (sync) => sync.write("google", event)).pipe(
            Effect.provide(Layer.provide(ExternalCalendars.layer({ google }), Accounts.layer())),
            Effect.provideService(CalendarConnections, connections)
          )
        const first = yield* write(provider, connections)
        expect(yield* write(another, stale)).toEqual(first)
        // The connection is read at first, after the refusal, and to open it again.
        expect(reads).toBe(3)
        reads = 0
        staleReads = 2
        const waiting = yield* Effect.forkChild(write(another, stale))
        yield* Queue.take(secondRead)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(waiting)).toEqual(first)
        // One more read: the read right after the refusal still returns the old credentials.
        expect(reads).toBe(4)
        reads = 0
        staleReads = Infinity
        const withdrawn = yield* Effect.forkChild(Effect.flip(write(another, stale)))
        yield* Queue.take(secondRead)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(withdrawn)).toMatchObject({ reason: "unauthorized" })
      })
  )

  it.effect(
    "a request whose token is rejected is sent once more with a new token, and a second rejection fails with unauthorized",
    () =>
      Effect.gen(function* () {
        const { connection, oauth, provider, server } = yield* setUp
        const calendar = yield* provider.open(connection, stored)
        oauth.revokeAccessTokens()
        const busy = calendar.busy(DateTime.makeUnsafe(0), DateTime.makeUnsafe(3_600_000), utc)
        expect(yield* busy).toEqual([])
        expect(oauth.refreshes).toBe(2)
        server.fail({ kind: "answer", reply: Google.problem(401, "authError") })
        server.fail({ kind: "answer", reply: Google.problem(401, "authError") }, (request) => !isToken(request))
        expect(yield* Effect.flip(busy)).toMatchObject({ reason: "unauthorized" })
        expect(oauth.refreshes).toBe(3)
      })
  )

  it.effect("simultaneous requests whose token is rejected cause one refresh", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      const calendar = yield* provider.open(connection, stored)
      oauth.revokeAccessTokens()
      // A range of 100 days is read in four simultaneous requests.
      const far = 100 * 86_400_000
      yield* calendar.busy(DateTime.makeUnsafe(0), DateTime.makeUnsafe(far), utc)
      expect(oauth.refreshes).toBe(2)
    })
  )

  it.effect("a calendar that is still open fails with a conflict instead of sending a used refresh token again", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      const calendar = yield* provider.open(connection, stored)
      oauth.revokeAccessTokens()
      expect(yield* Effect.flip(calendar.find(newEvent(), null))).toMatchObject({
        reason: "conflict",
        isRetryable: true
      })
    })
  )

  it.effect("a refresh continues after its only request was interrupted, so that the renewed token is stored", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider, server } = yield* setUp
      oauth.rotates = true
      const gate = Promise.withResolvers<void>()
      const arrived = yield* Deferred.make<void>()
      const renewed = yield* Deferred.make<Redacted.Redacted<string>>()
      const run = Effect.runForkWith(yield* Effect.context())
      server.fail({ kind: "slow", until: gate.promise }, (request) => {
        if (isToken(request)) run(Deferred.succeed(arrived, undefined))
        return isToken(request)
      })
      const waiting = yield* Effect.forkChild(
        provider.open(connection, (after) => Effect.as(Deferred.succeed(renewed, after), true))
      )
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(waiting)
      gate.resolve()
      const after = yield* Deferred.await(renewed)
      yield* use(provider, { ...connection, credentials: after })
    })
  )

  it.effect("opening a calendar fails when the renewed credentials cannot be stored", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      const broken = new StorageError({ reason: "unavailable", operation: "renew", cause: "down" })
      const opening = provider.open(connection, () => Effect.fail(broken))
      expect(yield* Effect.flip(opening)).toMatchObject({ _tag: "StorageError" })
    })
  )
})

describe("a refused grant", () => {
  it.effect.each([
    ["invalid_grant", 400, "unauthorized"],
    ["interaction_required", 400, "unauthorized"],
    ["consent_required", 400, "unauthorized"],
    ["invalid_client", 401, "transport"],
    ["unauthorized_client", 400, "transport"],
    ["temporarily_unavailable", 503, "transport"],
    ["slow_down", 429, "rate_limited"]
  ] as const)(
    "the error %s with status %i has the reason %s, and the next request succeeds",
    ([error, status, reason]) =>
      Effect.gen(function* () {
        const { connection, provider, server } = yield* setUp
        server.fail({ kind: "answer", reply: { status, body: { error } } }, isToken)
        expect(yield* Effect.flip(use(provider, connection))).toMatchObject({ reason })
        yield* use(provider, connection)
      })
  )

  it.effect("a withdrawn grant fails with unauthorized (D-EXT-17)", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      yield* use(provider, connection)
      oauth.withdraw()
      expect(yield* Effect.flip(use(provider, connection))).toMatchObject({
        reason: "unauthorized",
        isRetryable: false
      })
    })
  )

  it.effect.each(["", "null", "{}", '{"refreshToken":""}', '{"password":"hunter2"}', "hunter2"])(
    "credentials of another kind fail with unauthorized, and the error does not quote them: %s",
    (text) =>
      Effect.gen(function* () {
        const { connection, provider, server } = yield* setUp
        const error = yield* Effect.flip(use(provider, { ...connection, credentials: Redacted.make(text) }))
        expect(error).toMatchObject({ reason: "unauthorized" })
        expect(server.requests).toEqual([])
        expect(JSON.stringify(error)).not.toContain("hunter2")
      })
  )

  it.effect("no error contains a secret, even if the server quotes it", () =>
    Effect.gen(function* () {
      const { connection, provider, server } = yield* setUp
      const refreshToken = /refresh-[\w-]+/.exec(Redacted.value(connection.credentials))?.[0] ?? ""
      const secrets = [refreshToken, registered.clientSecret]
      const body = { error: "invalid_grant", error_description: `${secrets.join(" ")} is bad`, trace: secrets }
      const errors: Array<unknown> = []
      for (const status of [400, 500]) {
        server.fail({ kind: "answer", reply: { status, body } }, isToken)
        errors.push(yield* Effect.flip(use(provider, connection)))
      }
      for (const text of [secrets.join(" "), `{"access_token":1,"refresh_token":${JSON.stringify(refreshToken)}}`]) {
        server.fail({ kind: "garbled", body: text }, isToken)
        errors.push(yield* Effect.flip(use(provider, connection)))
      }
      const calendar = yield* provider.open(connection, stored)
      server.fail({ kind: "answer", reply: { status: 500, body: { sent: "" } } }, isEvent)
      errors.push(yield* Effect.flip(calendar.find(newEvent(), null)))
      expect(errors).toHaveLength(5)
      for (const error of errors) {
        const text = `${JSON.stringify(error)} ${String(error)}`
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    })
  )
})
