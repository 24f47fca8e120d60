import { expect } from "vitest"
import { type Account, AccountId, type AccountRole, type AccountSettings } from "@frontdesk/core/access/Account"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import type { TeamId } from "@frontdesk/core/access/Team"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import {
  type CalendarAuthorizationSite,
  CurrentCalendarAuthorizationSite
} from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Money from "@frontdesk/core/values/Money"
import * as AuthorizationSite from "@frontdesk/http/provider/AuthorizationSite"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import type { HttpOptions } from "@frontdesk/http/HttpOptions"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import type { StorageLayer } from "@frontdesk/testing/suite/Storage"
import type { Layer as LayerType } from "effect/Layer"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The names of the storages. The API behaves in the same way on each of them. */
export const storages = ["memory", "SQLite", "PostgreSQL"] as const

/** The name of a storage. */
export type StorageName = (typeof storages)[number]

/** Layers with an empty storage each, which is deleted with the layer. */
export const storageLayers: { readonly [Name in StorageName]: StorageLayer<never> } = {
  memory: MemoryStorage.layer,
  SQLite: Layer.orDie(SqliteStorage.layer({ filename: ":memory:" })),
  PostgreSQL: Layer.unwrap(
    Effect.map(TestDatabase.withTables, (url) => PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 4 }))
  ).pipe(Layer.orDie)
}

/** Where a browser returns after a person has granted access to a calendar. */
const site = AuthorizationSite.at(new URL("https://api.example.com"), ["https://app.example.com"])

/** Returns every service of core on a storage, with fakes for external systems. */
export const services = (
  limiter: LayerType<RateLimiter> = RateLimiter.layerUnlimited,
  storage: StorageName | StorageLayer<never> = "memory",
  crypto: LayerType<Crypto> = Crypto.layerWebCrypto,
  at: CalendarAuthorizationSite | null = site
) => {
  const ports = Layer.mergeAll(
    typeof storage === "string" ? storageLayers[storage] : storage,
    crypto,
    FakeCallProvider.layer,
    FakeWebhookSender.layer,
    FakeCalendarSync.layer,
    FakeCalendarConnector.layer,
    Mailer.layerNone
  )
  return Layer.mergeAll(Core.layer, limiter).pipe(
    Layer.provideMerge(ports),
    Layer.provideMerge(Logger.layer([])),
    Layer.provideMerge(Layer.succeed(CurrentCalendarAuthorizationSite, at))
  )
}

type Services = Layer.Success<ReturnType<typeof services>>

/** The parts of a request. Default: a GET without a body. */
export interface RequestOptions {
  readonly method?: string
  /** Is sent as JSON. A text or bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer. `json` is `{}` when the body is not a JSON object. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, Schema.Json>>
}

const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

const jsonOf = (text: string): TestAnswer["json"] => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body)

/** Sends a request to a web handler, or with `fetch` to a server at `base`, and returns the answer. */
export const ask = async (
  send: (request: Request) => Promise<Response>,
  base: string,
  path: string,
  { body, headers, method = "GET" }: RequestOptions
): Promise<TestAnswer> => {
  const response = await send(
    new Request(base + path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: bodyOf(body) })
    })
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
}

/** Creates an account and a key with this value and every permission. */
export const accountWithKey = Effect.fnUntraced(function* (key: string) {
  const { id } = yield* (yield* Accounts).create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  yield* (yield* ApiKeys).create({
    accountId: id,
    name: "test",
    permissions: Permission.all,
    value: Redacted.make(key)
  })
})

/** An account with a key, and functions that send requests with the key. */
export interface Caller {
  readonly account: Account
  readonly key: string
  readonly get: (path: string, headers?: RequestOptions["headers"]) => Promise<TestAnswer>
  readonly post: (path: string, body?: unknown, headers?: RequestOptions["headers"]) => Promise<TestAnswer>
  readonly put: (path: string, body?: unknown) => Promise<TestAnswer>
  readonly patch: (path: string, body?: unknown, headers?: RequestOptions["headers"]) => Promise<TestAnswer>
  readonly delete: (path: string) => Promise<TestAnswer>
  readonly ask: (path: string, asked: RequestOptions) => Promise<TestAnswer>
}

let keys = 0

/** Makes the API in memory, without a network, on an empty storage of a name or on the given storage. */
export const makeTestApi = async (
  storage: StorageName | StorageLayer<never> = "memory",
  options: HttpOptions = {},
  limiter?: LayerType<RateLimiter>,
  at?: CalendarAuthorizationSite | null
) => {
  const runtime = ManagedRuntime.make(services(limiter, storage, undefined, at))
  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => runtime.runPromise(effect)
  const app = await run(FrontdeskHttp.make(options))
  const handler = HttpEffect.toWebHandlerWith<Services, HttpServerRequest>(await runtime.context())(app)
  const send = (request: Request) => handler(request)

  const caller = async (
    given: {
      readonly settings?: Partial<AccountSettings>
      readonly permissions?: ReadonlyArray<Permission.Permission>
      readonly role?: AccountRole
      readonly partnerId?: number
      readonly teamIds?: ReadonlyArray<TeamId>
      readonly balance?: number
      readonly account?: Account
    } = {}
  ): Promise<Caller> => {
    keys += 1
    const key = `fd_test_key_number_${keys}_${"x".repeat(24)}`
    const account = await run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const account =
          given.account ??
          (yield* accounts.create({
            name: "Acme",
            role: given.role ?? "standard",
            partnerId: given.partnerId === undefined ? null : AccountId.make(given.partnerId),
            teamIds: given.teamIds ?? [],
            settings: { ...defaultSettings, ...given.settings }
          }))
        yield* accounts.deposit(account.id, Money.Money.make((given.balance ?? 0) * Money.scale))
        yield* (yield* ApiKeys).create({
          accountId: account.id,
          name: "test",
          permissions: given.permissions ?? Permission.all,
          value: Redacted.make(key)
        })
        return account
      })
    )
    const asking = (path: string, asked: RequestOptions) =>
      ask(send, "http://localhost", path, {
        ...asked,
        headers: { authorization: `Bearer ${key}`, ...asked.headers }
      })
    return {
      account,
      key,
      ask: asking,
      get: (path, headers = {}) => asking(path, { headers }),
      post: (path, body, headers = {}) => asking(path, { method: "POST", body, headers }),
      put: (path, body) => asking(path, { method: "PUT", body }),
      patch: (path, body, headers = {}) => asking(path, { method: "PATCH", body, headers }),
      delete: (path) => asking(path, { method: "DELETE" })
    }
  }

  return {
    app,
    run,
    send,
    caller,
    /** Sends a request without a key. */
    ask: (path: string, asked: RequestOptions = {}) => ask(send, "http://localhost", path, asked),
    close: () => runtime.dispose()
  }
}

/** The API on a storage, with functions to create accounts and to send requests. */
export type TestApi = Awaited<ReturnType<typeof makeTestApi>>

/** Returns a text or a number of an answer as a text, and "" for any other value. */
export const textOf = (value: Schema.Json | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""

const isRows = Schema.is(Schema.Array(Schema.Record(Schema.String, Schema.Json)))

/** Returns the records of the list in a field of an answer. */
export const rowsOf = ({ json }: TestAnswer, name: string): ReadonlyArray<TestAnswer["json"]> => {
  const rows: unknown = json[name]
  return isRows(rows) ? rows : []
}

/** Returns the database id in an answer. */
export const idOf = ({ json }: TestAnswer): number => Number(json["id"])

/** Matches any number. */
export const aNumber: unknown = expect.any(Number)

/** Matches any text. */
export const aText: unknown = expect.any(String)

/** Matches an instant in the form of answers (D-HTTP-14). */
export const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Returns a matcher for a text of this form. */
export const like = (form: RegExp): unknown => expect.stringMatching(form)

/** Returns a matcher for the body of an error with a code and, in `details`, the given fields. */
export const refusal = (code: string, ...fields: ReadonlyArray<string>) => ({
  error: code,
  message: aText,
  ...(fields.length === 0 ? {} : { details: fields.map((field): unknown => expect.objectContaining({ field })) })
})

/** The body of a calendar event from nine to ten on a Monday. */
export const event = { title: "Demo", start_time: "2026-03-09T09:00:00Z", end_time: "2026-03-09T10:00:00Z" }
