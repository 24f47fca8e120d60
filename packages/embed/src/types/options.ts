import type { Texts } from "@frontdesk/agent-tools/Texts"
import type { HostPool } from "@frontdesk/storage-postgres/host/HostClient"
import type { CallOptions, Permission } from "./common.ts"
import type { CalendarOptions, CallProviderOptions, MailOptions } from "./providers.ts"

export type { HostClient, HostPool } from "@frontdesk/storage-postgres/host/HostClient"

/** Where everything is stored. */
export type StorageOptions =
  /** In the memory of the process. For tests: everything is gone when the process ends. */
  | { readonly memory: true }
  /** In a SQLite file of one process, which is created when it is absent. */
  | { readonly sqlite: string }
  /** In a PostgreSQL database that any number of processes share. */
  | { readonly postgres: string | PostgresOptions | PoolOptions }

/** A PostgreSQL database, to which Frontdesk opens its own connections. */
export interface PostgresOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string
  /** The schema of the tables, which is created when it is absent. Default: `frontdesk`. */
  readonly schema?: string | undefined
  /** The maximum number of connections of this process. Default: 10. */
  readonly maxConnections?: number | undefined
}

/** The connections of the program to a PostgreSQL database. */
export interface PoolOptions {
  /** A pool of node-postgres. It stays open after `close`. */
  readonly pool: HostPool
  /** The schema of the tables, which is created when it is absent. Default: `frontdesk`. */
  readonly schema?: string | undefined
}

/** How webhooks are sent. */
export interface WebhookOptions {
  /** The prefix of the names of the webhook headers. Default: `X-Service-`. */
  readonly headerPrefix?: string | undefined
  /** Whether `http:` and private addresses are allowed. For development. Default: false. */
  readonly allowInsecure?: boolean | undefined
  /** The wait before each retry: text such as "5 minutes", or milliseconds. Default: 1, 5 and 30 minutes. */
  readonly retryDelays?: ReadonlyArray<string | number> | undefined
  /** The timeout of a request: text such as "10s", or milliseconds. Default: 10 seconds. */
  readonly timeout?: string | number | undefined
}

/** Receives what Frontdesk logs. `console` and the loggers of pino and winston are such objects. */
export interface HostLogger {
  debug(...values: Array<unknown>): unknown
  info(...values: Array<unknown>): unknown
  warn(...values: Array<unknown>): unknown
  error(...values: Array<unknown>): unknown
}

/** The name of a background worker. */
export type WorkerName =
  | "webhook-deliveries"
  | "webhook-retention"
  | "reminders"
  | "outbox"
  | "call-events"
  | "call-reconciler"
  | "call-reservations"
  | "call-retention"
  | "idempotency-retention"
  | "booking-retention"
  | "fund-retention"
  | "contact-imports"
  | "statistics"
  | "session-retention"
  | "audit-retention"

/** The options of `Frontdesk.open`. */
export interface FrontdeskOptions {
  readonly storage: StorageOptions
  readonly webhooks?: WebhookOptions | undefined
  /** The call provider. Default: calls are simulated. */
  readonly callProvider?: CallProviderOptions | undefined
  /** Default: no mail is sent. */
  readonly mail?: MailOptions | undefined
  /** Default: accounts can connect calendars of CalDAV servers only. */
  readonly calendars?: CalendarOptions | undefined
  /**
   * The texts that the tools of agents say, one entry for each language besides English. An account speaks the language of
   * its setting `language`. `@frontdesk/agent-tools/English` has the texts in English.
   */
  readonly languages?: ReadonlyArray<Texts> | undefined
  /**
   * The keys that encrypt stored secrets: `version:key` pairs separated by commas, each key 32 bytes in base64. The first one
   * encrypts, the others only decrypt. Default: secrets are stored as they are.
   */
  readonly secretKeys?: string | undefined
  /** Default: warnings and errors go to `console`. */
  readonly logger?: HostLogger | undefined
  /**
   * The public URL of the dashboard, such as `https://app.example.com/voice/dashboard`. Mails with sign-in links lead to it.
   * Default: no such mails are sent.
   */
  readonly dashboardUrl?: string | undefined
  /** The workers of this process: all, none, or some. Default: all. Some process must run each of them. */
  readonly workers?: boolean | ReadonlyArray<WorkerName> | undefined
}

/** The options of `frontdesk.as`. */
export interface CallerOptions {
  /** What the caller may do. `"*"` means everything, which is the default. */
  readonly permissions?: ReadonlyArray<Permission | "*"> | undefined
}

/** The options of `frontdesk.provision`. */
export interface ProvisionOptions extends CallOptions {}

/** The options of `frontdesk.close`. */
export interface CloseOptions {
  /** How long to wait for running calls and deliveries: text such as "10s", or milliseconds. Default: 10 seconds. */
  readonly within?: string | number | undefined
}
