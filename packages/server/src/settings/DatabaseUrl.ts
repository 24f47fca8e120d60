import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as PostgresConfig from "@frontdesk/storage-postgres/PostgresConfig"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** How PostgreSQL is used, where that is not the default of its storage. */
const PostgresOptions = Schema.Struct({
  maxConnections: Schema.optionalKey(Schema.Int),
  workerConnections: Schema.optionalKey(Schema.Int),
  statementTimeout: Schema.optionalKey(Schema.Duration),
  pooler: Schema.optionalKey(Schema.Literal("transaction")),
  listenUrl: Schema.optionalKey(Schema.Redacted(Schema.String))
})

/** How PostgreSQL is used, where that is not the default of its storage. */
export type PostgresOptions = typeof PostgresOptions.Type

/** Where the data is kept: a SQLite file, a SQLite database in memory that ends with the process, or PostgreSQL. */
export const DatabaseUrl = Schema.TaggedUnion({
  File: { path: Schema.NonEmptyString },
  Memory: {},
  /** Its URL holds a password. */
  Postgres: { url: Schema.Redacted(Schema.String), options: Schema.optionalKey(PostgresOptions) }
})

/** Where the data is kept. */
export type DatabaseUrl = typeof DatabaseUrl.Type

const expected = "sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE"

/** Reads the URL of a PostgreSQL database. */
export const parsePostgres: TextReader<Redacted.Redacted> = (text) => {
  const url = /^postgres(ql)?:/i.test(text) ? URL.parse(text) : null
  // Without a name the server would choose one of its own, after the user.
  if (url === null || url.hostname === "" || url.pathname.length < 2) {
    return Result.fail("postgres://USER:PASSWORD@HOST:PORT/DATABASE")
  }
  const redacted = Redacted.make(text, { label: "database url" })
  const problem = PostgresConfig.problem({ url: redacted })
  return problem === undefined
    ? Result.succeed(redacted)
    : Result.fail(`a URL that can be used; in this one, ${problem.replace(/^url: /, "")}`)
}

/** Reads `sqlite:PATH`, `sqlite::memory:`, and the URL of a PostgreSQL database. */
export const parse: TextReader<DatabaseUrl> = (text) => {
  if (/^postgres(ql)?:/i.test(text)) {
    return Result.map(parsePostgres(text), (url): DatabaseUrl => ({ _tag: "Postgres", url }))
  }
  if (text === "sqlite::memory:") return Result.succeed({ _tag: "Memory" })
  const path = text.replace(/^sqlite:/, "")
  // Two slashes would be a host, which a file has not.
  const isPath = path !== text && path !== "" && !/^(\/\/[^/]|:)/.test(path)
  return isPath ? Result.succeed({ _tag: "File", path }) : Result.fail(expected)
}

/** The database as it may be shown: without a password. */
export const show = (database: DatabaseUrl): string => {
  if (database._tag === "File") return database.path
  return database._tag === "Memory" ? "in memory" : PostgresConfig.show({ url: database.url })
}

/** The database, used so where it is PostgreSQL. */
export const withOptions = (database: DatabaseUrl, options: PostgresOptions): DatabaseUrl =>
  database._tag === "Postgres" ? { ...database, options } : database
