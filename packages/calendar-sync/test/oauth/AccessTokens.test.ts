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
import type { Asked } from "../fake/FakeServer.ts"
import * as Google from "../fake/Google.ts"
import { registered } from "../fake/OAuthServer.ts"

const setUp = Effect.gen(function* () {
  const fake = yield* Google.start
  const { clientId, clientSecret } = registered
  const provider = yield* GoogleCalendar.make({ clientId, clientSecret: Redacted.make(clientSecret), ...fake.urls })
  const connection = Connections.connection("google", fake.google.oauth.agree())
  return { ...fake, oauth: fake.google.oauth, provider, connection }
}).pipe(Effect.provide(FetchHttpClient.layer))

const keep = () => Effect.succeed(true)
const isToken = ({ url }: Asked) => url.pathname === "/token"
const isEvent = ({ url }: Asked) => url.pathname.includes("/events")

/** Uses the calendar once. */
const use = (provider: RemoteProvider, connection = Connections.connection("google", ""), renewed = keep) =>
  Effect.flatMap(provider.open(connection, renewed), (calendar) => calendar.find(newEvent(), null))

describe("access tokens", () => {
  it.effect("many who need a token at once cause one refresh, and later ones none until shortly before it ends", () =>
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

  it.effect("a token of other credentials is not used", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      yield* use(provider, connection)
      yield* use(provider, Connections.connection("google", oauth.agree()))
      expect(oauth.refreshes).toBe(2)
    })
  )

  it.effect("a renewed refresh token is kept and used from then on", () =>
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

  it.effect("a token that lives for seconds is used for as long as it can be", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      oauth.lifetime = 30
      const calendar = yield* provider.open(connection, keep)
      yield* calendar.find(newEvent(), null)
      yield* TestClock.adjust("10 seconds")
      yield* calendar.find(newEvent(), null)
      expect(oauth.refreshes).toBe(1)
    })
  )

  it.effect("a connection that has other credentials by now is opened anew with those", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      expect(yield* Effect.flip(use(provider, connection, () => Effect.succeed(false)))).toMatchObject({
        reason: "conflict"
      })
      let times = 0
      const racing: RemoteProvider = {
        // Another node is faster, the first time.
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
    "a refresh token that another node has used up meanwhile is no refusal: the connection is opened anew",
    () =>
      Effect.gen(function* () {
        const { connection, oauth, provider, urls } = yield* setUp
        oauth.rotates = true
        const services = yield* Layer.build(Connections.layer(connection))
        const connections = Context.get(services, CalendarConnections)
        const event = newEvent()
        let opened = 0
        // How often the other node's renewal is not seen yet.
        let unseen = 1
        const refused = yield* Queue.unbounded<void>()
        const late = CalendarConnections.of({
          ...connections,
          open: (key) =>
            Effect.suspend(() => {
              if (++opened === 2 && unseen > 1) Queue.offerUnsafe(refused, undefined)
              return opened <= unseen ? Effect.succeed(Option.some(connection)) : connections.open(key)
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
        expect(yield* write(another, late)).toEqual(first)
        // When it opens, when it was refused, and with what is kept then.
        expect(opened).toBe(3)
        opened = 0
        unseen = 2
        const patient = yield* Effect.forkChild(write(another, late))
        yield* Queue.take(refused)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(patient)).toEqual(first)
        expect(opened).toBe(4)
        opened = 0
        unseen = Infinity
        const withdrawn = yield* Effect.forkChild(Effect.flip(write(another, late)))
        yield* Queue.take(refused)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(withdrawn)).toMatchObject({ reason: "unauthorized" })
      })
  )

  it.effect("a token that is refused is renewed once, and the call made once more", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider, server } = yield* setUp
      const calendar = yield* provider.open(connection, keep)
      oauth.expire()
      const busy = calendar.busy(DateTime.makeUnsafe(0), DateTime.makeUnsafe(3_600_000), utc)
      expect(yield* busy).toEqual([])
      expect(oauth.refreshes).toBe(2)
      server.fail({ kind: "answer", reply: Google.problem(401, "authError") })
      server.fail({ kind: "answer", reply: Google.problem(401, "authError") }, (asked) => !isToken(asked))
      expect(yield* Effect.flip(busy)).toMatchObject({ reason: "unauthorized" })
      expect(oauth.refreshes).toBe(3)
    })
  )

  it.effect("several whose token is refused at once cause one refresh", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      const calendar = yield* provider.open(connection, keep)
      oauth.expire()
      const far = 100 * 86_400_000
      yield* calendar.busy(DateTime.makeUnsafe(0), DateTime.makeUnsafe(far), utc)
      expect(oauth.refreshes).toBe(2)
    })
  )

  it.effect("credentials that were renewed are not used a second time by a calendar that is still open", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      const calendar = yield* provider.open(connection, keep)
      oauth.expire()
      expect(yield* Effect.flip(calendar.find(newEvent(), null))).toMatchObject({
        reason: "conflict",
        isRetryable: true
      })
    })
  )

  it.effect("a refresh goes on when nobody waits for it any more, so that what was renewed is kept", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider, server } = yield* setUp
      oauth.rotates = true
      const gate = Promise.withResolvers<void>()
      const arrived = yield* Deferred.make<void>()
      const kept = yield* Deferred.make<Redacted.Redacted<string>>()
      const run = Effect.runForkWith(yield* Effect.context())
      server.fail({ kind: "slow", until: gate.promise }, (asked) => {
        if (isToken(asked)) run(Deferred.succeed(arrived, undefined))
        return isToken(asked)
      })
      const waiting = yield* Effect.forkChild(
        provider.open(connection, (after) => Effect.as(Deferred.succeed(kept, after), true))
      )
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(waiting)
      gate.resolve()
      const after = yield* Deferred.await(kept)
      yield* use(provider, { ...connection, credentials: after })
    })
  )

  it.effect("a store that fails to keep what was renewed fails the opening", () =>
    Effect.gen(function* () {
      const { connection, oauth, provider } = yield* setUp
      oauth.rotates = true
      const broken = new StorageError({ reason: "unavailable", operation: "renew", cause: "down" })
      const opening = provider.open(connection, () => Effect.fail(broken))
      expect(yield* Effect.flip(opening)).toMatchObject({ _tag: "StorageError" })
    })
  )
})

describe("a grant that is refused", () => {
  it.effect.each([
    ["invalid_grant", 400, "unauthorized"],
    ["interaction_required", 400, "unauthorized"],
    ["consent_required", 400, "unauthorized"],
    ["invalid_client", 401, "transport"],
    ["unauthorized_client", 400, "transport"],
    ["temporarily_unavailable", 503, "transport"],
    ["slow_down", 429, "rate_limited"]
  ] as const)("%s (%i) is %s", ([error, status, reason]) =>
    Effect.gen(function* () {
      const { connection, provider, server } = yield* setUp
      server.fail({ kind: "answer", reply: { status, body: { error } } }, isToken)
      expect(yield* Effect.flip(use(provider, connection))).toMatchObject({ reason })
      yield* use(provider, connection)
    })
  )

  it.effect("is unauthorized when the account has withdrawn it (D-EXT-17)", () =>
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
    "credentials of another kind are unauthorized, and not shown: %s",
    (text) =>
      Effect.gen(function* () {
        const { connection, provider, server } = yield* setUp
        const error = yield* Effect.flip(use(provider, { ...connection, credentials: Redacted.make(text) }))
        expect(error).toMatchObject({ reason: "unauthorized" })
        expect(server.asked).toEqual([])
        expect(JSON.stringify(error)).not.toContain("hunter2")
      })
  )

  it.effect("no error shows a secret, also when the server repeats it", () =>
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
      const calendar = yield* provider.open(connection, keep)
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
