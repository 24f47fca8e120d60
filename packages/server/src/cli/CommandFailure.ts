import type { SecretKeysMissing } from "@frontdesk/core/crypto/SecretError"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import type { ListenError } from "@frontdesk/storage-postgres/ListenError"
import { hasProperty, isString } from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import { databaseUrl, postgresSettings, settings } from "../settings/SettingDefinitions.ts"
import { flagName } from "../settings/Setting.ts"
import type { SettingsError } from "../settings/Settings.ts"

/** What a program that ends says to the one that started it. */
export const exitCodes = {
  success: 0,
  /** What was asked could not be done. */
  failure: 1,
  /** What was asked is wrong: the command, a setting, a document. */
  usage: 2
} as const

/** The end of a command that could not do what it should, in words for people. */
export class Failure extends Schema.TaggedError<Failure>("frontdesk/cli/Failure")("Failure", {
  text: Schema.String,
  exitCode: Schema.Int
}) {}

/** A command that failed. */
export const failure = (text: string): Failure => new Failure({ text, exitCode: exitCodes.failure })

/** A command that was asked wrongly. */
export const usage = (text: string): Failure => new Failure({ text, exitCode: exitCodes.usage })

/** Settings that cannot be, one a line. */
export const fromSettings = ({ problems }: SettingsError): Failure =>
  usage(
    lines(
      problems.length === 1 ? "A setting is wrong:" : `${problems.length} settings are wrong:`,
      problems.map(({ name, message, example }) => `${name}: ${message}. For example: ${example}`)
    )
  )

const keysSetting = `${settings.secretKeys.variable} or --${flagName(settings.secretKeysFile)} (${settings.secretKeysFile.variable})`

/** Secrets that the keys given cannot open. */
export const fromSecrets = ({ problems }: SecretKeysMissing): Failure =>
  failure(
    lines(
      `The database holds secrets that cannot be opened; ${keysSetting} must give every key in use:`,
      problems.map(({ message }) => message)
    )
  )

/** A document that cannot be applied, one problem a line with its place. */
export const fromProblems = (source: string, problems: ReadonlyArray<FieldProblem>): Failure =>
  usage(
    lines(
      `${source} is wrong; nothing was changed:`,
      problems.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
    )
  )

/** Values that a service refuses, one a line. */
export const fromInput = (problems: ReadonlyArray<FieldProblem>): Failure =>
  usage(
    lines(
      "A value is wrong; nothing was changed:",
      problems.map(({ field, message }) => `${field}: ${message}`)
    )
  )

const storageTexts: { readonly [Reason in StorageError["reason"]]: string } = {
  unavailable: "cannot be reached, or is too busy",
  conflict: "was changed by somebody else at the same moment; try again",
  duplicate: "has that already",
  corrupt: "holds something this version cannot read",
  unknown: "failed"
}

/** The setting of the database, by both its names. */
export const databaseSetting = `--${flagName(databaseUrl)} (${databaseUrl.variable})`

/** A store that failed: in which database, with what it says itself. */
export const fromStorage =
  (database: DatabaseUrl.DatabaseUrl) =>
  ({ cause, reason }: StorageError): Failure => {
    const disk = diskText(cause)
    if (disk !== undefined) return failure(`The database ${DatabaseUrl.show(database)} ${disk}`)
    const problem = [storageTexts[reason], rootMessage(cause)].filter((text) => text !== "").join(": ")
    return failure(`The database ${DatabaseUrl.show(database)} ${problem}. ${databaseSetting} names another`)
  }

/** A database that could not be opened: which one, why, and what names it. */
export const fromSql =
  (database: DatabaseUrl.DatabaseUrl) =>
  (error: SqlError): Failure => {
    const disk = diskText(error)
    const problem = disk ?? `cannot be opened: ${rootMessage(error)}. ${hint(error)}`
    return failure(`The database ${DatabaseUrl.show(database)} ${problem}`)
  }

/** Result codes of SQLite, and codes of the operating system, that mean a disk that takes no further bytes. */
const fullCodes: ReadonlySet<unknown> = new Set([13, "ENOSPC", "EDQUOT", "EFBIG"])

/** Those that mean a file that may not be written: `SQLITE_READONLY`, and those of the operating system. */
const readonlyCodes: ReadonlySet<unknown> = new Set([8, "EROFS", "EACCES", "EPERM"])

/** `SQLITE_IOERR`, which a full disk causes too when SQLite makes a file of shared memory or enlarges one. */
const ioError = 10

/** `SQLITE_IOERR_READ` and `SQLITE_IOERR_SHORT_READ`: what is named may be no file of a database, a folder for instance. */
const readErrors: ReadonlySet<number> = new Set([266, 522])

/** Says what is wrong with the disk of a SQLite file and what helps; undefined for an error that is not of the disk. */
const diskText = (error: unknown): string | undefined => {
  const code = diskCode(error)
  const said = `(${rootMessage(error)})`
  const elsewhere = `or name a file on another disk with ${databaseSetting}`
  if (fullCodes.has(code)) {
    return `cannot be written: the disk is full, or a quota or limit of file sizes is reached ${said}. Free space there, ${elsewhere}`
  }
  if (readonlyCodes.has(code)) {
    return `cannot be written: the file or its folder is read-only for this user ${said}. Allow writing to both, ${elsewhere}`
  }
  return code === ioError
    ? `cannot be written: the disk is full or failing ${said}. Look for free space and for errors of the disk, ${elsewhere}`
    : undefined
}

/** Returns the code of the innermost error that has one: the primary result code of SQLite, or that of Node. */
const diskCode = (error: unknown): number | string | undefined => {
  if (!hasProperty(error, "reason") && !hasProperty(error, "cause") && !hasProperty(error, "code")) return undefined
  const inner = hasProperty(error, "reason") ? error.reason : hasProperty(error, "cause") ? error.cause : undefined
  const deeper = diskCode(inner)
  if (deeper !== undefined) return deeper
  if (hasProperty(error, "errcode") && typeof error.errcode === "number") {
    return readErrors.has(error.errcode) ? undefined : error.errcode & 0xff
  }
  return hasProperty(error, "code") && isString(error.code) ? error.code : undefined
}

/** What helps: a pooler in transaction mode takes no settings of a session. */
const hint = (error: SqlError): string =>
  /unsupported startup parameter/.test(rootMessage(error))
    ? `Behind a pooler set ${poolerSetting} to "transaction"`
    : `${databaseSetting} names another`

const poolerSetting = `--${flagName(postgresSettings.databasePooler)} (${postgresSettings.databasePooler.variable})`

const listenSetting = `--${flagName(postgresSettings.databaseListenUrl)} (${postgresSettings.databaseListenUrl.variable})`

/** A URL to listen on that cannot serve: a wrong setting, or a database that is out of reach there. */
export const fromListen =
  (database: DatabaseUrl.DatabaseUrl) =>
  ({ cause, reason }: ListenError): Failure => {
    const url = database._tag === "Postgres" ? database.options?.listenUrl : undefined
    const name = url === undefined ? "" : `${DatabaseUrl.show({ _tag: "Postgres", url })} `
    const said = rootMessage(cause)
    switch (reason) {
      case "refused":
        return usage(`${listenSetting}: ${name}cannot be listened to: ${said}`)
      case "deaf":
        return usage(
          `${listenSetting}: nothing is heard at ${name}of what ${DatabaseUrl.show(database)} notifies. It must lead to the same ` +
            "database, past the pooler"
        )
      case "unreachable":
        return failure(`The database ${name}cannot be reached: ${said}. ${listenSetting} names another`)
    }
  }

const lines = (head: string, items: ReadonlyArray<string>): string =>
  [head, ...items.map((item) => `  ${item}`)].join("\n")

/** What the innermost of nested errors says. */
export const rootMessage = (error: unknown): string => {
  const inner = hasProperty(error, "reason") ? error.reason : hasProperty(error, "cause") ? error.cause : undefined
  const deeper = inner === undefined ? "" : rootMessage(inner)
  if (deeper !== "") return deeper
  return hasProperty(error, "message") && isString(error.message) ? error.message : isString(error) ? error : ""
}
