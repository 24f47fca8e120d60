import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import process from "node:process"
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"

const client = (config: PostgresConfig = {}, parameters = "") =>
  Layer.unwrap(
    Effect.map(TestDatabase.make, (url) =>
      PostgresClient.layer({ url: Redacted.make(`${url}${parameters}`), ...config })
    )
  )

const setting = (name: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(sql<{ value: string }>`SELECT current_setting(${name}) AS value`, (rows) => rows[0]?.value)
  )

const settings = Effect.all({
  applicationName: setting("application_name"),
  statementTimeout: setting("statement_timeout"),
  lockTimeout: setting("lock_timeout"),
  idleInTransactionTimeout: setting("idle_in_transaction_session_timeout")
})

describe("a session", () => {
  it.effect("has the default timeouts and the default name", () =>
    Effect.gen(function* () {
      expect(yield* settings).toEqual({
        applicationName: "frontdesk",
        statementTimeout: "10s",
        lockTimeout: "5s",
        idleInTransactionTimeout: "10s"
      })
    }).pipe(Effect.provide(client()))
  )

  it.effect("has the timeouts of the configuration, and the name in the URL", () =>
    Effect.gen(function* () {
      expect(yield* settings).toEqual({
        applicationName: "desk-7",
        statementTimeout: "0",
        lockTimeout: "1s",
        idleInTransactionTimeout: "1min"
      })
    }).pipe(
      Effect.provide(
        client(
          { statementTimeout: Duration.infinity, lockTimeout: "1 second", idleInTransactionTimeout: "1 minute" },
          "?application_name=desk-7"
        )
      )
    )
  )

  it.effect("has transactions with READ COMMITTED, whatever the default of the database is (D-PG-4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      expect(yield* setting("default_transaction_isolation")).toBe("serializable")
      expect(yield* sql.withTransaction(setting("transaction_isolation"))).toBe("read committed")
    }).pipe(Effect.provide(client({}, "?options=-c%20default_transaction_isolation%3Dserializable")))
  )

  it.effect("behind a pooler has no named prepared statements and no timeouts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (let time = 0; time < 3; time++) yield* sql`SELECT 1`
      yield* sql.withTransaction(sql`SELECT 1`)
      expect(yield* sql`SELECT statement FROM pg_prepared_statements`).toEqual([])
      expect(yield* settings).toMatchObject({ statementTimeout: "0", lockTimeout: "0" })
    }).pipe(Effect.provide(client({ pooler: "transaction", maxConnections: 1 })))
  )

  it.effect("that listens is not part of the pool, and receives notifications of a transaction after its commit", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      const heard = yield* sql.listen("desk")
      yield* sql
        .withTransaction(sql`SELECT pg_notify('desk', 'rolled back')`.pipe(Effect.andThen(Effect.fail("no"))))
        .pipe(Effect.flip)
      yield* sql.withTransaction(sql`SELECT pg_notify('desk', 'committed')`)
      yield* sql.notify("desk", "at once")
      expect((yield* Queue.take(heard)).payload).toBe("committed")
      expect((yield* Queue.take(heard)).payload).toBe("at once")
    }).pipe(Effect.scoped, Effect.provide(client({ maxConnections: 1 })))
  )

  it.effect("behind a pooler receives notifications with a listenUrl, and none without", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* TestDatabase.make)
      const direct = Layer.build(Layer.fresh(PostgresClient.layer({ url, pooler: "transaction", listenUrl: url })))
      const pooled = Layer.build(Layer.fresh(PostgresClient.layer({ url, pooler: "transaction" })))
      const [hearing, deaf] = [
        yield* Effect.provide(PgClient, yield* direct),
        yield* Effect.provide(PgClient, yield* pooled)
      ]
      const queues = [yield* hearing.listen("desk"), yield* deaf.listen("desk")] as const
      const nothing = yield* Effect.forkChild(Queue.take(queues[1]))
      yield* hearing.notify("desk", "hello")
      expect((yield* Queue.take(queues[0])).payload).toBe("hello")
      expect(nothing.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(nothing)
    }).pipe(Effect.scoped)
  )
})

describe("a configuration", () => {
  const opening = (config: PostgresConfig) =>
    Effect.map(
      Effect.flip(Layer.build(PostgresClient.layer(config))),
      (error) => `${error.reason.message} ${JSON.stringify(error)}`
    )
  const url = (text: string) => ({ url: Redacted.make(text) })
  const listenUrl = Redacted.make("postgres://desk:hunter2@db/desk")

  it.effect.each([
    ["maxConnections", { maxConnections: 0 }],
    ["maxConnections", { maxConnections: 1.5 }],
    ["workerConnections", { workerConnections: 0 }],
    ["port", { port: 70_000 }],
    ["statementTimeout", { statementTimeout: 0 }],
    ["acquireTimeout", { acquireTimeout: "30 days" }],
    ["listenUrl", { listenUrl }],
    ["url", url("mysql://desk:hunter2@db/desk")],
    ["sslmode", url("postgres://desk:hunter2@db/desk?sslmode=prefer")],
    ["sslcert", url("postgres://desk:hunter2@db/desk?sslmode=require&sslcert=hunter2")],
    ["sslrootcert", url("postgres://desk:hunter2@db/desk?sslmode=require&sslrootcert=/hunter2")],
    ["sslrootcert", url("postgres://desk:hunter2@db/desk?sslrootcert=/hunter2")],
    ["channel_binding", url("postgres://desk:hunter2@db/desk?sslmode=require&channel_binding=require")]
  ] as const)("with an error in %s fails with the name of the field and without any value: %o", ([field, config]) =>
    Effect.gen(function* () {
      const failure = yield* opening(config)
      expect(failure).toContain(field)
      expect(failure).not.toContain("hunter2")
    }).pipe(Effect.scoped)
  )

  it.effect("can be read from the environment", () =>
    Effect.gen(function* () {
      const database = new URL(yield* TestDatabase.make)
      const layer = PostgresClient.layerConfig({
        host: Config.String("PG_HOST"),
        port: Config.Port("PG_PORT"),
        database: Config.String("PG_DATABASE"),
        username: Config.String("PG_USER"),
        applicationName: Config.String("PG_NAME")
      })
      const environment = {
        PG_HOST: database.hostname,
        PG_PORT: database.port,
        PG_DATABASE: database.pathname.slice(1),
        PG_USER: database.username,
        PG_NAME: "from the environment"
      }
      const name = yield* Effect.provide(setting("application_name"), layer).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))
      )
      expect(name).toBe("from the environment")
    }).pipe(Effect.scoped)
  )
})

describe("an encrypted connection", () => {
  let folder: string
  let server: PostgresServer.PostgresServer
  const file = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "frontdesk-tls-"))
    chmodSync(folder, 0o755)
    const key = ["-newkey", "rsa:2048", "-nodes", "-days", "2"]
    openssl("req", "-x509", ...key, "-subj", "/CN=Test Authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-x509", ...key, "-subj", "/CN=Another Authority", "-keyout", "other.key", "-out", "other.pem")
    openssl(
      "req",
      ...key,
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost",
      "-keyout",
      "server.key",
      "-out",
      "server.csr"
    )
    openssl(
      "x509",
      "-req",
      "-in",
      "server.csr",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-days",
      "2",
      "-copy_extensions",
      "copy",
      "-out",
      "server.pem"
    )
    // The server then runs as the system user `nobody`, and requires that its key belongs to that user.
    if (process.getuid?.() === 0) chownSync(file("server.key"), 65_534, 65_534)
    server = await PostgresServer.make({
      settings: { ssl: "on", ssl_cert_file: file("server.pem"), ssl_key_file: file("server.key") }
    })
  })
  afterAll(async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns whether the server sees the connection as encrypted, or why the connection failed. */
  const isEncrypted = (host: string, parameters: string, config: PostgresConfig = {}) =>
    Effect.gen(function* () {
      const url = new URL(server.url)
      url.hostname = host
      url.search = parameters
      const open = Effect.flatMap(
        SqlClient,
        (sql) => sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
      )
      return yield* open.pipe(
        Effect.map((rows) => rows[0]?.ssl),
        Effect.provide(PostgresClient.layer({ url: Redacted.make(url.href), ...config })),
        Effect.catch(({ reason }) => Effect.succeed(`${reason.message} ${String(reason.cause)}`))
      )
    })
  const root = (name: string) => `&sslrootcert=${encodeURIComponent(file(name))}`

  it.effect("is opened when a trusted authority has signed the certificate and the certificate names the host", () =>
    Effect.gen(function* () {
      expect(yield* isEncrypted("localhost", `sslmode=require${root("ca.pem")}`)).toBe(true)
      expect(yield* isEncrypted("localhost", `sslmode=verify-full${root("ca.pem")}`)).toBe(true)
      const ca = readFileSync(file("ca.pem"), "utf8")
      expect(yield* isEncrypted("localhost", "", { ssl: { ca } })).toBe(true)
    })
  )

  it.effect("fails for another authority, with a message that says what to do, and for another host (D-PG-7)", () =>
    Effect.gen(function* () {
      expect(yield* isEncrypted("localhost", "sslmode=require")).toMatch(/certificate.*sslrootcert/)
      expect(yield* isEncrypted("localhost", `sslmode=verify-ca${root("other.pem")}`)).toMatch(
        /certificate.*sslrootcert/
      )
      expect(yield* isEncrypted("127.0.0.1", `sslmode=verify-full${root("ca.pem")}`)).toMatch(/127\.0\.0\.1/)
      expect(yield* isEncrypted("localhost", "", { ssl: true })).toMatch(/certificate/)
    })
  )

  it.effect("skips the checks that the configuration switches off", () =>
    Effect.gen(function* () {
      expect(yield* isEncrypted("127.0.0.1", `sslmode=verify-ca${root("ca.pem")}`)).toBe(true)
      expect(yield* isEncrypted("127.0.0.1", "sslmode=no-verify")).toBe(true)
      expect(yield* isEncrypted("127.0.0.1", "", { ssl: { verify: "none" } })).toBe(true)
    })
  )

  it.effect("is not used by default, and the configuration takes precedence over the URL", () =>
    Effect.gen(function* () {
      expect(yield* isEncrypted("localhost", "")).toBe(false)
      expect(yield* isEncrypted("localhost", "sslmode=require", { ssl: false })).toBe(false)
    })
  )
})

describe("a server without encryption", () => {
  it.effect("is rejected when the configuration requires encryption", () =>
    Effect.gen(function* () {
      const url = Redacted.make(`${yield* TestDatabase.make}?sslmode=no-verify`)
      const error = yield* Effect.flip(Layer.build(PostgresClient.layer({ url })))
      expect(String(error.reason.cause)).toContain("does not support TLS")
    }).pipe(Effect.scoped)
  )
})

describe("the connections of workers", () => {
  const asWorker = Effect.provideService(CurrentWorkload, "worker")

  it.live("are separate, so a worker does not wait while requests use all other connections", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const begun = yield* Deferred.make<void>()
      const request = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(sql`SELECT 1`, Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        )
      )
      yield* Deferred.await(begun)
      expect(yield* asWorker(sql`SELECT 2 AS two`)).toEqual([{ two: 2 }])
      expect(yield* asWorker(sql.withTransaction(sql`SELECT 3 AS three`))).toEqual([{ three: 3 }])
      expect(yield* Effect.flip(sql`SELECT 4`)).toMatchObject({ reason: { _tag: "ConnectionError" } })
      yield* Fiber.interrupt(request)
      // The timeout is real, and every connection of this test must be opened within it.
    }).pipe(Effect.provide(client({ maxConnections: 1, workerConnections: 1, acquireTimeout: "500 millis" })))
  )
})
