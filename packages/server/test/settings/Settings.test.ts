import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { settings as definitions } from "frontdesk/settings/SettingDefinitions"
import { containing } from "../support/matching.ts"
import { type Flags, load } from "frontdesk/settings/Settings"

const read = (environment: Readonly<Record<string, string>>, flags: Flags = {}) =>
  Effect.provideService(load(flags), ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const problems = (environment: Readonly<Record<string, string>>, flags: Flags = {}) =>
  Effect.map(Effect.flip(read(environment, flags)), (error) => error.problems)

describe("load", () => {
  it.effect("returns the defaults of the documentation when nothing is given", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        databaseUrl: { _tag: "File", path: "./data/frontdesk.db" },
        workers: "all",
        maxRequests: 256,
        trustedProxies: 0,
        maxCachedKeys: 1000,
        maxConcurrentRequests: 8,
        accountLimits: {
          apiKeys: 1_000,
          calendarEvents: 1_000_000,
          contacts: 250_000,
          variables: 500,
          variableBytes: 1_048_576,
          webhookBytes: 1_048_576,
          agents: 1_000,
          members: 100,
          signInLinks: 1_000,
          webhooks: 100
        },
        callRetention: null,
        transcriptRetention: null,
        auditRetention: Duration.days(400),
        movementRetention: Duration.days(400),
        importRetention: Duration.days(30),
        host: "127.0.0.1",
        port: 8787,
        publicUrl: null,
        corsOrigins: [],
        mcpCallHeader: "X-Call-Id",
        maxBodySize: 1_048_576,
        rateLimit: { requests: 600, window: Duration.minutes(1) },
        shutdownDelay: Duration.zero,
        shutdownTimeout: Duration.seconds(11),
        webhookPrivilegedPorts: [],
        webhookAllowInsecure: false,
        webhookRetryDelays: [Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)],
        webhookTimeout: Duration.seconds(10),
        webhookLease: Duration.seconds(30),
        webhookHeaderPrefix: "X-Service-",
        webhookRetention: Duration.days(30),
        secretKeys: { current: null, isPlain: false, keys: [] },
        callProvider: { _tag: "Simulated", pace: 10 },
        mail: null,
        calendars: { google: null, outlook: null, caldavPrivateHosts: [] },
        logLevel: "Info",
        logFormat: null,
        metrics: false,
        otlpUrl: null
      })
    })
  )

  it.effect("prefers a flag to its variable, and ignores an empty variable", () =>
    Effect.gen(function* () {
      const environment = { FRONTDESK_PORT: "1", FRONTDESK_HOST: "", FRONTDESK_METRICS: "yes" }
      expect(yield* read(environment, { port: "2" })).toMatchObject({ port: 2, host: "127.0.0.1", metrics: true })
    })
  )

  it.effect("reports all invalid settings at once, each with a valid example", () =>
    Effect.gen(function* () {
      const wrong = {
        FRONTDESK_DATABASE_URL: "mysql://x",
        FRONTDESK_DATABASE_CONNECTIONS: "0",
        FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "10",
        FRONTDESK_DATABASE_POOLER: "session",
        FRONTDESK_DATABASE_LISTEN_URL: "mysql://x",
        FRONTDESK_HOST: "a b",
        FRONTDESK_PORT: "65536",
        FRONTDESK_PUBLIC_URL: "example.com",
        FRONTDESK_CORS_ORIGINS: "https://a.example/",
        FRONTDESK_MAX_BODY_SIZE: "much",
        FRONTDESK_RATE_LIMIT: "0/60s",
        FRONTDESK_MAX_CONTACTS: "0",
        FRONTDESK_MAX_CALENDAR_EVENTS: "1000000001",
        FRONTDESK_MAX_WEBHOOKS: "5001",
        FRONTDESK_MAX_VARIABLES: "1.5",
        FRONTDESK_MAX_VARIABLES_SIZE: "17 MiB",
        FRONTDESK_MAX_API_KEYS: "off",
        FRONTDESK_WEBHOOK_ALLOW_INSECURE: "maybe",
        FRONTDESK_WEBHOOK_RETRY_DELAYS: "1 minute,soon",
        FRONTDESK_WEBHOOK_TIMEOUT: "0 seconds",
        FRONTDESK_WEBHOOK_LEASE: "30",
        FRONTDESK_WEBHOOK_HEADER_PREFIX: "X Acme",
        FRONTDESK_WEBHOOK_RETENTION: "30",
        FRONTDESK_CALL_PROVIDER: "pigeon",
        FRONTDESK_SIMULATED_CALL_PACE: "-1",
        FRONTDESK_LOG_LEVEL: "loud",
        FRONTDESK_LOG_FORMAT: "xml",
        FRONTDESK_METRICS: "2",
        FRONTDESK_OTLP_URL: "localhost:4318"
      }
      const found = yield* problems(wrong)
      expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(wrong).toSorted())
      // Each example must be a valid value.
      const examples = Object.fromEntries(found.map(({ example, name }) => [name, example]))
      yield* read(examples)
    })
  )

  it.effect("rejects a statement timeout that is longer than PostgreSQL allows", () =>
    Effect.gen(function* () {
      const found = yield* problems({ FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "30 days" })
      expect(found.map(({ name }) => name)).toEqual(["FRONTDESK_DATABASE_STATEMENT_TIMEOUT"])
      yield* read({ FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "1 day" })
    })
  )

  it.effect("rejects more than 20 retries of a webhook", () =>
    Effect.gen(function* () {
      const delays = (count: number) => ({ FRONTDESK_WEBHOOK_RETRY_DELAYS: Array<string>(count).fill("1s").join() })
      expect((yield* read(delays(20))).webhookRetryDelays).toHaveLength(20)
      expect(yield* problems(delays(21))).toMatchObject([{ message: containing("at most 20") }])
    })
  )

  it.effect("names the flag in the problem of a setting that was given as a flag", () =>
    Effect.gen(function* () {
      const [problem] = yield* problems({}, { port: "x" })
      expect(problem).toEqual({
        name: "--port (FRONTDESK_PORT)",
        message: "Expected a port from 0 to 65535",
        example: "8787"
      })
    })
  )

  it.effect("rejects a lease that is not at least 10 seconds longer than the timeout", () =>
    Effect.gen(function* () {
      const [problem] = yield* problems({ FRONTDESK_WEBHOOK_TIMEOUT: "20.001 seconds" })
      expect(problem).toMatchObject({ name: "FRONTDESK_WEBHOOK_LEASE", example: "30.001 seconds" })
      yield* read({ FRONTDESK_WEBHOOK_TIMEOUT: "20 seconds" })
      // The problem names both settings, even if only the timeout was given.
      const [byFlag] = yield* problems({}, { "webhook-timeout": "60s" })
      expect(byFlag).toMatchObject({
        name: "FRONTDESK_WEBHOOK_LEASE",
        message: containing("--webhook-timeout (FRONTDESK_WEBHOOK_TIMEOUT)")
      })
    })
  )

  it.effect.each([
    ["FRONTDESK_RATE_LIMIT", "off", { rateLimit: null }],
    ["FRONTDESK_TRUSTED_PROXIES", "2", { trustedProxies: 2 }],
    ["FRONTDESK_MAX_CACHED_KEYS", "off", { maxCachedKeys: 0 }],
    ["FRONTDESK_MAX_CACHED_KEYS", "5000", { maxCachedKeys: 5_000 }],
    ["FRONTDESK_RATE_LIMIT", "5/1 minute", { rateLimit: { requests: 5, window: Duration.minutes(1) } }],
    ["FRONTDESK_WEBHOOK_RETRY_DELAYS", "none", { webhookRetryDelays: [] }],
    [
      "FRONTDESK_WEBHOOK_RETRY_DELAYS",
      "10ms, 1.5 s",
      { webhookRetryDelays: [Duration.millis(10), Duration.millis(1500)] }
    ],
    ["FRONTDESK_MAX_CONTACTS", "1", { accountLimits: { contacts: 1, webhooks: 100 } }],
    ["FRONTDESK_MAX_CALENDAR_EVENTS", "1000000000", { accountLimits: { calendarEvents: 1_000_000_000 } }],
    ["FRONTDESK_MAX_WEBHOOKS", "5000", { accountLimits: { webhooks: 5_000 } }],
    ["FRONTDESK_MAX_VARIABLES", "20", { accountLimits: { variables: 20 } }],
    ["FRONTDESK_MAX_WEBHOOKS_SIZE", "64 KiB", { accountLimits: { webhookBytes: 65_536 } }],
    ["FRONTDESK_MAX_AGENTS", "20", { accountLimits: { agents: 20 } }],
    ["FRONTDESK_MAX_MEMBERS", "20", { accountLimits: { members: 20 } }],
    ["FRONTDESK_MAX_VARIABLES_SIZE", "64 KiB", { accountLimits: { variableBytes: 65_536 } }],
    ["FRONTDESK_MAX_API_KEYS", "3", { accountLimits: { apiKeys: 3 } }],
    ["FRONTDESK_WEBHOOK_RETENTION", "off", { webhookRetention: null }],
    ["FRONTDESK_WEBHOOK_RETENTION", "1 hour", { webhookRetention: Duration.hours(1) }],
    ["FRONTDESK_WEBHOOK_HEADER_PREFIX", "Webhook-X-", { webhookHeaderPrefix: "Webhook-X-" }],
    ["FRONTDESK_WEBHOOK_TIMEOUT", "500 millis", { webhookTimeout: Duration.millis(500) }],
    ["FRONTDESK_DATABASE_URL", "sqlite::memory:", { databaseUrl: { _tag: "Memory" } }],
    ["FRONTDESK_DATABASE_URL", "sqlite:///var/x.db", { databaseUrl: { _tag: "File", path: "///var/x.db" } }],
    ["FRONTDESK_MAX_BODY_SIZE", "2048", { maxBodySize: 2048 }],
    ["FRONTDESK_MAX_BODY_SIZE", "2 kB", { maxBodySize: 2000 }],
    ["FRONTDESK_SIMULATED_CALL_PACE", "0", { callProvider: { _tag: "Simulated", pace: 0 } }],
    ["FRONTDESK_LOG_LEVEL", "WARN", { logLevel: "Warn" }],
    ["FRONTDESK_PUBLIC_URL", "https://example.com/desk/", { publicUrl: "https://example.com/desk" }],
    ["FRONTDESK_PUBLIC_URL", "HTTPS://API.Example.com:443//", { publicUrl: "https://api.example.com" }],
    [
      "FRONTDESK_PUBLIC_URL",
      "https://b\u00fccher.example/\u00e4/../b",
      { publicUrl: "https://xn--bcher-kva.example/b" }
    ],
    ["FRONTDESK_PUBLIC_URL", "https://127.1:8443", { publicUrl: "https://127.0.0.1:8443" }]
  ] as const)("accepts %s=%s", ([variable, text, value]) =>
    Effect.gen(function* () {
      expect(yield* read({ [variable]: text })).toMatchObject(value)
    })
  )

  it.effect.each([
    ["FRONTDESK_DATABASE_URL", "sqlite:"],
    ["FRONTDESK_DATABASE_URL", "sqlite://host/x.db"],
    ["FRONTDESK_DATABASE_URL", "./x.db"],
    ["FRONTDESK_DATABASE_URL", "postgres://db.example.com"],
    ["FRONTDESK_DATABASE_URL", "postgres://db.example.com/desk?sslmode=prefer"],
    ["FRONTDESK_DATABASE_URL", "postgres://db.example.com/desk?pool=5"],
    ["FRONTDESK_DATABASE_URL", "postgres://db.example.com/desk?sslmode=require&sslrootcert=/nowhere.pem"],
    ["FRONTDESK_RATE_LIMIT", "600"],
    ["FRONTDESK_MAX_CACHED_KEYS", "0"],
    ["FRONTDESK_WEBHOOK_TIMEOUT", "Infinity"],
    ["FRONTDESK_WEBHOOK_HEADER_PREFIX", "webhook-"],
    ["FRONTDESK_WEBHOOK_HEADER_PREFIX", "Webhook-"],
    ["FRONTDESK_WEBHOOK_HEADER_PREFIX", "x".repeat(65)],
    ["FRONTDESK_WEBHOOK_RETENTION", "0 days"],
    ["FRONTDESK_WEBHOOK_RETENTION", "59.9 minutes"],
    ["FRONTDESK_WEBHOOK_RETENTION", "36501 days"],
    ["FRONTDESK_MAX_BODY_SIZE", "2 GiB"],
    ["FRONTDESK_PUBLIC_URL", "https://user:password@example.com"],
    ["FRONTDESK_CORS_ORIGINS", "*"]
  ] as const)("rejects %s=%s", ([variable, text]) =>
    Effect.gen(function* () {
      expect((yield* problems({ [variable]: text })).map(({ name }) => name)).toEqual([variable])
    })
  )

  it.effect("returns the PostgreSQL settings with the database, and rejects a listen URL without a pooler", () =>
    Effect.gen(function* () {
      const given = {
        FRONTDESK_DATABASE_URL: "postgres://desk:hunter2@db.example.com/desk",
        FRONTDESK_DATABASE_CONNECTIONS: "3",
        FRONTDESK_DATABASE_WORKER_CONNECTIONS: "2",
        FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "2s",
        FRONTDESK_DATABASE_LISTEN_URL: "postgres://desk:hunter2@direct.example.com/desk"
      }
      expect(yield* problems(given)).toMatchObject([{ name: "FRONTDESK_DATABASE_POOLER", example: "transaction" }])
      const { databaseUrl } = yield* read({ ...given, FRONTDESK_DATABASE_POOLER: "transaction" })
      expect(databaseUrl).toMatchObject({
        _tag: "Postgres",
        options: {
          maxConnections: 3,
          workerConnections: 2,
          statementTimeout: Duration.seconds(2),
          pooler: "transaction"
        }
      })
      expect(JSON.stringify(databaseUrl)).not.toContain("hunter2")
    })
  )

  it.effect("returns the cell with a PostgreSQL database, and rejects a cell other than 0 for SQLite (D-STO-14)", () =>
    Effect.gen(function* () {
      const given = { FRONTDESK_DATABASE_CELL: "3" }
      const { databaseUrl } = yield* read({ ...given, FRONTDESK_DATABASE_URL: "postgres://db.example.com/desk" })
      expect(databaseUrl).toMatchObject({ _tag: "Postgres", options: { cell: 3 } })
      expect(yield* problems(given)).toEqual([
        {
          name: "FRONTDESK_DATABASE_CELL",
          message: "Expected 0, because FRONTDESK_DATABASE_URL is a SQLite database",
          example: "0"
        }
      ])
      expect((yield* read({ FRONTDESK_DATABASE_CELL: "0" })).databaseUrl).toMatchObject({ _tag: "File" })
      expect(yield* problems({ FRONTDESK_DATABASE_CELL: "8192" })).toMatchObject([{ name: "FRONTDESK_DATABASE_CELL" }])
    })
  )

  it("repeats no value in its problems, because a value may be a secret", async () => {
    const text = "postgres://user:hunter2@db"
    const wrong = { FRONTDESK_DATABASE_URL: text, FRONTDESK_DATABASE_LISTEN_URL: text }
    const found = await Effect.runPromise(problems(wrong))
    expect(found.map(({ name }) => name)).toEqual(Object.keys(wrong))
    expect(JSON.stringify(found)).not.toContain("hunter2")
    expect(Object.values(definitions).every(({ meaning }) => meaning.length > 0)).toBe(true)
  })
})
