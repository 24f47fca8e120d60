import { matching, type TextReader } from "@frontdesk/core/values/TextReader"
import { readFileSync } from "node:fs"
import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { maxRetries } from "@frontdesk/core/delivery/Delivery"
import { defaultPrefix, prefixForm } from "@frontdesk/core/webhook-event/WebhookHeaders"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { accountLimitSettings } from "./AccountLimitSettings.ts"
import { calendarSettings } from "./CalendarSettings.ts"
import { callSettings, publicUrl } from "./CallProviderSettings.ts"
import * as SettingCodecs from "./SettingCodecs.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { mailSettings } from "./MailSettings.ts"
import { define } from "./Setting.ts"

const RateLimit = Schema.Struct({ requests: Schema.Int, window: Schema.Duration })

const rateLimit: TextReader<typeof RateLimit.Type | null> = (text) => {
  const [, requests = "", window = ""] = /^([1-9]\d{0,8})\/(.+)$/.exec(text.trim()) ?? []
  const span = SettingCodecs.duration(window)
  if (text.trim() === "off") return Result.succeed(null)
  return Result.isSuccess(span)
    ? Result.succeed({ requests: Number(requests), window: span.success })
    : Result.fail("requests/time, or off")
}

const maxRequests: TextReader<number | null> = (text) =>
  text.trim() === "off"
    ? Result.succeed(null)
    : SettingCodecs.number(
        "a whole number from 1 to 100000, or off",
        (count) => Number.isInteger(count) && count >= 1 && count <= 100_000
      )(text)

const maxConcurrentRequests = SettingCodecs.number(
  "a whole number from 1 to 1000",
  (count) => Number.isInteger(count) && count >= 1 && count <= 1_000
)

/** The shortest retention: old events are deleted as soon as the server starts, and one mistyped unit would be most. */
const shortest = Duration.hours(1)

/** The longest retention: more is as good as `off`. */
const longest = Duration.days(36_500)

const retention: TextReader<Duration.Duration | null> = (text) => {
  if (text.trim() === "off") return Result.succeed(null)
  const span = SettingCodecs.duration(text)
  return Result.isSuccess(span) && Duration.between(span.success, { minimum: shortest, maximum: longest })
    ? span
    : Result.fail(`a time span from ${Duration.toHours(shortest)} hour to ${Duration.toDays(longest)} days, or off`)
}

const retryDelays: TextReader<ReadonlyArray<Duration.Duration>> = (text) =>
  Result.filterOrFail(
    SettingCodecs.list(SettingCodecs.duration)(text),
    (delays) => delays.length <= maxRetries,
    () => `at most ${maxRetries} time spans separated by commas, or none`
  )

/** A time span between two others, in words that say both. */
const between =
  (minimum: Duration.Duration, maximum: Duration.Duration): TextReader<Duration.Duration> =>
  (text) => {
    const span = /^0\s*[a-z]*$/.test(text.trim()) ? Result.succeed(Duration.zero) : SettingCodecs.duration(text)
    return Result.isSuccess(span) && Duration.between(span.success, { minimum, maximum })
      ? span
      : Result.fail(`a time span from ${Duration.toSeconds(minimum)} to ${Duration.toSeconds(maximum)} seconds`)
  }

const keyringFile: TextReader<Keyring.Keyring> = (path) =>
  Result.flatMap(
    Result.try({ try: () => readFileSync(path, "utf8"), catch: () => "the path of a file that can be read" }),
    Keyring.parse
  )

const Origins = SettingCodecs.read(Schema.Array(Schema.String), (text) =>
  text === "" ? Result.succeed([]) : SettingCodecs.list(SettingCodecs.origin)(text)
)

const LogLevel = Schema.Literals(["Trace", "Debug", "Info", "Warn", "Error", "Fatal", "None"])

const logLevel: TextReader<typeof LogLevel.Type> = SettingCodecs.choice({
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
})

const WorkersChoice = Schema.Literals(["all", "none", "only"])

const LogFormat = Schema.Literals(["pretty", "json"])

/** Where the data is kept: the one setting of every command. */
export const databaseUrl = define({
  variable: "FRONTDESK_DATABASE_URL",
  meaning:
    "Where the data is kept: sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/DATABASE, or sqlite::memory: for a server that forgets",
  fallback: "sqlite:./data/frontdesk.db",
  example: "sqlite:./data/frontdesk.db",
  codec: SettingCodecs.read(DatabaseUrl.DatabaseUrl, DatabaseUrl.parse)
})

/** How PostgreSQL is used; of no meaning with SQLite. */
export const postgresSettings = {
  databaseConnections: define({
    variable: "FRONTDESK_DATABASE_CONNECTIONS",
    meaning: "How many connections to PostgreSQL are open at most, without the one that listens",
    fallback: "10",
    example: "10",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number(
        "a whole number from 1 to 1000",
        (count) => Number.isInteger(count) && count >= 1 && count <= 1_000
      )
    )
  }),
  databaseWorkerConnections: define({
    variable: "FRONTDESK_DATABASE_WORKER_CONNECTIONS",
    meaning: "How many further connections to PostgreSQL the background work has to itself at most",
    fallback: "4",
    example: "4",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number(
        "a whole number from 1 to 1000",
        (count) => Number.isInteger(count) && count >= 1 && count <= 1_000
      )
    )
  }),
  databaseStatementTimeout: define({
    variable: "FRONTDESK_DATABASE_STATEMENT_TIMEOUT",
    meaning: "How long a statement may take in PostgreSQL, a day at most",
    fallback: "10 seconds",
    example: "10 seconds",
    codec: SettingCodecs.read(Schema.Duration, between(Duration.millis(100), Duration.days(1)))
  }),
  databasePooler: define({
    variable: "FRONTDESK_DATABASE_POOLER",
    meaning: "Whether a pooler like PgBouncer stands before PostgreSQL: none, or transaction for its transaction mode",
    fallback: "none",
    example: "transaction",
    codec: SettingCodecs.read(
      Schema.NullOr(Schema.Literal("transaction")),
      SettingCodecs.choice({ none: null, transaction: "transaction" } as const)
    )
  }),
  databaseListenUrl: define({
    variable: "FRONTDESK_DATABASE_LISTEN_URL",
    meaning: "The same database past the pooler, to hear at once what other nodes have written",
    fallback: "",
    fallbackInWords: "none",
    example: "postgres://frontdesk:secret@db.example.com:5432/frontdesk",
    isSecret: true,
    codec: SettingCodecs.read(
      Schema.NullOr(Schema.Redacted(Schema.String)),
      SettingCodecs.orNull(DatabaseUrl.parsePostgres)
    )
  })
}

/** Every setting of the server. */
export const settings = {
  databaseUrl,
  ...postgresSettings,
  host: define({
    variable: "FRONTDESK_HOST",
    meaning: "The address to listen on; 0.0.0.0 for every one",
    fallback: "127.0.0.1",
    example: "0.0.0.0",
    codec: SettingCodecs.read(Schema.String, matching("a host name or an address", /^[^\s/]+$/))
  }),
  port: define({
    variable: "FRONTDESK_PORT",
    meaning: "The port to listen on; 0 for any free one",
    fallback: "8787",
    example: "8787",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number("a port from 0 to 65535", (port) => Number.isInteger(port) && port <= 65_535)
    )
  }),
  publicUrl,
  workers: define({
    variable: "FRONTDESK_WORKERS",
    meaning: "all: serve the API and work in the background; none: the API alone; only: the work alone, with /health",
    fallback: "all",
    example: "none",
    codec: SettingCodecs.read(WorkersChoice, SettingCodecs.choice({ all: "all", none: "none", only: "only" } as const))
  }),
  corsOrigins: define({
    variable: "FRONTDESK_CORS_ORIGINS",
    meaning: "The origins whose pages may call the API from a browser, separated by commas",
    fallback: "",
    fallbackInWords: "none",
    example: "https://app.example.com,https://admin.example.com",
    codec: Origins
  }),
  maxBodySize: define({
    variable: "FRONTDESK_MAX_BODY_SIZE",
    meaning: "The greatest body a request may have",
    fallback: "1 MiB",
    example: "1 MiB",
    codec: SettingCodecs.read(Schema.Int, SettingCodecs.byteSize)
  }),
  shutdownDelay: define({
    variable: "FRONTDESK_SHUTDOWN_DELAY",
    meaning: "How long requests are still accepted after SIGTERM, while GET /health answers 503: for a load balancer",
    fallback: "0 seconds",
    example: "15 seconds",
    codec: SettingCodecs.read(Schema.Duration, between(Duration.zero, Duration.minutes(10)))
  }),
  shutdownTimeout: define({
    variable: "FRONTDESK_SHUTDOWN_TIMEOUT",
    meaning: "How long what is under way may take to finish after SIGTERM and the delay",
    fallback: "11 seconds",
    example: "11 seconds",
    codec: SettingCodecs.read(Schema.Duration, between(Duration.seconds(1), Duration.hours(1)))
  }),
  maxRequests: define({
    variable: "FRONTDESK_MAX_REQUESTS",
    meaning:
      "How many requests to the API may wait or be worked on at once; more are refused with 503; off for no bound",
    fallback: "256",
    example: "256",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Int), maxRequests)
  }),
  maxConcurrentRequests: define({
    variable: "FRONTDESK_MAX_CONCURRENT_REQUESTS",
    meaning:
      "How many requests to the API are worked on at once; the others wait, and accounts take turns. More helps only where a PostgreSQL server is far away",
    fallback: "8",
    example: "8",
    codec: SettingCodecs.read(Schema.Int, maxConcurrentRequests)
  }),
  rateLimit: define({
    variable: "FRONTDESK_RATE_LIMIT",
    meaning: "How many ordinary requests a key, or an address without one, may make in a time, or off",
    fallback: "600/60s",
    example: "600/60s",
    codec: SettingCodecs.read(Schema.NullOr(RateLimit), rateLimit)
  }),
  ...accountLimitSettings,
  webhookAllowInsecure: define({
    variable: "FRONTDESK_WEBHOOK_ALLOW_INSECURE",
    meaning: "Allows webhooks with http: and private addresses, for development",
    fallback: "false",
    example: "true",
    isSwitch: true,
    codec: SettingCodecs.read(Schema.Boolean, SettingCodecs.boolean)
  }),
  webhookPrivilegedPorts: define({
    variable: "FRONTDESK_WEBHOOK_PRIVILEGED_PORTS",
    meaning: "Ports below 1024 that webhooks may have beside 80 and 443, separated by commas; none for none",
    fallback: "none",
    example: "8,99",
    codec: SettingCodecs.read(
      Schema.Array(Schema.Int),
      SettingCodecs.list(SettingCodecs.number("a port from 1 to 1023", (port) => port >= 1 && port <= 1023))
    )
  }),
  webhookRetryDelays: define({
    variable: "FRONTDESK_WEBHOOK_RETRY_DELAYS",
    meaning: "How long to wait before each retry of a webhook, 20 at most, separated by commas; none for no retry",
    fallback: "1 minute,5 minutes,30 minutes",
    example: "1 minute,5 minutes,30 minutes",
    codec: SettingCodecs.read(Schema.Array(Schema.Duration), retryDelays)
  }),
  webhookTimeout: define({
    variable: "FRONTDESK_WEBHOOK_TIMEOUT",
    meaning: "How long the receiver of a webhook may take to answer",
    fallback: "10 seconds",
    example: "10 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.duration)
  }),
  webhookLease: define({
    variable: "FRONTDESK_WEBHOOK_LEASE",
    meaning: "For how long a process has a delivery to itself; 10 seconds longer than the timeout, or more",
    fallback: "30 seconds",
    example: "30 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.duration)
  }),
  webhookHeaderPrefix: define({
    variable: "FRONTDESK_WEBHOOK_HEADER_PREFIX",
    meaning: "What the Signature, Delivery-ID and Event headers of webhooks begin with",
    fallback: defaultPrefix,
    example: "X-Acme-",
    codec: SettingCodecs.read(Schema.String, matching("1 to 64 letters, digits and hyphens, not webhook-", prefixForm))
  }),
  webhookRetention: define({
    variable: "FRONTDESK_WEBHOOK_RETENTION",
    meaning:
      "For how long webhook events are kept with their deliveries, from when they happened: 1 hour or more; off for ever",
    fallback: "30 days",
    example: "30 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  callRetention: define({
    variable: "FRONTDESK_CALL_RETENTION",
    meaning: "For how long calls are stored, from their end: 1 hour or more; off for ever",
    fallback: "off",
    example: "365 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  transcriptRetention: define({
    variable: "FRONTDESK_TRANSCRIPT_RETENTION",
    meaning:
      "For how long transcripts, summaries and recording addresses are stored, from the end of a call; off for ever",
    fallback: "off",
    example: "90 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  secretKeys: define({
    variable: "FRONTDESK_SECRET_KEYS",
    meaning: "The keys that seal kept secrets, version:key separated by commas; the first one seals, all open",
    fallback: "",
    fallbackInWords: "none",
    example: "v1:$(frontdesk secrets generate-key)",
    isSecret: true,
    codec: SettingCodecs.read(Keyring.Keyring, Keyring.parse)
  }),
  secretKeysFile: define({
    variable: "FRONTDESK_SECRET_KEYS_FILE",
    meaning: "A file with the keys that seal kept secrets, in place of FRONTDESK_SECRET_KEYS",
    fallback: "",
    fallbackInWords: "none",
    example: "/run/secrets/frontdesk-keys",
    codec: SettingCodecs.read(Schema.NullOr(Keyring.Keyring), SettingCodecs.orNull(keyringFile))
  }),
  ...callSettings,
  ...mailSettings,
  ...calendarSettings,
  logLevel: define({
    variable: "FRONTDESK_LOG_LEVEL",
    meaning: "The least important messages that are logged: trace, debug, info, warn, error, fatal or none",
    fallback: "info",
    example: "debug",
    codec: SettingCodecs.read(LogLevel, logLevel)
  }),
  logFormat: define({
    variable: "FRONTDESK_LOG_FORMAT",
    meaning: "How messages are logged: pretty for people, json for machines",
    fallback: "",
    fallbackInWords: "pretty on a terminal, else json",
    example: "json",
    codec: SettingCodecs.read(
      Schema.NullOr(LogFormat),
      SettingCodecs.orNull(SettingCodecs.choice({ pretty: "pretty", json: "json" } as const))
    )
  }),
  metrics: define({
    variable: "FRONTDESK_METRICS",
    meaning: "Serves metrics at /metrics in the text form of Prometheus, to everyone",
    fallback: "false",
    example: "true",
    isSwitch: true,
    codec: SettingCodecs.read(Schema.Boolean, SettingCodecs.boolean)
  }),
  otlpUrl: define({
    variable: "FRONTDESK_OTLP_URL",
    meaning: "Where traces, metrics and logs are sent over OTLP/HTTP; /v1/traces and so on are added",
    fallback: "",
    fallbackInWords: "nowhere",
    example: "http://localhost:4318",
    codec: SettingCodecs.read(Schema.NullOr(Schema.String), SettingCodecs.orNull(SettingCodecs.baseUrl))
  })
}
