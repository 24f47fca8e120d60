import type * as PgPool from "@effect/sql-pg/PgPool"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { PostgresConfig } from "../PostgresConfig.ts"
import * as ConnectionUrl from "./ConnectionUrl.ts"

/** A configuration with its defaults, checked: what the driver is told, and what is seen to here, in milliseconds. */
export interface Options {
  readonly pool: PgPool.Config
  /** The connections of workers; null when they share those of the pool. */
  readonly workerPool: PgPool.Config | null
  /** The connection that listens; null when there can be none. */
  readonly listen: PgPool.Config | null
  readonly acquireTimeout: number
  /** How long an answer may stay out. */
  readonly patience: number
}

/** How much later than the server a statement is given up here. */
const margin = 2_000

/** How long a connection may be silent before the operating system asks whether the other end is still there. */
const keepAlive = Duration.seconds(10)

/** The longest a timeout of the server can be, in milliseconds. */
const longest = 2 ** 31 - 1

const timeouts = {
  acquireTimeout: Duration.seconds(5),
  statementTimeout: Duration.seconds(10),
  lockTimeout: Duration.seconds(5),
  idleInTransactionTimeout: Duration.seconds(10)
}

/** Reads a configuration. The failure names the field that is wrong and shows no value. */
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
      return value >= 1 && (value <= longest || value === Infinity)
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
      return yield* Result.fail("listenUrl is for a database behind a pooler alone")
    }

    const common = {
      connectTimeout: config.connectTimeout,
      keepAlive,
      // The name of a URL counts before the default, and what is given here before both.
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
      patience: statementTimeout + margin
    }
  })

/** A timeout as the server takes it: 0 is none. */
const serverTimeout = (millis: number): string => String(millis === Infinity ? 0 : Math.ceil(millis))

const nameOf = ({ url }: PostgresConfig): string | undefined =>
  url === undefined ? undefined : ConnectionUrl.parameter(url, "application_name")
