import type { Cell } from "@frontdesk/core/access/Cell"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"

/** How connections are encrypted. */
export interface PostgresTls {
  /** Certificates in PEM format of the authorities to trust. Default: those of Node. */
  readonly ca?: string | undefined
  /**
   * What is checked. `full` (the default): a trusted authority has signed the certificate, and it names the host. `ca`:
   * a trusted authority has signed the certificate. `none`: nothing, so an attacker between client and server could
   * read everything.
   */
  readonly verify?: "full" | "ca" | "none" | undefined
}

/** The address of a PostgreSQL database and how it is used. A field takes precedence over the same value in the URL. */
export interface PostgresConfig {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the libpq parameters `application_name`, `connect_timeout`,
   * `dbname`, `host`, `options`, `password`, `port`, `sslmode`, `sslrootcert` and `user`. `channel_binding` is ignored
   * unless it is `require`, which is an error. Any other parameter is an error, because it would have no effect
   * (D-PG-7).
   */
  readonly url?: Redacted.Redacted | undefined
  /** Default: `localhost`. A host that begins with `/` is the folder of a Unix socket. */
  readonly host?: string | undefined
  /** Default: 5432. */
  readonly port?: number | undefined
  readonly database?: string | undefined
  /** Default: the user of the process. */
  readonly username?: string | undefined
  readonly password?: Redacted.Redacted | undefined
  /**
   * Whether connections are encrypted. `true` checks everything. Default: the `sslmode` of the URL, or no encryption.
   */
  readonly ssl?: boolean | PostgresTls | undefined
  /** The maximum number of open connections, without the one that listens. Default: 10. */
  readonly maxConnections?: number | undefined
  /**
   * The maximum number of further connections that only workers use (`CurrentWorkload` of core), so that workers do not
   * wait behind requests. Default: workers share the connections of requests.
   */
  readonly workerConnections?: number | undefined
  /** How long opening a connection may take. Default: the value in the URL, or 5 seconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /** How long a statement or a transaction waits for a free connection. Default: 5 seconds. */
  readonly acquireTimeout?: Duration.Input | undefined
  /**
   * How long a statement may take. Default: 10 seconds. Then the server cancels it. If the server does not respond for
   * 2 more seconds, the statement fails and its connection is closed. With an infinite duration neither happens.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /** How long a statement waits for a lock of another transaction. Default: 5 seconds. */
  readonly lockTimeout?: Duration.Input | undefined
  /**
   * How long a transaction may be idle before the server ends it, which releases the locks of a frozen process.
   * Default: 10 seconds.
   */
  readonly idleInTransactionTimeout?: Duration.Input | undefined
  /**
   * The number of the cell, from 0 to 8191, when several databases have one share of the accounts each (D-STO-14). A new
   * database becomes this cell. For a database with data it must be the cell that it is. Default: the cell of the
   * database, which is 0 for a new one.
   */
  readonly cell?: Cell | undefined
  /** The name of the connections in views of the server. Default: `frontdesk`. */
  readonly applicationName?: string | undefined
  /**
   * Set it when a pooler in transaction mode, such as PgBouncer, is in front of the database. Then no statement is
   * prepared by name and no session setting is made. The timeouts of the server are those of the role, and the client
   * only ends statements that get no response.
   */
  readonly pooler?: "transaction" | undefined
  /**
   * The URL of the database without the pooler, for the connection that listens for notifications, which needs a
   * session of its own. Without it, nodes behind a pooler receive no notifications and find all work by polling.
   */
  readonly listenUrl?: Redacted.Redacted | undefined
  /** Attributes for the span of every statement and transaction. */
  readonly spanAttributes?: Record<string, unknown> | undefined
}
