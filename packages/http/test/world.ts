import { expect } from "vitest"
import { type Account, AccountId, type AccountRole, type AccountSettings } from "@frontdesk/core/access/Account"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import type { TeamId } from "@frontdesk/core/access/Team"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Money from "@frontdesk/core/values/Money"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import type { HttpOptions } from "@frontdesk/http/HttpOptions"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
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

/** The storages that the API must be the same on. */
export const storages = ["memory", "SQLite", "PostgreSQL"] as const

/** One of the storages. */
export type StorageName = (typeof storages)[number]

/** An empty storage. Everything that is made in it is gone with it. */
const storageLayers: { readonly [Name in StorageName]: StorageLayer<never> } = {
  memory: MemoryStorage.layer,
  SQLite: Layer.orDie(SqliteStorage.layer({ filename: ":memory:" })),
  PostgreSQL: Layer.unwrap(
    Effect.map(TestDatabase.withTables, (url) => PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 4 }))
  ).pipe(Layer.orDie)
}

/** Every service of the core on a storage, with fakes for what is outside. */
export const services = (
  limiter: LayerType<RateLimiter> = RateLimiter.layerUnlimited,
  storage: StorageName | StorageLayer<never> = "memory"
) => {
  const ports = Layer.mergeAll(
    typeof storage === "string" ? storageLayers[storage] : storage,
    Crypto.layerWebCrypto,
    FakeCallProvider.layer,
    FakeWebhookSender.layer,
    FakeCalendarSync.layer,
    Mailer.layerNone
  )
  return Layer.mergeAll(Core.layer, limiter).pipe(Layer.provideMerge(ports), Layer.provideMerge(Logger.layer([])))
}

type Services = Layer.Success<ReturnType<typeof services>>

/** A request: what is left out is a GET without a body. */
export interface Asked {
  readonly method?: string
  /** Sent as JSON; a text or bytes are sent as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer; `json` is `{}` where the body is no JSON object. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, Schema.Json>>
}

const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

const jsonOf = (text: string): Answered["json"] => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body)

/** Sends a request to where it is answered: a web handler, or `fetch` with an address. */
export const ask = async (
  send: (request: Request) => Promise<Response>,
  base: string,
  path: string,
  { body, headers, method = "GET" }: Asked
): Promise<Answered> => {
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

/** Creates an account with a key of this value that has every permission. */
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

/** A tenant, and how it asks. */
export interface Caller {
  readonly account: Account
  readonly key: string
  readonly get: (path: string, headers?: Asked["headers"]) => Promise<Answered>
  readonly post: (path: string, body?: unknown, headers?: Asked["headers"]) => Promise<Answered>
  readonly put: (path: string, body?: unknown) => Promise<Answered>
  readonly patch: (path: string, body?: unknown) => Promise<Answered>
  readonly delete: (path: string) => Promise<Answered>
  readonly ask: (path: string, asked: Asked) => Promise<Answered>
}

let keys = 0

/** The API over a storage, an empty one when it is named, without a network. */
export const makeWorld = async (
  storage: StorageName | StorageLayer<never> = "memory",
  options: HttpOptions = {},
  limiter?: LayerType<RateLimiter>
) => {
  const runtime = ManagedRuntime.make(services(limiter, storage))
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
    const asking = (path: string, asked: Asked) =>
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
      patch: (path, body) => asking(path, { method: "PATCH", body }),
      delete: (path) => asking(path, { method: "DELETE" })
    }
  }

  return {
    app,
    run,
    send,
    caller,
    /** Asks without a key. */
    ask: (path: string, asked: Asked = {}) => ask(send, "http://localhost", path, asked),
    close: () => runtime.dispose()
  }
}

/** The API over a storage. */
export type World = Awaited<ReturnType<typeof makeWorld>>

/** A value of an answer that is a text or a number, as text; "" for any other. */
export const textOf = (value: Schema.Json | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""

const isRows = Schema.is(Schema.Array(Schema.Record(Schema.String, Schema.Json)))

/** The rows of a list that an answer holds under this name. */
export const rowsOf = ({ json }: Answered, name: string): ReadonlyArray<Answered["json"]> => {
  const rows: unknown = json[name]
  return isRows(rows) ? rows : []
}

/** The database id of what was made or shown. */
export const idOf = ({ json }: Answered): number => Number(json["id"])

/** Any number. */
export const aNumber: unknown = expect.any(Number)

/** Any text. */
export const aText: unknown = expect.any(String)

/** An instant as answers show it (D-HTTP-14). */
export const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** A text of this form. */
export const like = (form: RegExp): unknown => expect.stringMatching(form)

/** What an error answer looks like. */
export const refusal = (code: string, ...fields: ReadonlyArray<string>) => ({
  error: code,
  message: aText,
  ...(fields.length === 0 ? {} : { details: fields.map((field): unknown => expect.objectContaining({ field })) })
})

/** An event from nine to ten on a Monday. */
export const event = { title: "Demo", start_time: "2026-03-09T09:00:00Z", end_time: "2026-03-09T10:00:00Z" }
