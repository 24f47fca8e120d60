import type * as PgPool from "@effect/sql-pg/PgPool"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { PostgresConfig } from "./ClientConfig.ts"
import * as ConnectionUrl from "./ConnectionUrl.ts"

/**
 * A checked configuration with its defaults: the options of the driver, and the timeouts of this package in
 * milliseconds.
 */
export interface Options {
  /** The pool of requests, and of workers when `workerPool` is null. */
  readonly pool: PgPool.Config
  /** The pool of workers, or null when workers use `pool`. */
  readonly workerPool: PgPool.Config | null
  /** The connection that listens, or null when there can be none. */
  readonly listen: PgPool.Config | null
  /** How long a statement waits for a free connection. */
  readonly acquireTimeout: number
  /** How long a response may take. */
  readonly responseTimeout: number
}

/** How long after PostgreSQL's own timeout this package fails a statement without a response, in milliseconds. */
const margin = 2_000

/** The idle time of a connection after which the operating system checks whether the other end still exists. */
const keepAlive = Duration.seconds(10)

/** The maximum timeout that PostgreSQL accepts, in milliseconds. */
const maxMillis = 2 ** 31 - 1

/** The timeouts that a configuration has by default. */
export const timeouts = {
  acquireTimeout: Duration.seconds(5),
  statementTimeout: Duration.seconds(10),
  lockTimeout: Duration.seconds(5),
  idleInTransactionTimeout: Duration.seconds(10)
}

/** Checks a configuration. The failure names the field that is wrong and shows no value. */
export const make = (config: PostgresConfig): Result.Result<Options, string> =>
  Result.gen(function* () {
    const maxConnections = config.maxConnections ?? 10
    if (!Number.isInteger(maxConnections) || maxConnections < 1) {
      return yield* Result.fail("maxConnections must be a whole number above 0")
    }
    const workerConnections = config.workerConnections ?? null
    if (workerConnections !== null && (!Number.isInteger(workerConnections) || workerConnections < 1)) {
      return yield* Result.fail("workerConnections must be a whole number above 0")
    }
    const port = config.port ?? 5432
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      return yield* Result.fail("port must be a whole number from 1 to 65535")
    }
    const millis = (name: keyof typeof timeouts): Result.Result<number, string> => {
      const given = config[name]
      const span = given === undefined ? Option.some(timeouts[name]) : Duration.fromInput(given)
      const value = Option.match(span, { onNone: () => 0, onSome: Duration.toMillis })
      return value >= 1 && (value <= maxMillis || value === Infinity)
        ? Result.succeed(value)
        : Result.fail(`${name} must be a time span from 1 millisecond to 24 days, or infinite`)
    }
    const acquireTimeout = yield* millis("acquireTimeout")
    const statementTimeout = yield* millis("statementTimeout")
    const session = {
      statement_timeout: serverTimeout(statementTimeout),
      lock_timeout: serverTimeout(yield* millis("lockTimeout")),
      idle_in_transaction_session_timeout: serverTimeout(yield* millis("idleInTransactionTimeout"))
    }
    const tls = (name: "url" | "listenUrl") => {
      const url = config[name]
      const wanted = url === undefined ? Result.succeed(false) : ConnectionUrl.tlsOf(url)
      return Result.mapBoth(wanted, {
        onFailure: (problem) => `${name}: ${problem}`,
        onSuccess: (found) => ConnectionUrl.tlsOptions(config.ssl ?? found)
      })
    }
    if (config.listenUrl !== undefined && config.pooler === undefined) {
      return yield* Result.fail("listenUrl needs pooler: without a pooler, Frontdesk listens through url")
    }

    const common = {
      connectTimeout: config.connectTimeout,
      keepAlive,
      // The field takes precedence over the URL, and the URL over the default.
      applicationName: config.applicationName ?? nameOf(config) ?? "frontdesk"
    }
    const ssl = yield* tls("url")
    const address = {
      url: config.url && ConnectionUrl.forDriver(config.url),
      host: config.host,
      port: config.port,
      database: config.database,
      username: config.username,
      password: config.password
    }
    const direct = { ...common, ...address, ssl }
    const pool = {
      ...direct,
      maxConnections,
      // A session pipelines the statements of its user. No two users share one.
      multiplex: true,
      multiplexConcurrency: 1,
      ...(config.pooler === undefined ? { startupParameters: session } : { prepare: false })
    }
    return {
      pool,
      workerPool: workerConnections === null ? null : { ...pool, maxConnections: workerConnections },
      listen:
        config.pooler === undefined
          ? direct
          : config.listenUrl === undefined
            ? null
            : { ...common, ssl: yield* tls("listenUrl"), url: ConnectionUrl.forDriver(config.listenUrl) },
      acquireTimeout,
      responseTimeout: statementTimeout + margin
    }
  })

/** Returns a timeout as a setting of PostgreSQL, in which 0 means no timeout. */
export const serverTimeout = (millis: number): string => String(millis === Infinity ? 0 : Math.ceil(millis))

const nameOf = ({ url }: PostgresConfig): string | undefined =>
  url === undefined ? undefined : ConnectionUrl.parameter(url, "application_name")
