import { AccountId } from "@frontdesk/core/access/Account"
import type { CalendarConnection, ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `CalendarConnectionStore`. */
export const calendarConnectionStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: CalendarConnectionStore`, (it) => {
    it.effect("find returns a connection and its credentials exactly as put stored them", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        for (const text of Samples.oddTexts) {
          const given = Samples.newConnection(id, { calendar: text })
          expect(yield* put(given, text)).toEqual(given)
          expect(yield* find(given)).toEqual(Option.some({ connection: given, credentials: text }))
        }
      })
    )

    it.effect("an account has one connection for each provider, separate from those of other accounts", () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const google = yield* put(Samples.newConnection(mine.id), "mine")
        const apple = yield* put(Samples.newConnection(mine.id, { provider: "apple" }), "apple")
        const foreign = yield* put(Samples.newConnection(other.id), "theirs")
        expect(yield* credentialsOf(google)).toBe("mine")
        expect(yield* credentialsOf(apple)).toBe("apple")
        expect(yield* credentialsOf(foreign)).toBe("theirs")
        expect(yield* find({ accountId: other.id, provider: "apple" })).toEqual(Option.none())
      })
    )

    it.effect(
      "put replaces the calendar and the credentials of an existing connection and keeps its creation time",
      () =>
        Effect.gen(function* () {
          const { id } = yield* Samples.makeAccount()
          const first = yield* put(Samples.newConnection(id), "first")
          const next = Samples.newConnection(id, {
            calendar: "work",
            createdAt: Samples.later(5),
            updatedAt: Samples.later(5)
          })
          const replaced = { ...next, createdAt: first.createdAt }
          expect(yield* put(next, "second")).toEqual(replaced)
          expect(yield* find(next)).toEqual(Option.some({ connection: replaced, credentials: "second" }))
        })
    )

    it.effect("list returns one account's connections by provider, and listAll those of all accounts after a key", () =>
      Effect.gen(function* () {
        const store = yield* CalendarConnectionStore
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const made: Array<CalendarConnection> = []
        for (const provider of ["outlook", "apple", "google"] as const) {
          made.push(yield* put(Samples.newConnection(mine.id, { provider }), provider))
        }
        const foreign = yield* put(Samples.newConnection(other.id), "theirs")
        const [outlook, apple, google] = made
        expect(yield* store.list(mine.id)).toEqual([apple, google, outlook])
        expect(yield* store.list(other.id)).toEqual([foreign])
        expect(yield* store.list((yield* Samples.makeAccount()).id)).toEqual([])
        const before = { accountId: AccountId.make(mine.id - 1), provider: "outlook" } as const
        expect(yield* store.listAll(before, 10)).toEqual([apple, google, outlook, foreign])
        expect(yield* store.listAll({ accountId: mine.id, provider: "apple" }, 2)).toEqual([google, outlook])
        expect(yield* store.listAll(null, 1)).toHaveLength(1)
      })
    )

    it.effect("remove deletes one connection and returns whether it existed", () =>
      Effect.gen(function* () {
        const store = yield* CalendarConnectionStore
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const google = yield* put(Samples.newConnection(mine.id), "a")
        const apple = yield* put(Samples.newConnection(mine.id, { provider: "apple" }), "b")
        const foreign = yield* put(Samples.newConnection(other.id), "c")
        expect(yield* store.remove(google)).toBe(true)
        expect(yield* store.remove(google)).toBe(false)
        expect(yield* find(google)).toEqual(Option.none())
        expect(yield* store.list(mine.id)).toEqual([apple])
        expect(yield* store.list(other.id)).toEqual([foreign])
      })
    )

    it.effect(
      "secrets returns stored credentials unchanged, ordered by account and provider, in pages that follow a key",
      () =>
        Effect.gen(function* () {
          const [first, second] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const a = yield* put(Samples.newConnection(first.id, { provider: "outlook" }), "sealed:1:v1:AAAA")
          const b = yield* put(Samples.newConnection(first.id, { provider: "apple" }), "odd ' text")
          const c = yield* put(Samples.newConnection(second.id), "c")
          const rows = [
            { accountId: b.accountId, provider: b.provider, stored: "odd ' text" },
            { accountId: a.accountId, provider: a.provider, stored: "sealed:1:v1:AAAA" },
            { accountId: c.accountId, provider: c.provider, stored: "c" }
          ]
          expect((yield* secretsAfter(null)).filter(({ accountId }) => accountId >= first.id)).toEqual(rows)
          expect(yield* secretsAfter(b, 1)).toEqual(rows.slice(1, 2))
          expect(yield* secretsAfter(b)).toEqual(rows.slice(1))
          // The key need not exist: a page begins after the place where its row would be.
          expect(yield* secretsAfter({ accountId: first.id, provider: "google" })).toEqual(rows.slice(1))
          expect(yield* secretsAfter(c)).toEqual([])
          expect(yield* secretsAfter(null, 1)).toHaveLength(1)
        })
    )

    it.effect("replaceSecret replaces the credentials of one connection only if they equal the expected ones", () =>
      Effect.gen(function* () {
        const store = yield* CalendarConnectionStore
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const google = yield* put(Samples.newConnection(mine.id), "first")
        const apple = yield* put(Samples.newConnection(mine.id, { provider: "apple" }), "first")
        const foreign = yield* put(Samples.newConnection(other.id), "first")
        const replace = (key: ConnectionKey, before: string, after: string) =>
          store.replaceSecret(key, Redacted.make(before), Samples.stored(after))
        expect(yield* replace(google, "never", "second")).toBe(false)
        expect(yield* replace(google, "first", "second")).toBe(true)
        expect(yield* replace(google, "first", "third")).toBe(false)
        expect(yield* replace({ accountId: other.id, provider: "outlook" }, "first", "third")).toBe(false)
        expect(yield* find(google)).toEqual(Option.some({ connection: google, credentials: "second" }))
        expect(yield* credentialsOf(apple)).toBe("first")
        expect(yield* credentialsOf(foreign)).toBe("first")
      })
    )

    it.effect("exactly one of several concurrent replaceSecret calls with the same expected credentials succeeds", () =>
      Effect.gen(function* () {
        const store = yield* CalendarConnectionStore
        const google = yield* put(Samples.newConnection((yield* Samples.makeAccount()).id), "first")
        const done = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => `next ${index}`),
          (after) => store.replaceSecret(google, Redacted.make("first"), Samples.stored(after)),
          { concurrency: "unbounded" }
        )
        expect(done.filter((isDone) => isDone)).toHaveLength(1)
        expect(yield* credentialsOf(google)).toBe(`next ${done.indexOf(true)}`)
      })
    )

    it.effect("concurrent puts of one connection leave the calendar and the credentials of the same put", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => `${index}`),
          (text) => put(Samples.newConnection(id, { calendar: text }), text),
          { concurrency: "unbounded" }
        )
        const stored = Option.getOrThrow(yield* find({ accountId: id, provider: "google" }))
        expect(stored.credentials).toBe(stored.connection.calendar)
      })
    )

    it.effect("put has no effect when its transaction fails", () =>
      Effect.gen(function* () {
        const store = yield* CalendarConnectionStore
        const transaction = yield* Transaction
        const { id } = yield* Samples.makeAccount()
        const google = yield* put(Samples.newConnection(id), "first")
        const writes = Effect.gen(function* () {
          yield* put(Samples.newConnection(id, { provider: "apple" }), "apple")
          yield* put({ ...google, calendar: "other" }, "second")
          return yield* Effect.fail("stop" as const)
        })
        expect(yield* Effect.flip(transaction.run(writes))).toBe("stop")
        expect(yield* store.list(id)).toEqual([google])
        expect(yield* credentialsOf(google)).toBe("first")
      })
    )
  })
}

const put = (connection: CalendarConnection, credentials: string) =>
  Effect.flatMap(CalendarConnectionStore, (store) => store.put(connection, Samples.stored(credentials)))

/** Finds a connection, with its credentials as plain text. */
const find = ({ accountId, provider }: ConnectionKey) =>
  Effect.flatMap(CalendarConnectionStore, (store) =>
    Effect.map(
      store.find({ accountId, provider }),
      Option.map((stored) => ({ ...stored, credentials: Redacted.value(stored.credentials) }))
    )
  )

const credentialsOf = (key: ConnectionKey) => Effect.map(find(key), (stored) => Option.getOrThrow(stored).credentials)

/** Reads a page of stored credentials as plain texts. */
const secretsAfter = (after: ConnectionKey | null, limit = 1_000_000) =>
  Effect.flatMap(CalendarConnectionStore, (store) =>
    Effect.map(store.secrets(after, limit), (rows) =>
      rows.map(({ stored, ...key }) => ({ ...key, stored: Redacted.value(stored) }))
    )
  )
