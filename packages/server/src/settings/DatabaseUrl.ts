import { Cell } from "@frontdesk/core/access/Cell"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as PostgresConfig from "@frontdesk/storage-postgres/PostgresConfig"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Options for PostgreSQL. An absent option has the default of `storage-postgres`. */
const PostgresOptions = Schema.Struct({
  maxConnections: Schema.optionalKey(Schema.Int),
  workerConnections: Schema.optionalKey(Schema.Int),
  statementTimeout: Schema.optionalKey(Schema.Duration),
  pooler: Schema.optionalKey(Schema.Literal("transaction")),
  listenUrl: Schema.optionalKey(Schema.Redacted(Schema.String)),
  cell: Schema.optionalKey(Cell)
})

/** Options for PostgreSQL. An absent option has the default of `storage-postgres`. */
export type PostgresOptions = typeof PostgresOptions.Type

/** The database: a SQLite file, a SQLite database in memory that ends with the process, or PostgreSQL. */
export const DatabaseUrl = Schema.TaggedUnion({
  File: { path: Schema.NonEmptyString },
  Memory: {},
  /** The URL is redacted, because it may contain a password. */
  Postgres: { url: Schema.Redacted(Schema.String), options: Schema.optionalKey(PostgresOptions) }
})

/** The database: a SQLite file, a SQLite database in memory, or PostgreSQL. */
export type DatabaseUrl = typeof DatabaseUrl.Type

const expected = "sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE"

/**
 * Parses the URL of a PostgreSQL database. Fails with the expected form when the text is not such a URL, has no database
 * name, or has a parameter that the storage does not support.
 */
export const parsePostgres: TextReader<Redacted.Redacted> = (text) => {
  const url = /^postgres(ql)?:/i.test(text) ? URL.parse(text) : null
  // Without a database name PostgreSQL would use the database that is named like the user.
  if (url === null || url.hostname === "" || url.pathname.length < 2) {
    return Result.fail("postgres://USER:PASSWORD@HOST:PORT/DATABASE")
  }
  const redacted = Redacted.make(text, { label: "database url" })
  const problem = PostgresConfig.problem({ url: redacted })
  return problem === undefined
    ? Result.succeed(redacted)
    : Result.fail(`a URL that can be used; in this one, ${problem.replace(/^url: /, "")}`)
}

/** Parses `sqlite:PATH`, `sqlite::memory:` or the URL of a PostgreSQL database. Fails with the expected form. */
export const parse: TextReader<DatabaseUrl> = (text) => {
  if (/^postgres(ql)?:/i.test(text)) {
    return Result.map(parsePostgres(text), (url): DatabaseUrl => ({ _tag: "Postgres", url }))
  }
  if (text === "sqlite::memory:") return Result.succeed({ _tag: "Memory" })
  const path = text.replace(/^sqlite:/, "")
  // Two slashes would begin a host name, and a file has none.
  const isPath = path !== text && path !== "" && !/^(\/\/[^/]|:)/.test(path)
  return isPath ? Result.succeed({ _tag: "File", path }) : Result.fail(expected)
}

/** Returns the database as text for messages, without a password. */
export const show = (database: DatabaseUrl): string => {
  if (database._tag === "File") return database.path
  return database._tag === "Memory" ? "in memory" : PostgresConfig.show({ url: database.url })
}

/** Returns the database with the options if it is PostgreSQL, and unchanged otherwise. */
export const withOptions = (database: DatabaseUrl, options: PostgresOptions): DatabaseUrl =>
  database._tag === "Postgres" ? { ...database, options } : database
