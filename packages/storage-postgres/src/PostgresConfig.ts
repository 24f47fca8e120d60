import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as PoolOptions from "./client/PoolOptions.ts"
import * as ConnectionUrl from "./client/ConnectionUrl.ts"

/** How a connection is encrypted. */
export interface PostgresTls {
  /** The certificates in PEM of the authorities that may have signed the server's; those Node trusts unless given. */
  readonly ca?: string | undefined
  /**
   * What is checked. `full` (the default): an authority has signed the certificate, and it names the host. `ca`: an
   * authority has signed it. `none`: nothing, so that whoever stands between may read along.
   */
  readonly verify?: "full" | "ca" | "none" | undefined
}

/** Where a PostgreSQL database is, and how it is used. What is given by itself counts before what the URL says. */
export interface PostgresConfig {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters of libpq `sslmode`, `sslrootcert`,
   * `application_name`, `connect_timeout` and `options`. Another parameter is refused, because what it asks for would
   * not be done.
   */
  readonly url?: Redacted.Redacted | undefined
  /** `localhost` unless given; one that begins with `/` is the folder of a Unix socket. */
  readonly host?: string | undefined
  /** 5432 unless given. */
  readonly port?: number | undefined
  readonly database?: string | undefined
  /** Who the process runs as unless given. */
  readonly username?: string | undefined
  readonly password?: Redacted.Redacted | undefined
  /** Whether connections are encrypted; `true` is with every check. Off unless the URL has a `sslmode`. */
  readonly ssl?: boolean | PostgresTls | undefined
  /** How many connections are open at most, without the one that listens; 10 by default. */
  readonly maxConnections?: number | undefined
  /**
   * How many further connections are open at most for workers (`CurrentWorkload` of core), so that they do not wait behind
   * requests; without it they share those above.
   */
  readonly workerConnections?: number | undefined
  /** How long a connection may take to open; what the URL says, else 5 seconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /** How long a statement or a transaction waits for a connection; 5 seconds by default. */
  readonly acquireTimeout?: Duration.Input | undefined
  /**
   * How long a statement may take; 10 seconds by default. The server ends it then; a server that does not even do that
   * for 2 seconds more is given up, and the connection with it. Infinite: neither.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /** How long a statement waits for the lock of another transaction; 5 seconds by default. */
  readonly lockTimeout?: Duration.Input | undefined
  /**
   * How long a transaction may do nothing until the server ends it, which frees the rows that a frozen process holds; 10
   * seconds by default.
   */
  readonly idleInTransactionTimeout?: Duration.Input | undefined
  /** The name under which the server shows connections; `frontdesk` by default. */
  readonly applicationName?: string | undefined
  /**
   * Set when a pooler in transaction mode, PgBouncer for example, stands before the database. Then no statement is
   * prepared under a name and nothing is set for a session: the server's timeouts are what the role has, and here only
   * an answer that stays out is given up.
   */
  readonly pooler?: "transaction" | undefined
  /**
   * The database past the pooler, for the one connection that listens for notifications, which needs a session of its
   * own. Without it, behind a pooler, nothing is heard and all is found by asking.
   */
  readonly listenUrl?: Redacted.Redacted | undefined
  /** Attributes for the span of every statement and transaction. */
  readonly spanAttributes?: Record<string, unknown> | undefined
}

/** What is wrong with a configuration as far as that shows without a connection; it names the field and no value. */
export const problem = (config: PostgresConfig): string | undefined =>
  Result.match(PoolOptions.make(config), { onFailure: (text) => text, onSuccess: () => undefined })

/** Where the database of a configuration is, as it may be shown: host, port and name. */
export const show: (config: PostgresConfig) => string = ConnectionUrl.show
