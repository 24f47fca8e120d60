import * as RootMessage from "@frontdesk/core/values/RootMessage"
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
import { type Failure, failure, usage } from "./CommandFailure.ts"
import * as CopyTarget from "./CopyTarget.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** The application name of the command's sessions in PostgreSQL, which differs from that of servers. */
const sessionName = "frontdesk copy"

/** The variables for the URLs. They keep a password secret: every user of a machine can read the arguments of a process. */
const variables = { from: commandVariables.copyFrom, to: commandVariables.copyTo } as const

const databaseFlag = (name: "from" | "to", meaning: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription(
      `${meaning}: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE (default: the value of ${variables[name]})`
    ),
    Flag.withFallbackConfig(Config.String(variables[name]))
  )

/** Parses the URL of a database. A message never repeats the given text, because it may contain a password. */
const read = (name: "from" | "to", text: string): Effect.Effect<DatabaseUrl.DatabaseUrl, Failure> =>
  Result.match(DatabaseUrl.parse(text), {
    onFailure: () => usage(`--${name} must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE`),
    onSuccess: (url) =>
      url._tag === "Memory"
        ? usage(`--${name} must not be sqlite::memory:, which only exists within one process`)
        : Effect.succeed(url)
  })

const problems = {
  nul: "has a NUL character, which PostgreSQL does not accept",
  json: "is not valid JSON, which PostgreSQL does not accept",
  time: "is earlier than the year 4714 BC, which is the first that PostgreSQL can store"
} as const

const oneDatabase = (name: string): Failure => usage(`--from and --to are the same database, ${name}`)

/**
 * Returns the message for a failed copy. The data of the target is unchanged, unless the database failed while the copy
 * was committed. An empty target may have got its tables.
 */
const explain =
  (from: string, to: string) =>
  (error: CopyError): Failure => {
    switch (error._tag) {
      case "CopyRefused":
        return {
          same_database: oneDatabase(from),
          source_schema: failure(
            `Nothing was copied, because the database ${from} does not have the current schema. Migrate it with "frontdesk migrate"`
          ),
          target_schema: failure(
            `Nothing was copied, because the database ${to} has an installation with another schema. Name an empty database with --to`
          ),
          other_installation: failure(
            `Nothing was copied, because the database ${to} has another installation. Name an empty database with --to`
          ),
          target_changed: failure(
            `Nothing was copied, because the database ${to} has changed since the last copy. Name an empty database with --to`
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
        return failure(
          `Nothing was copied, because the check after the copy found different values of "${error.subject}" in ${from} and ${to}`
        )
      case "CopyFailed": {
        const database = error.database === "source" ? from : to
        return failure(`Nothing was copied, because the database ${database} failed: ${RootMessage.of(error.cause)}`)
      }
    }
  }

/** The number of rows of a table after which the progress is printed. */
const progressStep = 20_000

/** Returns the function that prints the progress whenever another step, or the end of a table, is reached. */
const progress = () => {
  let before = 0
  return ({ phase, rows, table, total }: SqlCopy.Progress): Effect.Effect<void> => {
    const last = rows > before ? before : 0
    before = rows
    return rows === total || Math.floor(rows / progressStep) > Math.floor(last / progressStep)
      ? Output.progress(`${phase} ${table}: ${rows} of ${total} rows`)
      : Effect.void
  }
}

/** Opens a client that closes with the scope. */
const opened = (url: DatabaseUrl.DatabaseUrl, layer: typeof Storage.layerClient) =>
  Effect.mapBoth(Layer.build(layer(url, sessionName)), {
    onFailure: (error) => failure(`The database ${DatabaseUrl.show(url)} cannot be opened: ${RootMessage.of(error)}`),
    onSuccess: (services) => Context.get(services, SqlClient)
  })

/** Returns the failure for a target that another process uses. A server on it would continue with outdated data. */
const inUse = (url: DatabaseUrl.DatabaseUrl, by: string): Failure =>
  failure(`Nothing was copied, because ${DatabaseUrl.show(url)} is in use by ${by}. Stop every server on it first`)

/** The command `frontdesk copy`. */
export const copy = Command.make(
  "copy",
  {
    from: databaseFlag("from", "The database to copy"),
    to: databaseFlag("to", "The database to copy to, which must be empty or an earlier copy"),
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
    // Opening a missing file to read must not create it. PostgreSQL needs a client without a statement timeout, because
    // the statements of a copy take long.
    const source = yield* opened(from, from._tag === "Postgres" ? Storage.layerClient : Storage.layerReader)
    const target = yield* opened(to, Storage.layerClient)
    if (to._tag === "Postgres") {
      const sessions = yield* Effect.mapError(CopyTarget.serverSessions(target), (error) =>
        failure(`The database ${DatabaseUrl.show(to)} failed: ${RootMessage.of(error)}`)
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
    yield* Output.line(`${DatabaseUrl.show(to)} has the same data as ${DatabaseUrl.show(from)}`)
  }, Effect.scoped)
).pipe(
  Command.withShortDescription("Copy an installation to another database"),
  Command.withDescription(
    "Copies all data, also between SQLite and PostgreSQL, and checks that both databases have the same data. The target must " +
      "be empty, or an earlier copy that was not changed since; then it is updated. The copy is complete, or the data of the " +
      "target stays unchanged. A server may run on the source, but changes after the start of the command are not copied. " +
      "Stop every server on the target first: the command copies nothing while it detects one. Give URLs with a password in " +
      `${variables.from} and ${variables.to}, because every user of the machine can read the arguments of a command.`
  ),
  Command.withExamples([
    {
      command: "frontdesk copy --from sqlite:./data/frontdesk.db --to postgres://frontdesk@db.example.com/frontdesk",
      description: "Move from SQLite to PostgreSQL"
    }
  ])
)
