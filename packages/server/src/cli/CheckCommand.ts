import * as CalendarProviders from "@frontdesk/calendar-sync/CalendarProviders"
import * as RootMessage from "@frontdesk/core/values/RootMessage"
import { existsSync } from "node:fs"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import * as Providers from "../Providers.ts"
import * as Secrets from "../Secrets.ts"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import { settings as definitions } from "../settings/SettingDefinitions.ts"
import * as SettingWarnings from "../settings/SettingWarnings.ts"
import type { Flags } from "../settings/SettingReader.ts"
import { load, type Settings } from "../settings/Settings.ts"
import { caldavClient } from "../settings/CalendarSettings.ts"
import * as Storage from "../Storage.ts"
import { attempt, type Checked, unusable, usable, usableWithWarning } from "./ConfigurationCheck.ts"
import { failure, fromSettings } from "./CommandFailure.ts"
import * as ExternalServicesCheck from "./ExternalServicesCheck.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** Checks the database. It only reads: it neither creates nor migrates a database. */
const database = (url: DatabaseUrl.DatabaseUrl): Effect.Effect<Checked> => {
  if (url._tag === "Memory")
    return Effect.succeed({ what: "database", ...usable("in memory, lost when the server ends") })
  const shown = DatabaseUrl.show(url)
  if (url._tag === "File" && !existsSync(url.path)) {
    return Effect.succeed({
      what: "database",
      ...unusable(`there is none at ${shown}; create it with "frontdesk migrate"`)
    })
  }
  const check = Effect.map(SqlMigrations.isCurrent, (isCurrent) =>
    isCurrent
      ? usable(`${shown} has the current schema`)
      : unusable(`${shown} does not have the current schema; migrate it with "frontdesk migrate"`)
  )
  return attempt("database", Effect.provide(check, Storage.layerReader(url)))
}

const secrets = ({ secretKeys }: Settings) =>
  attempt(
    "secrets",
    Effect.flatMap(StoredSecrets, (stored) => stored.check).pipe(
      Effect.map((plain) =>
        usable(
          plain === 0
            ? "every key in use is given"
            : `every key in use is given; ${plain} ${plain === 1 ? "secret is" : "secrets are"} stored without encryption`
        )
      ),
      Effect.catchTag("SecretKeysMissing", ({ problems }) =>
        Effect.succeed(unusable(problems.map(({ message }) => message).join("; ")))
      ),
      Effect.provide(Secrets.layerStored(secretKeys))
    )
  )

const unreadableCredentials = unusable('its credentials cannot be opened; see "frontdesk secrets status"')

const connections = Effect.fnUntraced(
  function* () {
    const sync = yield* CalendarSync
    const opener = yield* CalendarConnections
    const all = yield* opener.list(null)
    return yield* Effect.forEach(
      all,
      ({ accountId, provider }) =>
        attempt(
          `${provider} calendar of account ${accountId}`,
          Effect.andThen(opener.open({ accountId, provider }), sync.check(provider, accountId)).pipe(
            Effect.catchTag("StorageError", (error) =>
              error.reason === "corrupt" ? Effect.succeed(unreadableCredentials) : Effect.fail(error)
            )
          )
        ),
      { concurrency: 4 }
    )
  },
  Effect.catch((error) => Effect.succeed([{ what: "calendars", ...unusable(RootMessage.of(error)) }]))
)

/** Checks what is stored in the database: the secrets, and the connections with external calendars. */
const storedParts = (settings: Settings) =>
  Effect.gen(function* () {
    return [yield* secrets(settings), ...(yield* connections())]
  }).pipe(
    Effect.provide(
      Layer.merge(CalendarProviders.layer(settings.calendars), CalendarConnections.layer).pipe(
        Layer.provide(caldavClient(settings.calendars)),
        Layer.provideMerge(Storage.layer(settings.databaseUrl)),
        Layer.provide(Secrets.layer(settings.secretKeys))
      )
    ),
    Effect.catch((error) => Effect.succeed([{ what: "database", ...unusable(RootMessage.of(error)) }]))
  )

/** Returns the warnings about settings that are valid but probably not intended. */
const settingWarnings = Effect.fnUntraced(function* (flags: Flags, settings: Settings) {
  const found = [
    ...(yield* SettingWarnings.unknownVariables),
    ...(yield* SettingWarnings.otherCallProviders(flags, settings.callProvider)),
    ...SettingWarnings.unencryptedCallbacks(settings),
    ...SettingWarnings.localLinks(settings),
    ...SettingWarnings.shortShutdownTimeout(settings),
    ...(yield* SettingWarnings.openKeyFile(flags))
  ]
  return found.map((says): Checked => ({ what: "settings", ...usableWithWarning(says) }))
})

const word = ({ hasWarning, isUsable }: Checked): string =>
  isUsable ? (hasWarning === true ? "WARNS" : "ok") : "FAILS"

const checkAll = Effect.fnUntraced(function* (settings: Settings) {
  const found = yield* database(settings.databaseUrl)
  const isReadable = found.isUsable && settings.databaseUrl._tag !== "Memory"
  const externalServices = Effect.provide(
    ExternalServicesCheck.checkAll,
    Layer.merge(Providers.mailer(settings.mail), Providers.callProvider(settings.callProvider))
  )
  return [found, ...(yield* externalServices), ...(isReadable ? yield* storedParts(settings) : [])]
})

/** The command `frontdesk check`. */
export const check = Command.make(
  "check",
  { json: Parameters.json, settings: Parameters.settingFlags(definitions) },
  Effect.fnUntraced(function* ({ json, settings }) {
    const flags = Record.getSomes(settings)
    const read = yield* Effect.mapError(load(flags), fromSettings)
    const checked = yield* checkAll(read)
    const shown = [...(yield* settingWarnings(flags, read)), ...checked]
    if (json) {
      const checks = shown.map(({ hasWarning = false, isUsable, says, what }) => ({
        what,
        is_usable: isUsable,
        is_doubtful: hasWarning,
        says
      }))
      yield* Output.json({ checks })
    } else {
      yield* Output.table(
        ["", "WHAT", ""],
        shown.map((one) => [word(one), one.what, one.says])
      )
    }
    const failing = checked.filter(({ isUsable }) => !isUsable).length
    if (failing > 0) return yield* failure(`${failing} of ${checked.length} checked services cannot be used`)
  })
).pipe(
  Command.withShortDescription("Check the database and every provider"),
  Command.withDescription(
    "Checks with the settings of the server whether it can use the database, the stored secrets, the mail server, the call " +
      "provider and every connected calendar. The command changes no data, sends no mail and places no call. It exits with 1 " +
      "when it cannot use one of them. " +
      Parameters.secretsHelp(definitions)
  )
)
