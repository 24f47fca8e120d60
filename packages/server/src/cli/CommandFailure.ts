import * as RootCode from "@frontdesk/core/values/RootCode"
import * as RootMessage from "@frontdesk/core/values/RootMessage"
import type { SecretKeysMissing } from "@frontdesk/core/crypto/SecretError"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import type { ListenError } from "@frontdesk/storage-postgres/ListenError"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import { databaseUrl, postgresSettings } from "../settings/DatabaseSettings.ts"
import { settings } from "../settings/SettingDefinitions.ts"
import { flagName } from "../settings/Setting.ts"
import type { SettingsError } from "../settings/Settings.ts"

/** The exit codes of the command line. */
export const exitCodes = {
  success: 0,
  /** The command is valid, but it failed. */
  failure: 1,
  /** The command line, a setting or a document is invalid. */
  usage: 2
} as const

/** A command failed. `text` is the message for the operator. */
export class Failure extends Schema.TaggedError<Failure>("frontdesk/cli/Failure")("Failure", {
  text: Schema.String,
  exitCode: Schema.Int
}) {}

/** Returns the failure of a valid command, with the exit code 1. */
export const failure = (text: string): Failure => new Failure({ text, exitCode: exitCodes.failure })

/** Returns the failure of an invalid command, setting or document, with the exit code 2. */
export const usage = (text: string): Failure => new Failure({ text, exitCode: exitCodes.usage })

/** Returns the failure for invalid settings, one on each line. */
export const fromSettings = ({ problems }: SettingsError): Failure =>
  usage(
    lines(
      problems.length === 1 ? "A setting is invalid:" : `${problems.length} settings are invalid:`,
      problems.map(({ name, message, example }) => `${name}: ${message}. For example: ${example}`)
    )
  )

const keysSetting = `${settings.secretKeys.variable} or --${flagName(settings.secretKeysFile)} (${settings.secretKeysFile.variable})`

/** Returns the failure for stored secrets that the given keys cannot open. */
export const fromSecrets = ({ problems }: SecretKeysMissing): Failure =>
  failure(
    lines(
      `The database has secrets that the given keys cannot open. Give every key in use with ${keysSetting}:`,
      problems.map(({ message }) => message)
    )
  )

/** Returns the failure for an invalid document, with one problem and its place on each line. */
export const fromProblems = (source: string, problems: ReadonlyArray<FieldProblem>): Failure =>
  usage(
    lines(
      `${source} is invalid; nothing was changed:`,
      problems.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
    )
  )

/** Returns the failure for values that a service rejects, one on each line. */
export const fromInput = (problems: ReadonlyArray<FieldProblem>): Failure =>
  usage(
    lines(
      "A value is invalid; nothing was changed:",
      problems.map(({ field, message }) => `${field}: ${message}`)
    )
  )

const storageTexts: { readonly [Reason in StorageError["reason"]]: string } = {
  unavailable: "cannot be reached, or is too busy",
  conflict: "was changed by another process at the same moment; try again",
  duplicate: "already has this record",
  corrupt: "has a record that this version cannot read",
  unknown: "failed"
}

/** The flag and the variable of the database setting, for messages. */
export const databaseSetting = `--${flagName(databaseUrl)} (${databaseUrl.variable})`

/** Returns the failure for an error of a store, with the name of the database and the message of the database. */
export const fromStorage =
  (database: DatabaseUrl.DatabaseUrl) =>
  ({ cause, reason }: StorageError): Failure => {
    const disk = diskText(cause)
    if (disk !== undefined) return failure(`The database ${DatabaseUrl.show(database)} ${disk}`)
    const problem = [storageTexts[reason], RootMessage.of(cause)].filter((text) => text !== "").join(": ")
    return failure(`The database ${DatabaseUrl.show(database)} ${problem}. Choose another one with ${databaseSetting}`)
  }

/** Returns the failure for a database that could not be opened, with its name, the reason and what to do. */
export const fromSql =
  (database: DatabaseUrl.DatabaseUrl) =>
  (error: SqlError): Failure => {
    const disk = diskText(error)
    const problem = disk ?? `cannot be opened: ${RootMessage.of(error)}. ${hint(error)}`
    return failure(`The database ${DatabaseUrl.show(database)} ${problem}`)
  }

/** The result code of SQLite and the codes of the operating system for a full disk, quota or file size limit. */
const fullCodes: ReadonlySet<unknown> = new Set([13, "ENOSPC", "EDQUOT", "EFBIG"])

/** The codes for a file that the process may not write: `SQLITE_READONLY`, and those of the operating system. */
const readonlyCodes: ReadonlySet<unknown> = new Set([8, "EROFS", "EACCES", "EPERM"])

/** `SQLITE_IOERR`. A full disk causes it too, when SQLite creates or enlarges a file of shared memory. */
const ioError = 10

/** `SQLITE_IOERR_READ` and `SQLITE_IOERR_SHORT_READ`. They often mean that the path is not a database, but a folder. */
const readErrors: ReadonlySet<number> = new Set([266, 522])

/** Returns the problem with the disk of a SQLite file and what to do; undefined for an error of another kind. */
const diskText = (error: unknown): string | undefined => {
  const code = diskCode(error)
  const reason = `(${RootMessage.of(error)})`
  const elsewhere = `or name a file on another disk with ${databaseSetting}`
  if (fullCodes.has(code)) {
    return `cannot be written: the disk is full, or a quota or limit of file sizes is reached ${reason}. Free space there, ${elsewhere}`
  }
  if (readonlyCodes.has(code)) {
    return `cannot be written: the file or its folder is read-only for this user ${reason}. Allow writing to both, ${elsewhere}`
  }
  return code === ioError
    ? `cannot be written: the disk is full or failing ${reason}. Check the free space and the disk, ${elsewhere}`
    : undefined
}

/** Returns the primary result code of SQLite, or the code of Node. Returns undefined for {@link readErrors}. */
const diskCode = (error: unknown): number | string | undefined => {
  const code = RootCode.of(error)
  if (typeof code !== "number") return code
  return readErrors.has(code) ? undefined : code & 0xff
}

/** Returns what to do about a database that cannot be opened. A pooler in transaction mode rejects session settings. */
const hint = (error: SqlError): string =>
  /unsupported startup parameter/.test(RootMessage.of(error))
    ? `If there is a pooler in front of the database, set ${poolerSetting} to "transaction"`
    : `Choose another one with ${databaseSetting}`

const poolerSetting = `--${flagName(postgresSettings.databasePooler)} (${postgresSettings.databasePooler.variable})`

const listenSetting = `--${flagName(postgresSettings.databaseListenUrl)} (${postgresSettings.databaseListenUrl.variable})`

/** Returns the failure for the listening connection: an invalid setting, or a database that cannot be reached. */
export const fromListen =
  (database: DatabaseUrl.DatabaseUrl) =>
  ({ cause, reason }: ListenError): Failure => {
    const url = database._tag === "Postgres" ? database.options?.listenUrl : undefined
    const name = url === undefined ? "" : `${DatabaseUrl.show({ _tag: "Postgres", url })} `
    const message = RootMessage.of(cause)
    switch (reason) {
      case "refused":
        return usage(`${listenSetting}: ${name}cannot be used to listen: ${message}`)
      case "deaf":
        return usage(
          `${listenSetting}: ${name}does not receive the notifications of ${DatabaseUrl.show(database)}. It must lead to the same ` +
            "database without the pooler"
        )
      case "unreachable":
        return failure(`The database ${name}cannot be reached: ${message}. Choose another one with ${listenSetting}`)
    }
  }

/** Returns a text with a head and with each item on a line of its own, indented. */
export const lines = (head: string, items: ReadonlyArray<string>): string =>
  [head, ...items.map((item) => `  ${item}`)].join("\n")
