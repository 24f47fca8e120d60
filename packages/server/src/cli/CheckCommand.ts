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
import * as Storage from "../Storage.ts"
import { attempt, doubtful, type Tried, unusable, usable } from "./ConfigurationCheck.ts"
import { failure, fromSettings, rootMessage } from "./CommandFailure.ts"
import * as ExternalServicesCheck from "./ExternalServicesCheck.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** Only looks: what is not there is not made, and nothing is brought to the present schema. */
const database = (url: DatabaseUrl.DatabaseUrl): Effect.Effect<Tried> => {
  if (url._tag === "Memory") return Effect.succeed({ what: "database", ...usable("in memory, gone at each end") })
  const shown = DatabaseUrl.show(url)
  if (url._tag === "File" && !existsSync(url.path)) {
    return Effect.succeed({ what: "database", ...unusable(`there is none at ${shown}; "frontdesk migrate" makes one`) })
  }
  const check = Effect.map(SqlMigrations.isCurrent, (isCurrent) =>
    isCurrent
      ? usable(`${shown} is at the present schema`)
      : unusable(`${shown} is not at the present schema; "frontdesk migrate" brings it there`)
  )
  return attempt("database", Effect.provide(check, Storage.layerReader(url)))
}

const secrets = ({ secretKeys }: Settings) =>
  attempt(
    "secrets",
    Effect.flatMap(StoredSecrets, (kept) => kept.check).pipe(
      Effect.map((plain) =>
        usable(
          plain === 0
            ? "every key in use is given"
            : `every key in use is given; ${plain} ${plain === 1 ? "secret is" : "secrets are"} kept plain`
        )
      ),
      Effect.catchTag("SecretKeysMissing", ({ problems }) =>
        Effect.succeed(unusable(problems.map(({ message }) => message).join("; ")))
      ),
      Effect.provide(Secrets.layerKept(secretKeys))
    )
  )

const unopened = unusable('its credentials cannot be opened; see "frontdesk secrets status"')

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
              error.reason === "corrupt" ? Effect.succeed(unopened) : Effect.fail(error)
            )
          )
        ),
      { concurrency: 4 }
    )
  },
  Effect.catch((error) => Effect.succeed([{ what: "calendars", ...unusable(rootMessage(error)) }]))
)

/** What is kept in the database: its secrets, and the calendars that accounts are connected to. */
const kept = (settings: Settings) =>
  Effect.gen(function* () {
    return [yield* secrets(settings), ...(yield* connections())]
  }).pipe(
    Effect.provide(
      Layer.merge(Providers.calendars(settings.calendars), CalendarConnections.layer).pipe(
        Layer.provideMerge(Storage.layer(settings.databaseUrl)),
        Layer.provide(Secrets.layer(settings.secretKeys))
      )
    ),
    Effect.catch((error) => Effect.succeed([{ what: "database", ...unusable(rootMessage(error)) }]))
  )

/** What is right by itself and yet may not be what was meant. */
const doubts = Effect.fnUntraced(function* (flags: Flags, settings: Settings) {
  const found = [
    ...(yield* SettingWarnings.unknown),
    ...(yield* SettingWarnings.unchosen(flags, settings.callProvider)),
    ...SettingWarnings.insecure(settings),
    ...SettingWarnings.hurried(settings),
    ...(yield* SettingWarnings.exposed(flags))
  ]
  return found.map((says): Tried => ({ what: "settings", ...doubtful(says) }))
})

const word = ({ hasWarning, isUsable }: Tried): string => (isUsable ? (hasWarning === true ? "WARNS" : "ok") : "FAILS")

const tryAll = Effect.fnUntraced(function* (settings: Settings) {
  const found = yield* database(settings.databaseUrl)
  const isReadable = found.isUsable && settings.databaseUrl._tag !== "Memory"
  const outside = Effect.provide(
    ExternalServicesCheck.tryAll,
    Layer.merge(Providers.mailer(settings.mail), Providers.callProvider(settings.callProvider))
  )
  return [found, ...(yield* outside), ...(isReadable ? yield* kept(settings) : [])]
})

/** `frontdesk check`. */
export const check = Command.make(
  "check",
  { json: Parameters.json, settings: Parameters.settingFlags(definitions) },
  Effect.fnUntraced(function* ({ json, settings }) {
    const flags = Record.getSomes(settings)
    const read = yield* Effect.mapError(load(flags), fromSettings)
    const tried = yield* tryAll(read)
    const shown = [...(yield* doubts(flags, read)), ...tried]
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
    const failing = tried.filter(({ isUsable }) => !isUsable).length
    if (failing > 0) return yield* failure(`${failing} of ${tried.length} cannot be used`)
  })
).pipe(
  Command.withShortDescription("Try the database and every provider"),
  Command.withDescription(
    "Tries the database, the mail server, the call provider and every connected calendar as the settings of the server " +
      "say, changes nothing, sends nothing and calls nobody. Ends with 1 when one of them cannot be used. " +
      Parameters.secretsHelp(definitions)
  )
)
