import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Assembly from "frontdesk/Assembly"
import * as Observability from "frontdesk/Observability"
import * as Server from "frontdesk/Server"
import { load } from "frontdesk/settings/Settings"
import { acme, ask } from "../support/acme.ts"
import { provision, run, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

let scope: Scope.Closeable
let database: string
beforeEach(async () => {
  scope = await Effect.runPromise(Scope.make())
  database = await Effect.runPromise(Scope.provide(TestDatabase.make, scope))
})
afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const settings = () => ({ FRONTDESK_DATABASE_URL: database })

const real = Clock.Clock.defaultValue()

/** The clock of a machine whose time is always the beginning of 1970. */
const wrongClock: Clock.Clock = {
  currentTimeMillisUnsafe: () => 0,
  currentTimeMillis: Effect.succeed(0),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: real.monotonicTimeNanos,
  sleep: (duration) => real.sleep(duration)
}

const keyOf = (printed: string): string => /Demo key +(\S+)/.exec(printed)?.[1] ?? ""

const serveDemo = async () => {
  const server = await serve(temporaryFolder(), { settings: settings(), args: ["--demo"] })
  const [printed] = await server.wrote("stdout", /^.*after a restart\.$/ms)
  return { key: keyOf(printed), url: server.url, stop: server.stop }
}

const agentsStatus = async (url: string, key: string): Promise<number> => {
  const { status } = await fetch(`${url}/api/v1/agents`, { headers: { authorization: `Bearer ${key}` } })
  return status
}

describe("frontdesk serve on PostgreSQL", () => {
  it("creates one demo key when three servers start at once on a new database, and prints it again after a restart (D-PG-28)", async () => {
    const servers = await Promise.all([serveDemo(), serveDemo(), serveDemo()])
    const keys = servers.map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
    for (const { key, url } of servers) expect(await agentsStatus(url, key)).toBe(200)
    for (const { stop } of servers) await stop()
    const again = await serveDemo()
    expect(again.key).toBe(keys[0])
    expect(await agentsStatus(again.url, again.key)).toBe(200)
    await again.stop()
  })

  it("uses the clock of the database in its answers and workers when the clock of the machine is wrong", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme, settings())
    const environment = ConfigProvider.fromEnvRecord({
      ...settings(),
      FRONTDESK_PORT: "0",
      FRONTDESK_LOG_LEVEL: "none"
    })
    const contact = { first_name: "Jo", phone_numbers: [{ phone_number: "+12025550199" }] }
    const program = Effect.gen(function* () {
      const server = yield* load({})
      const seen = yield* Deferred.make<{ readonly worker: number; readonly answer: unknown }>()
      const listening = Effect.fnUntraced(function* (url: string) {
        const worker = yield* Clock.currentTimeMillis
        const answer = yield* Effect.promise(async () => (await ask(url, "/api/v1/contacts/create", contact)).json())
        yield* Deferred.succeed(seen, { worker, answer })
      })
      const served = Effect.provide(Server.serve(server, listening), Assembly.layer(server))
      return yield* Effect.raceFirst(Deferred.await(seen), Effect.andThen(served, Effect.never))
    })
    const { answer, worker } = await Effect.runPromise(
      program.pipe(
        Effect.provide(Observability.layer({ logFormat: "json", logLevel: "None", otlpUrl: null })),
        Effect.provideService(ConfigProvider.ConfigProvider, environment),
        Effect.provideService(Clock.Clock, wrongClock)
      )
    )
    const { created_at } = Schema.decodeUnknownSync(Schema.Struct({ created_at: Schema.String }))(answer)
    for (const time of [worker, Date.parse(created_at)]) expect(Math.abs(time - Date.now())).toBeLessThan(60_000)
  })

  it("exits with 1 and names a database that cannot be reached, without its password", async () => {
    const url = "postgres://desk:hunter2@127.0.0.1:1/desk"
    const { code, stderr } = await run(temporaryFolder(), ["serve"], { settings: { FRONTDESK_DATABASE_URL: url } })
    expect(code).toBe(1)
    expect(stderr).toContain("The database 127.0.0.1:1/desk cannot be opened: connect ECONNREFUSED 127.0.0.1:1")
    expect(stderr).not.toContain("hunter2")
  })

  const listening = (listenUrl: string) => ({
    ...settings(),
    FRONTDESK_DATABASE_POOLER: "transaction",
    FRONTDESK_DATABASE_LISTEN_URL: listenUrl
  })

  it.each([
    ["leads to a database that does not exist", (url: URL) => (url.pathname = "/nothing"), "does not exist"],
    ["has a role that does not exist", (url: URL) => (url.username = "unknown"), 'role "unknown" does not exist'],
    [
      "requires TLS from a server without TLS",
      (url: URL) => url.searchParams.set("sslmode", "no-verify"),
      "The server does not support TLS"
    ]
  ])("exits with 2 when the listen URL %s", async (_, change, message) => {
    const url = new URL(database)
    change(url)
    url.password = "hunter2"
    const { code, stderr } = await run(temporaryFolder(), ["serve"], { settings: listening(url.href) })
    expect(code).toBe(2)
    expect(stderr).toContain("--database-listen-url (FRONTDESK_DATABASE_LISTEN_URL): ")
    expect(stderr).toContain(message)
    expect(stderr).not.toContain("hunter2")
  })

  it("exits with 1 when it cannot reach the database at the listen URL (D-PG-25)", async () => {
    const { code, stderr } = await run(temporaryFolder(), ["serve"], {
      settings: listening("postgres://desk:hunter2@127.0.0.1:1/desk")
    })
    expect(code).toBe(1)
    expect(stderr).toContain(
      "The database 127.0.0.1:1/desk cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Choose another one with --database-listen-url"
    )
    expect(stderr).not.toContain("hunter2")
  })

  it("does not use the listen URL for the commands of an operator", async () => {
    const folder = temporaryFolder()
    await run(folder, ["migrate"], { settings: settings() })
    expect(
      await run(folder, ["accounts", "list"], { settings: listening("postgres://desk:hunter2@127.0.0.1:1/desk") })
    ).toMatchObject({ code: 0, stderr: "" })
  })

  it("names the database to which the parameters of its URL lead, when it cannot be reached", async () => {
    const url = "postgres://desk:hunter2@127.0.0.2:2/other?host=127.0.0.1&port=1&dbname=desk"
    const { code, stderr } = await run(temporaryFolder(), ["serve"], { settings: { FRONTDESK_DATABASE_URL: url } })
    expect(code).toBe(1)
    expect(stderr).toContain("The database 127.0.0.1:1/desk cannot be opened: connect ECONNREFUSED 127.0.0.1:1")
  })

  it("exits with 1 and names a database that is read-only", async () => {
    const folder = temporaryFolder()
    await run(folder, ["migrate"], { settings: settings() })
    const url = new URL(database)
    url.searchParams.set("options", "-c default_transaction_read_only=on")
    const { code, stderr } = await run(folder, ["serve"], { settings: { FRONTDESK_DATABASE_URL: url.href } })
    expect(code).toBe(1)
    expect(stderr).toContain(
      `The database ${url.host}${url.pathname} failed: it is read-only; connect to the primary, or turn default_transaction_read_only off. Choose another one with --database-url (FRONTDESK_DATABASE_URL)`
    )
  })

  it.each([
    ["postgres://desk:hunter%zz@127.0.0.1:1/desk", "a % that begins no encoded character must be written %25"],
    [
      "postgres://desk:hunter2@127.0.0.1:1/desk?connect_timeout=soon",
      "connect_timeout must be a whole number of seconds"
    ],
    ["postgres://desk:hunter2@127.0.0.1/desk?port=x", "port must be a whole number from 1 to 65535"],
    ["postgres://desk:12/hunter2@127.0.0.1/desk", "a / or @ in the password must be written %2F or %40"],
    ["postgres://desk:12/x?hunter2@127.0.0.1/desk", "a / or @ in the password must be written %2F or %40"],
    ["postgres://desk:12/hunter#2@127.0.0.1/desk", "a / or @ in the password must be written %2F or %40"]
  ])("exits with 2 for the URL %s in either setting", async (url, problem) => {
    for (const name of ["FRONTDESK_DATABASE_URL", "FRONTDESK_DATABASE_LISTEN_URL"]) {
      const { code, stderr } = await run(temporaryFolder(), ["serve"], {
        settings: { ...listening(database), [name]: url }
      })
      expect(code).toBe(2)
      expect(stderr).toContain(`${name}: Expected a URL that can be used; in this one, ${problem}`)
      expect(stderr).not.toContain("hunter")
    }
  })

  it("exits with 2 and names an unknown parameter of the URL", async () => {
    const url = "postgres://desk:hunter2@127.0.0.1:1/desk?sslcert=/x"
    const { code, stderr } = await run(temporaryFolder(), ["serve"], { settings: { FRONTDESK_DATABASE_URL: url } })
    expect(code).toBe(2)
    expect(stderr).toContain(
      "FRONTDESK_DATABASE_URL: Expected a URL that can be used; in this one, the parameter sslcert is not supported"
    )
    expect(stderr).not.toContain("hunter2")
  })
})
