import { existsSync } from "node:fs"
import { format, Money } from "@frontdesk/core/values/Money"
import type { CopyError } from "@frontdesk/storage-sql/copy/SqlCopy"
import * as SqlCopy from "@frontdesk/storage-sql/copy/SqlCopy"
import * as Command from "effect/cli/Command"
import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as NodeCrypto from "../NodeCrypto.ts"
import { commandVariables } from "../settings/Setting.ts"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import * as Storage from "../Storage.ts"
import { type Failure, failure, rootMessage, usage } from "./CommandFailure.ts"
import * as CopyTarget from "./CopyTarget.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** The name of its sessions in PostgreSQL, which tells them from those of servers. */
const sessionName = "frontdesk copy"

/** Variables that may hold the URLs: everybody on the machine can read the arguments of a process. */
const variables = { from: commandVariables.copyFrom, to: commandVariables.copyTo } as const

const databaseFlag = (name: "from" | "to", meaning: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription(
      `${meaning}: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE; ${variables[name]} unless given`
    ),
    Flag.withFallbackConfig(Config.String(variables[name]))
  )

/** Reads where a database is; what was given is not shown, for it may hold a password. */
const read = (name: "from" | "to", text: string): Effect.Effect<DatabaseUrl.DatabaseUrl, Failure> =>
  Result.match(DatabaseUrl.parse(text), {
    onFailure: () => usage(`--${name} must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE`),
    onSuccess: (url) =>
      url._tag === "Memory" ? usage(`--${name} must be a database that outlives the command`) : Effect.succeed(url)
  })

const problems = {
  nul: "has a NUL character, which PostgreSQL does not take",
  json: "is no valid JSON, which PostgreSQL does not take",
  time: "is before the year 4714 BC, where the calendar of PostgreSQL begins"
} as const

const oneDatabase = (name: string): Failure => usage(`--from and --to are one database, ${name}`)

/** Why there is no copy, in words; in every case the target is as it was. */
const explain =
  (from: string, to: string) =>
  (error: CopyError): Failure => {
    switch (error._tag) {
      case "CopyRefused":
        return {
          same_database: oneDatabase(from),
          source_schema: failure(
            `The database ${from} is not at the present schema; "frontdesk migrate" brings it there. Nothing was copied`
          ),
          target_schema: failure(
            `The database ${to} holds an installation at another schema, and stays as it is. Name an empty database with --to`
          ),
          other_installation: failure(
            `The database ${to} holds an installation of its own, and stays as it is. Name an empty database with --to`
          ),
          target_changed: failure(
            `The database ${to} was written to since it was copied, and stays as it is. Name an empty database with --to`
          )
        }[error.reason]
      case "CopyValueRefused": {
        const key = Object.entries(error.key).map(([column, value]) => `${column} ${value}`)
        return failure(
          Output.plain(
            `Nothing was copied: in the table ${error.table} of ${from}, row ${key.join(", ")}, ${error.column} ${problems[error.problem]}`
          )
        )
      }
      case "CopyMismatch":
        return failure(`Nothing was copied: ${error.subject} in ${to} came out different from ${from}`)
      case "CopyFailed": {
        const database = error.database === "source" ? from : to
        return failure(`Nothing was copied, because the database ${database} failed: ${rootMessage(error.cause)}`)
      }
    }
  }

/** Every so many rows of a table it is said how far the copy has come. */
const step = 20_000

/** Says so when a step or the end of a table was reached since the last time. */
const progress = () => {
  let before = 0
  return ({ phase, rows, table, total }: SqlCopy.Progress): Effect.Effect<void> => {
    const last = rows > before ? before : 0
    before = rows
    return rows === total || Math.floor(rows / step) > Math.floor(last / step)
      ? Output.progress(`${phase} ${table}: ${rows} of ${total} rows`)
      : Effect.void
  }
}

/** A client for the scope. */
const opened = (url: DatabaseUrl.DatabaseUrl, layer: typeof Storage.layerClient) =>
  Effect.mapBoth(Layer.build(layer(url, sessionName)), {
    onFailure: (error) => failure(`The database ${DatabaseUrl.show(url)} cannot be opened: ${rootMessage(error)}`),
    onSuccess: (services) => Context.get(services, SqlClient)
  })

/** Refuses a target on which a server may run: it would go on with what was there before. */
const inUse = (url: DatabaseUrl.DatabaseUrl, by: string): Failure =>
  failure(`Nothing was copied, because ${DatabaseUrl.show(url)} is in use by ${by}. Stop every server on it first`)

/** `frontdesk copy`. */
export const copy = Command.make(
  "copy",
  {
    from: databaseFlag("from", "The database to copy"),
    to: databaseFlag("to", "The database to copy to, empty or a copy of the other"),
    json: Parameters.json
  },
  Effect.fnUntraced(function* ({ json, ...urls }) {
    const from = yield* read("from", urls.from)
    const to = yield* read("to", urls.to)
    if (from._tag === "File" && !existsSync(from.path)) {
      return yield* failure(`There is no database at ${from.path}`)
    }
    if (to._tag === "File") {
      if (from._tag === "File" && CopyTarget.isSameFile(from.path, to.path)) return yield* oneDatabase(from.path)
      if (CopyTarget.isFileInUse(to.path)) return yield* inUse(to, "another process")
    }
    // A file must not be made by reading it; of PostgreSQL long statements are asked, which take their time.
    const source = yield* opened(from, from._tag === "Postgres" ? Storage.layerClient : Storage.layerReader)
    const target = yield* opened(to, Storage.layerClient)
    if (to._tag === "Postgres") {
      const sessions = yield* Effect.mapError(CopyTarget.serverSessions(target), (error) =>
        failure(`The database ${DatabaseUrl.show(to)} failed: ${rootMessage(error)}`)
      )
      if (sessions > 0) {
        return yield* inUse(to, sessions === 1 ? "a session of a server" : `${sessions} sessions of servers`)
      }
    }
    const { checksum, sums, tables } = yield* SqlCopy.copy({ source, target, onProgress: progress() }).pipe(
      Effect.mapError(explain(DatabaseUrl.show(from), DatabaseUrl.show(to))),
      Effect.provide(NodeCrypto.layer)
    )
    const { balance, ...counts } = sums
    const shown = { balance: format(Money.make(Number(balance))), ...Record.map(counts, String) }
    if (json) {
      const counted = tables.map((table) => ({ ...table }))
      return yield* Output.json({ checksum, tables: counted, sums: Record.map(shown, Number) })
    }
    yield* Output.table(
      ["TABLE", "ROWS", "CHECKSUM"],
      tables.map(({ checksum, rows, table }) => [table, String(rows), checksum.slice(0, 16)])
    )
    yield* Output.fields(Record.toEntries(shown).map(([name, value]) => [name.replaceAll("_", " "), value] as const))
    yield* Output.line(`${DatabaseUrl.show(to)} holds the same as ${DatabaseUrl.show(from)}`)
  }, Effect.scoped)
).pipe(
  Command.withShortDescription("Copy an installation to another database"),
  Command.withDescription(
    "Copies everything, also between SQLite and PostgreSQL, and checks that both hold the same. The other database must be " +
      "empty, or a copy made before that nobody has written to since: then it is brought up to date. It holds the whole copy " +
      "or stays as it is. A server may run on the first database; what it does after the command has begun is not copied. " +
      "None may run on the other; one that does is noticed and nothing copied. Give URLs with a password in " +
      `${variables.from} and ${variables.to}: everybody on the machine can read the arguments of a command.`
  ),
  Command.withExamples([
    {
      command: "frontdesk copy --from sqlite:./data/frontdesk.db --to postgres://frontdesk@db.example.com/frontdesk",
      description: "Move up to PostgreSQL"
    }
  ])
)
