import { describe, expect, it } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeAccount, stored } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { box, newKey, oldKey } from "../delivery/sealing.ts"

const withKeys = (...keys: ReadonlyArray<string>) =>
  Effect.provide(Layer.fresh(CalendarConnections.layer).pipe(Layer.provide(box(...keys))))

const google = (accountId: AccountId): ConnectionKey => ({ accountId, provider: "google" })

const connect = (key: ConnectionKey, credentials: string, calendar = "primary") =>
  Effect.flatMap(CalendarConnections, (connections) => connections.connect(key, calendar, Redacted.make(credentials)))

const open = (key: ConnectionKey) =>
  Effect.flatMap(CalendarConnections, (connections) =>
    Effect.map(
      connections.open(key),
      Option.map(({ connection, credentials }) => [connection.calendar, Redacted.value(credentials)])
    )
  )

const renew = (key: ConnectionKey, before: string, after: string) =>
  Effect.flatMap(CalendarConnections, (connections) =>
    connections.renew(key, Redacted.make(before), Redacted.make(after))
  )

const storedOf = (key: ConnectionKey) =>
  Effect.flatMap(CalendarConnectionStore, (store) =>
    Effect.map(store.find(key), (found) => Redacted.value(Option.getOrThrow(found).credentials))
  )

describe("CalendarConnections", () => {
  it.effect("open returns the credentials of connect, which are stored sealed", () =>
    Effect.gen(function* () {
      const key = google((yield* makeAccount()).id)
      expect(yield* open(key)).toEqual(Option.none())
      yield* connect(key, "refresh-token")
      expect(yield* open(key)).toEqual(Option.some(["primary", "refresh-token"]))
      expect(yield* storedOf(key)).toMatch(/^sealed:1:old:/)
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("open fails for credentials that were copied from another account or provider", () =>
    Effect.gen(function* () {
      const store = yield* CalendarConnectionStore
      const [mine, other] = [yield* makeAccount(), yield* makeAccount()]
      yield* connect(google(mine.id), "secret")
      const { credentials } = Option.getOrThrow(yield* store.find(google(mine.id)))
      for (const key of [google(other.id), { accountId: mine.id, provider: "outlook" }] as const) {
        yield* connect(key, "own")
        const own = Option.getOrThrow(yield* store.find(key))
        yield* store.replaceSecret(key, own.credentials, stored(Redacted.value(credentials)))
        expect(yield* Effect.flip(open(key))).toMatchObject({
          reason: "corrupt",
          operation: "CalendarConnections.open"
        })
      }
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("open fails, and reveals nothing, when the keyring lacks the key of the credentials", () =>
    Effect.gen(function* () {
      const key = google((yield* makeAccount()).id)
      yield* connect(key, "the secret itself").pipe(withKeys(oldKey))
      const failed = yield* Effect.flip(open(key).pipe(withKeys(newKey)))
      expect(failed).toMatchObject({ reason: "corrupt" })
      expect(JSON.stringify(failed)).not.toContain("secret itself")
      expect(yield* open(key).pipe(withKeys(newKey, oldKey))).toEqual(Option.some(["primary", "the secret itself"]))
    }).pipe(Effect.provide(MemoryStorage.layer))
  )

  it.effect("a second connect replaces calendar and credentials, and keeps createdAt", () =>
    Effect.gen(function* () {
      const key = google((yield* makeAccount()).id)
      const first = yield* connect(key, "a", "one")
      yield* TestClock.adjust("1 hour")
      const second = yield* connect(key, "b", "two")
      expect(second).toEqual({ ...first, calendar: "two", updatedAt: DateTime.add(first.createdAt, { hours: 1 }) })
      expect(yield* open(key)).toEqual(Option.some(["two", "b"]))
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("renew stores the new credentials sealed, and does not change the connection", () =>
    Effect.gen(function* () {
      const connections = yield* CalendarConnections
      const key = google((yield* makeAccount()).id)
      const connection = yield* connect(key, "first")
      yield* TestClock.adjust("1 hour")
      expect(yield* renew(key, "first", "second")).toBe(true)
      expect(yield* open(key)).toEqual(Option.some(["primary", "second"]))
      expect(yield* storedOf(key)).toMatch(/^sealed:1:old:/)
      expect(yield* connections.list(key.accountId)).toEqual([connection])
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("renew returns false and stores nothing when the stored credentials are newer", () =>
    Effect.gen(function* () {
      const key = google((yield* makeAccount()).id)
      yield* connect(key, "first")
      yield* connect(key, "second")
      expect(yield* renew(key, "first", "renewed from the first")).toBe(false)
      expect(yield* open(key)).toEqual(Option.some(["primary", "second"]))
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("only one of several concurrent renewals of the same credentials succeeds", () =>
    Effect.gen(function* () {
      const key = google((yield* makeAccount()).id)
      yield* connect(key, "first")
      const texts = Array.from({ length: 8 }, (_, index) => `renewed ${index}`)
      const done = yield* Effect.forEach(texts, (text) => renew(key, "first", text), { concurrency: "unbounded" })
      expect(done.filter((isDone) => isDone)).toHaveLength(1)
      expect(yield* open(key)).toEqual(Option.some(["primary", texts[done.indexOf(true)]]))
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )

  it.effect("renew returns false and stores nothing after disconnect", () =>
    Effect.gen(function* () {
      const connections = yield* CalendarConnections
      const key = google((yield* makeAccount()).id)
      yield* connect(key, "first")
      expect(yield* connections.disconnect(key)).toBe(true)
      expect(yield* connections.disconnect(key)).toBe(false)
      expect(yield* renew(key, "first", "second")).toBe(false)
      expect(yield* open(key)).toEqual(Option.none())
      expect(yield* connections.list(null)).toEqual([])
    }).pipe(withKeys(oldKey), Effect.provide(MemoryStorage.layer))
  )
})
