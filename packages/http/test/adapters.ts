import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Money from "@frontdesk/core/values/Money"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import type { HttpOptions } from "@frontdesk/http/HttpOptions"
import * as Seeded from "@frontdesk/testing/Seeded"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as http from "node:http"
import { describe, expect, it } from "vitest"
import { absent, operations, requests } from "./operationRequests.ts"
import type { Kind, Target } from "./operations/OperationRequest.ts"
import { services, textOf } from "./testApi.ts"

const fullKey = "fd_test_adapters_0123456789abcdefghijklmnopqr"
const weakKey = "fd_test_adapters_abcdefghijklmnopqr0123456789"

const options: HttpOptions = {
  // A web handler does not know the connection, so the address of the client is that of a header.
  trustedProxies: 1,
  maxBodySize: 4_000,
  corsOrigins: ["https://app.example.com"],
  extra: [{ method: "GET", path: "/health", handler: Effect.succeed(HttpServerResponse.text("ok")) }]
}

/** Crypto whose random values are the same sequence in each installation. */
const seededCrypto = Layer.effect(
  Crypto,
  Effect.map(Crypto, (crypto) => {
    const random = Seeded.numbers(7)
    const bytes = (size: number) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256))
    const uuid = (version: number): string => {
      const digits = Buffer.from(bytes(16)).toString("hex")
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${version}${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
    }
    return Crypto.of({
      ...crypto,
      randomBytes: (size) => Effect.sync(() => bytes(size)),
      uuid: Effect.sync(() => uuid(4)),
      uuidV7: Effect.sync(() => uuid(7))
    })
  })
).pipe(Layer.provide(Crypto.layerWebCrypto))

/** A clock whose wall clock stands still, so that both installations store the same times. */
const stillClock = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (clock): Clock.Clock => {
    const millis = DateTime.toEpochMillis(Samples.now)
    const nanos = BigInt(millis) * 1_000_000n
    return {
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => nanos,
      currentTimeNanos: Effect.succeed(nanos),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos
    }
  })
)

const setUp = Effect.gen(function* () {
  const team = yield* (yield* TeamStore).insert("Sales")
  const accounts = yield* Accounts
  const { id: accountId } = yield* accounts.create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [team.id],
    settings: defaultSettings
  })
  yield* accounts.deposit(accountId, Money.Money.make(1_000 * Money.scale))
  yield* (yield* AgentStore).insert(Samples.newAgent(accountId, { assistantId: "asst_adapters", teamId: team.id }))
  const keys = yield* ApiKeys
  const key = { accountId, name: "test" }
  yield* keys.create({ ...key, permissions: Permission.all, value: Redacted.make(fullKey) })
  yield* keys.create({ ...key, permissions: ["can_read_calls"], value: Redacted.make(weakKey) })
})

/** An installation in memory. Two of them give the same answers to the same requests. */
const installation = () =>
  Layer.fresh(
    Layer.effectDiscard(setUp).pipe(
      Layer.provideMerge(
        services(
          RateLimiter.layerTokenBucket({ requests: 1_000_000, window: Duration.minutes(1) }),
          "memory",
          seededCrypto
        )
      ),
      Layer.provideMerge(stillClock)
    )
  )

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Headers that only describe the connection. A web handler leaves them to its framework. */
const ofConnection = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

const send = async (
  handler: (request: Request) => Promise<Response>,
  base: string,
  { headers, path, ...asked }: Asked
) => {
  const request = new Request(base + path, { ...asked, headers: { ...headers, "x-forwarded-for": "192.0.2.1" } })
  const response = await handler(request)
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.has(name))),
    body: Buffer.from(await response.arrayBuffer()).toString("latin1")
  }
}

const isObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

/** Returns the JSON object in a body, or `{}`. */
const objectIn = (body: string): { readonly [name: string]: Schema.Json } => {
  try {
    const answer: unknown = JSON.parse(body)
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

/** Serves the API of a new installation, and returns the URL of its root. */
export type Serve = (
  options: HttpOptions
) => Effect.Effect<string, unknown, FrontdeskHttp.Services | HttpServer.HttpServer | Scope.Scope>

/** Serves the API by a server of Effect on Node. */
export const byEffectServer: Serve = Effect.fnUntraced(function* (given) {
  const { address, serve } = yield* HttpServer.HttpServer
  yield* serve(yield* FrontdeskHttp.make(given))
  return HttpServer.formatAddress(address)
})

/** Verifies that a server and a web handler give the same answers to `count` generated requests. */
export const adaptersAgree = (name: string, serve: Serve, count: number): void => {
  describe(`${name} and the web handler`, () => {
    it(`law: both give the same status, headers and bytes to each of ${count} generated requests`, async () => {
      const runtime = ManagedRuntime.make(
        Layer.provideMerge(
          NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" }),
          installation()
        )
      )
      const scope = Scope.makeUnsafe()
      const web = FrontdeskHttp.toWebHandler(installation(), options)
      try {
        const base = await runtime.runPromise(Effect.provideService(serve(options), Scope.Scope, scope))
        const statuses = new Map<number, number>()
        let signed = 0
        const random = Seeded.numbers(Number(process.env["FRONTDESK_TEST_SEED"]))
        const generate = generator(random)
        for (let index = 0; index < count; index++) {
          const { answered, asked } = generate(index)
          const [overSocket, embedded] = [await send(fetch, base, asked), await send(web.handler, base, asked)]
          expect({ asked, answer: embedded }).toEqual({ asked, answer: overSocket })
          if (overSocket.headers["content-type"]?.startsWith("text/calendar") === true)
            signed += Number(!("authorization" in asked.headers))
          statuses.set(overSocket.status, (statuses.get(overSocket.status) ?? 0) + 1)
          if (overSocket.status < 300) answered(objectIn(overSocket.body))
        }
        // The generator reaches all kinds of answers, and no request fails unexpectedly.
        for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 413, 415]) {
          expect([status, statuses.get(status)]).toEqual([status, expect.any(Number)])
        }
        expect(signed).toBeGreaterThan(0)
        expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
      } finally {
        await Effect.runPromise(Scope.close(scope, Exit.void))
        await Promise.all([runtime.dispose(), web.dispose()])
      }
    }, 300_000)
  })
}

/**
 * Returns a function that makes requests: of every operation, with existing and absent ids, in half of the cases with a
 * change that is usually a mistake. `answered` receives the JSON of a success, whose ids later requests use.
 */
const generator = (random: () => number) => {
  const ids: Record<Kind, string> = { ...absent, agent: "1" }
  const pick = <A>(from: readonly [A, ...ReadonlyArray<A>]): A => from[Math.floor(random() * from.length)] ?? from[0]
  // The signed link of the last calendar event that was read. It needs no key.
  let link = "/"
  const isOneIn = (of: number): boolean => random() * of < 1

  const changes: readonly [(asked: Asked) => Asked, ...ReadonlyArray<(asked: Asked) => Asked>] = [
    (asked) => (asked.body === null ? asked : { ...asked, body: `{"title":"${"x".repeat(5_000)}"}` }),
    (asked) => ({ ...asked, method: pick(["HEAD", "OPTIONS", "PUT", "DELETE"]), body: null }),
    (asked) => ({ ...asked, headers: { ...asked.headers, authorization: pick(["", "Bearer x", "Basic YTpi"]) } }),
    (asked) => ({ ...asked, headers: { ...asked.headers, authorization: `Bearer ${weakKey}` } }),
    () => ({ method: "GET", path: link, headers: { "accept-encoding": "identity" }, body: null }),
    (asked) => ({
      ...asked,
      headers: { ...asked.headers, "x-request-id": pick(["abc.1", "not an id", "x".repeat(200)]) }
    }),
    (asked) => ({ ...asked, headers: { ...asked.headers, "idempotency-key": pick(["one", "two", "", " ", "ä"]) } }),
    (asked) => ({
      ...asked,
      headers: { ...asked.headers, "content-type": pick(["text/plain", "application/json; charset=latin1"]) }
    }),
    (asked) => ({
      ...asked,
      path: pick([
        "/",
        "/health",
        "/api/v1/none",
        `${asked.path}/`,
        `/${asked.path}`,
        "/webhooks/create",
        "/openapi.json"
      ])
    }),
    (asked) => ({
      ...asked,
      path: `${asked.path}${pick(["?page=2", "?page=0", "?limit=x", "?a=1&a=2", "?search=%F0%9F%98%80", "?signature=x"])}`
    }),
    (asked) => ({
      ...asked,
      path: asked.path.replace(
        /\/(\d+)/,
        pick(["/x", "/%31", "/00000000-0000-4000-8000-000000000000", "/99999999999999999"])
      )
    }),
    (asked) => (asked.body === null ? asked : { ...asked, body: pick(["", "{", "[]", "null", "\ud800"]) }),
    (asked) =>
      asked.body === null
        ? asked
        : {
            ...asked,
            body: asked.body.replace(
              /:("[^"]*"|\d+|true|false|null)/,
              `:${pick(["null", "[]", "-1", '""', '"😀\\u0000"'])}`
            )
          }
  ]

  return (index: number) => {
    const operation = operations[index % operations.length] ?? "agents.list"
    const target: Target = {
      ids: isOneIn(6) ? absent : ids,
      teams: [1],
      n: Math.floor(random() * 1_000),
      agent: 0
    }
    const { body, key, makes, method, path } = requests[operation](target)
    const plain: Asked = {
      method,
      path,
      headers: {
        authorization: `Bearer ${fullKey}`,
        // Otherwise `fetch` adds headers that a request to the web handler does not have.
        "accept-encoding": "identity",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": `${key}.${isOneIn(3) ? 0 : index}` }),
        ...(isOneIn(3) ? { origin: pick(["https://app.example.com", "https://other.example.com"]) } : {})
      },
      body: body === undefined ? null : JSON.stringify(body)
    }
    const asked = isOneIn(2) ? pick(changes)(plain) : plain
    return {
      asked,
      answered: (answer: { readonly [name: string]: Schema.Json }): void => {
        const id = textOf(answer["id"] ?? answer["delivery_id"])
        if (makes !== undefined && asked === plain && id !== "") ids[makes] = id
        const { pathname, search } = new URL(textOf(answer["ics_url"]), "http://localhost")
        if (search !== "") link = pathname + search
      }
    }
  }
}
