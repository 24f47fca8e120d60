import { McpRoute } from "@frontdesk/agent-tools"
import { defaultMaxCachedKeys } from "@frontdesk/core/access/AccessCache"
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
import { databaseUrl, postgresSettings } from "./DatabaseSettings.ts"
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

const maxCachedKeys: TextReader<number> = (text) =>
  text.trim() === "off"
    ? Result.succeed(0)
    : SettingCodecs.number(
        "a whole number from 1 to 100000, or off",
        (count) => Number.isInteger(count) && count >= 1 && count <= 100_000
      )(text)

/**
 * The minimum retention. The server deletes older records as soon as it starts, so a mistyped unit could delete almost
 * everything.
 */
const minRetention = Duration.hours(1)

/** The maximum retention, a hundred years. A longer one has the same effect as `off`. */
const maxRetention = Duration.days(36_500)

const retention: TextReader<Duration.Duration | null> = (text) => {
  if (text.trim() === "off") return Result.succeed(null)
  const span = SettingCodecs.duration(text)
  return Result.isSuccess(span) && Duration.between(span.success, { minimum: minRetention, maximum: maxRetention })
    ? span
    : Result.fail(
        `a time span from ${Duration.toHours(minRetention)} hour to ${Duration.toDays(maxRetention)} days, or off`
      )
}

const retryDelays: TextReader<ReadonlyArray<Duration.Duration>> = (text) =>
  Result.filterOrFail(
    SettingCodecs.list(SettingCodecs.duration)(text),
    (delays) => delays.length <= maxRetries,
    () => `at most ${maxRetries} time spans separated by commas, or none`
  )

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

/** All settings of the server, in the order of `docs/settings.md`. */
export const settings = {
  databaseUrl,
  ...postgresSettings,
  host: define({
    variable: "FRONTDESK_HOST",
    meaning: "The address to listen on; 0.0.0.0 for all addresses",
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
    meaning: "all: API and background work; none: only the API; only: only background work and /health",
    fallback: "all",
    example: "none",
    codec: SettingCodecs.read(WorkersChoice, SettingCodecs.oneOf(["all", "none", "only"]))
  }),
  corsOrigins: define({
    variable: "FRONTDESK_CORS_ORIGINS",
    meaning: "The origins whose pages may call the API from a browser, separated by commas",
    fallback: "",
    fallbackInWords: "none",
    example: "https://app.example.com,https://admin.example.com",
    codec: Origins
  }),
  mcpCallHeader: define({
    variable: "FRONTDESK_MCP_CALL_HEADER",
    meaning: "The header in which an MCP client names the call in which it uses the tools",
    fallback: McpRoute.defaultCallHeader,
    example: "X-LiveKit-Call",
    codec: SettingCodecs.read(Schema.String, matching("1 to 64 letters, digits and hyphens", /^[A-Za-z0-9-]{1,64}$/))
  }),
  maxBodySize: define({
    variable: "FRONTDESK_MAX_BODY_SIZE",
    meaning: "Maximum size of the body of a request",
    fallback: "1 MiB",
    example: "1 MiB",
    codec: SettingCodecs.read(Schema.Int, SettingCodecs.byteSize)
  }),
  shutdownDelay: define({
    variable: "FRONTDESK_SHUTDOWN_DELAY",
    meaning: "How long requests are accepted after SIGTERM, while GET /health answers 503, for a load balancer",
    fallback: "0 seconds",
    example: "15 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.durationBetween(Duration.zero, Duration.minutes(10)))
  }),
  shutdownTimeout: define({
    variable: "FRONTDESK_SHUTDOWN_TIMEOUT",
    meaning: "How long running requests and background work may take to finish after SIGTERM and the delay",
    fallback: "11 seconds",
    example: "11 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.durationBetween(Duration.seconds(1), Duration.hours(1)))
  }),
  maxRequests: define({
    variable: "FRONTDESK_MAX_REQUESTS",
    meaning: "Maximum number of API requests that wait or run; more are refused with 503; off for no limit",
    fallback: "256",
    example: "256",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Int), maxRequests)
  }),
  maxConcurrentRequests: define({
    variable: "FRONTDESK_MAX_CONCURRENT_REQUESTS",
    meaning:
      "Maximum number of API requests that run at once; others wait, and accounts take turns. More helps only with a distant PostgreSQL",
    fallback: "8",
    example: "8",
    codec: SettingCodecs.read(Schema.Int, maxConcurrentRequests)
  }),
  rateLimit: define({
    variable: "FRONTDESK_RATE_LIMIT",
    meaning: "How many ordinary requests a key, or an address without a key, may make in a time, or off",
    fallback: "600/60s",
    example: "600/60s",
    codec: SettingCodecs.read(Schema.NullOr(RateLimit), rateLimit)
  }),
  trustedProxies: define({
    variable: "FRONTDESK_TRUSTED_PROXIES",
    meaning:
      "How many proxies are before the server, each of which adds the address of its client to X-Forwarded-For; 0: the header is not read",
    fallback: "0",
    example: "1",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number("a number from 0 to 10", (proxies) => Number.isInteger(proxies) && proxies <= 10)
    )
  }),
  maxCachedKeys: define({
    variable: "FRONTDESK_MAX_CACHED_KEYS",
    meaning:
      "Maximum number of API keys that are cached for at most a second, or off; a key that another process revokes may work that long",
    fallback: String(defaultMaxCachedKeys),
    example: "5000",
    codec: SettingCodecs.read(Schema.Int, maxCachedKeys)
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
    meaning: "Ports below 1024 that webhooks may use beside 80 and 443, separated by commas",
    fallback: "none",
    example: "8,99",
    codec: SettingCodecs.read(
      Schema.Array(Schema.Int),
      SettingCodecs.list(SettingCodecs.number("a port from 1 to 1023", (port) => port >= 1 && port <= 1023))
    )
  }),
  webhookRetryDelays: define({
    variable: "FRONTDESK_WEBHOOK_RETRY_DELAYS",
    meaning: "The waits before the retries of a delivery, separated by commas: at most 20 waits; none for no retry",
    fallback: "1 minute,5 minutes,30 minutes",
    example: "1 minute,5 minutes,30 minutes",
    codec: SettingCodecs.read(Schema.Array(Schema.Duration), retryDelays)
  }),
  webhookTimeout: define({
    variable: "FRONTDESK_WEBHOOK_TIMEOUT",
    meaning: "Timeout for the answer of a webhook's receiver",
    fallback: "10 seconds",
    example: "10 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.duration)
  }),
  webhookLease: define({
    variable: "FRONTDESK_WEBHOOK_LEASE",
    meaning: "How long a claimed delivery belongs to one process; at least 10 seconds longer than the timeout",
    fallback: "30 seconds",
    example: "30 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.duration)
  }),
  webhookHeaderPrefix: define({
    variable: "FRONTDESK_WEBHOOK_HEADER_PREFIX",
    meaning: "Prefix of the Signature, Delivery-ID and Event headers of webhooks",
    fallback: defaultPrefix,
    example: "X-Acme-",
    codec: SettingCodecs.read(Schema.String, matching("1 to 64 letters, digits and hyphens, not webhook-", prefixForm))
  }),
  webhookRetention: define({
    variable: "FRONTDESK_WEBHOOK_RETENTION",
    meaning: "How long webhook events are stored with their deliveries: 1 hour or more; off for no limit",
    fallback: "30 days",
    example: "30 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  callRetention: define({
    variable: "FRONTDESK_CALL_RETENTION",
    meaning: "How long calls are stored after their end: 1 hour or more; off for no limit",
    fallback: "off",
    example: "365 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  transcriptRetention: define({
    variable: "FRONTDESK_TRANSCRIPT_RETENTION",
    meaning:
      "How long transcripts, summaries, recording addresses and the contents of tool calls are stored after the end of a call; off for no limit",
    fallback: "off",
    example: "90 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  auditRetention: define({
    variable: "FRONTDESK_AUDIT_RETENTION",
    meaning: "How long entries of the audit log are stored, 1 hour or more; off for no limit",
    fallback: "400 days",
    example: "400 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  movementRetention: define({
    variable: "FRONTDESK_MOVEMENT_RETENTION",
    meaning: "How long the movements of balances are listed one by one, 1 hour or more; off for no limit",
    fallback: "400 days",
    example: "400 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  importRetention: define({
    variable: "FRONTDESK_IMPORT_RETENTION",
    meaning:
      "How long an import of contacts is stored after its last change, with its refused lines, 1 hour or more; off for no limit",
    fallback: "30 days",
    example: "30 days",
    codec: SettingCodecs.read(Schema.NullOr(Schema.Duration), retention)
  }),
  secretKeys: define({
    variable: "FRONTDESK_SECRET_KEYS",
    meaning: "The keys that seal stored secrets, version:key separated by commas; the first one seals, all can open",
    fallback: "",
    fallbackInWords: "none",
    example: "v1:$(frontdesk secrets generate-key)",
    isSecret: true,
    codec: SettingCodecs.read(Keyring.Keyring, Keyring.parse)
  }),
  secretKeysFile: define({
    variable: "FRONTDESK_SECRET_KEYS_FILE",
    meaning: "A file with the keys that seal stored secrets, instead of FRONTDESK_SECRET_KEYS",
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
    meaning: "The lowest level that is logged: trace, debug, info, warn, error, fatal or none",
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
    codec: SettingCodecs.read(Schema.NullOr(LogFormat), SettingCodecs.orNull(SettingCodecs.oneOf(["pretty", "json"])))
  }),
  metrics: define({
    variable: "FRONTDESK_METRICS",
    meaning: "Serves metrics at /metrics in the text format of Prometheus, without a key",
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
