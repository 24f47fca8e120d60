import type { SecretKeysMissing } from "@frontdesk/core/crypto/SecretError"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import type { ListenError } from "@frontdesk/storage-postgres/ListenError"
import { hasProperty, isString } from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import { databaseUrl, postgresSettings, settings } from "../settings/Definitions.ts"
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
    const problem = [storageTexts[reason], rootMessage(cause)].filter((text) => text !== "").join(": ")
    return failure(`The database ${DatabaseUrl.show(database)} ${problem}. ${databaseSetting} names another`)
  }

/** A database that could not be opened: which one, why, and what names it. */
export const fromSql =
  (database: DatabaseUrl.DatabaseUrl) =>
  (error: SqlError): Failure =>
    failure(`The database ${DatabaseUrl.show(database)} cannot be opened: ${rootMessage(error)}. ${hint(error)}`)

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
