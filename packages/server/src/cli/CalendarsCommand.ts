import { Accounts } from "@frontdesk/core/account/Accounts"
import type { CalendarConnection } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarProviderKey, type CopyResolution } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarOperations } from "@frontdesk/core/calendar/CalendarOperations"
import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"
import * as ExternalStates from "@frontdesk/core/external-calendar/ExternalStates"
import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Secrets from "../Secrets.ts"
import { calendarSettings } from "../settings/CalendarSettings.ts"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { settings } from "../settings/SettingDefinitions.ts"
import { loadCalendars } from "../settings/Settings.ts"
import * as CalendarConnect from "./CalendarConnect.ts"
import { failure, fromSecrets, fromSettings } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const provider = Parameters.readFlag(
  "provider",
  SettingCodecs.choice({ google: "google", outlook: "outlook", apple: "apple" } satisfies Record<
    CalendarProviderKey,
    CalendarProviderKey
  >)
).pipe(
  Flag.withAlias("p"),
  Flag.withMetavar("PROVIDER"),
  Flag.withDescription(`${CalendarProviderKey.literals.join(", ")}; apple stands for every CalDAV server`)
)

const { secretKeys, secretKeysFile } = settings
const keySettings = { secretKeys, secretKeysFile }

const common = {
  account: Parameters.accountFlag,
  database: Parameters.databaseFlags,
  keys: Parameters.settingFlags(keySettings),
  json: Parameters.json
}

const services = (keyring: Keyring) =>
  CalendarOperations.layer.pipe(
    Layer.provideMerge(CalendarConnections.layer),
    Layer.provide([Outbox.layer, Secrets.layer(keyring)]),
    Layer.provideMerge(Secrets.layerStored(keyring))
  )

/**
 * Fails when the given secret keys cannot open every stored secret, because then the server has other keys. It could not
 * open the new credentials; and without a given key they would be stored without encryption.
 */
const checkKeys = Effect.flatMap(StoredSecrets, (stored) => stored.check).pipe(
  Effect.catchTag("SecretKeysMissing", (error) => failure(`Nothing was changed. ${fromSecrets(error).text}`))
)

/** Runs a command on the calendar connections of a database, with the secret keys of the settings. */
const run = <E extends OperatorServices.Refusal, R>(
  effect: Effect.Effect<void, E, R>,
  flags: OperatorServices.KeyedFlags
) => OperatorServices.runWithKeys((keyring) => Effect.provide(effect, services(keyring)), flags)

const view = (
  { accountId, calendar, createdAt, provider, updatedAt }: CalendarConnection,
  owner: { readonly ref: string | undefined; readonly name: string | undefined }
) => ({
  account_id: accountId,
  account_ref: owner.ref ?? null,
  account_name: owner.name ?? null,
  provider,
  calendar,
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(updatedAt)
})

const showCalendars = Effect.fnUntraced(function* ({ found, server }: CalendarConnect.Listed, json: boolean) {
  if (json) {
    const calendars = found.map(({ isWritable, name, url }) => ({ calendar: url, name, is_writable: isWritable }))
    return yield* Output.json({ calendars })
  }
  yield* Output.table(
    ["CALENDAR", "NAME", "WRITABLE"],
    found.map(({ isWritable, name, url }) => [url, name, isWritable ? "yes" : "no"])
  )
  const count = found.length === 1 ? "1 calendar" : `${found.length} calendars`
  yield* Output.line(`${server} has ${count}. Nothing was changed. Connect a calendar with --calendar`)
})

const replaced = (before: CalendarConnection | undefined, { calendar }: CalendarConnection): string => {
  if (before === undefined) return ""
  return before.calendar === calendar
    ? ", with new credentials"
    : `, instead of ${before.calendar}; events that were written there stay there`
}

const connect = Command.make(
  "connect",
  {
    ...common,
    provider,
    calendar: Flag.String("calendar").pipe(
      Flag.withMetavar("CALENDAR"),
      Flag.withDescription(
        "The id of the calendar, or its URL with CalDAV. Without it Google and Outlook use the main calendar, and CalDAV " +
          "calendars are listed"
      ),
      Flag.optional
    ),
    url: Flag.String("url").pipe(
      Flag.withMetavar("URL"),
      Flag.withDescription("With CalDAV: the URL of the server (default: that of iCloud)"),
      Flag.optional
    ),
    username: Flag.String("username").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("With CalDAV: the user name on that server"),
      Flag.optional
    ),
    redirectUri: Flag.String("redirect-uri").pipe(
      Flag.withMetavar("URI"),
      Flag.withDescription("With Google and Outlook: the redirect URI that is registered for the OAuth client"),
      Flag.withDefault("http://localhost")
    ),
    clients: Parameters.settingFlags(calendarSettings)
  },
  ({ account, clients, json, provider, ...flags }) =>
    run(
      Effect.gen(function* () {
        const choice = yield* Effect.mapError(loadCalendars(Record.getSomes(clients)), fromSettings)
        const owner = yield* OperatorServices.findAccount(account)
        yield* checkKeys
        const request = {
          calendar: Option.getOrNull(flags.calendar),
          url: Option.getOrNull(flags.url),
          username: Option.getOrNull(flags.username),
          redirectUri: flags.redirectUri
        }
        const before = (yield* (yield* CalendarConnections).list(owner.id)).find((one) => one.provider === provider)
        const result = yield* CalendarConnect.connect(choice, { accountId: owner.id, provider }, request)
        if (result._tag === "Listed") return yield* showCalendars(result, json)
        const { connection, says } = result
        const ref = (yield* OperatorServices.accountRefs).get(owner.id)
        if (json) return yield* Output.json(view(connection, { ref, name: owner.name }))
        yield* Output.line(
          `Account ${owner.id} (${owner.name}) is connected with ${connection.calendar}${replaced(before, connection)}: ${says}`
        )
        yield* Output.line('Events that were created before are written there by "frontdesk calendars sync"')
      }),
      flags
    )
).pipe(
  Command.withShortDescription("Connect an account with an external calendar"),
  Command.withDescription(
    "Checks the calendar and stores the connection, which replaces an earlier one with the same provider. With CalDAV, give " +
      `the password with ${CalendarConnect.variable} or as a line of standard input; without --calendar the command lists ` +
      "the calendars and connects none. With Google and Outlook, open the printed address, allow the access, and enter the " +
      `address to which the browser is redirected. Without a terminal, give a refresh token with ${CalendarConnect.variable}. ` +
      Parameters.secretsHelp({ ...keySettings, ...calendarSettings })
  ),
  Command.withExamples([
    {
      command: "frontdesk calendars connect --account acme --provider apple --username jo@example.com",
      description: "List the calendars of an iCloud account"
    },
    {
      command: "frontdesk calendars connect --account acme --provider google",
      description: "Connect the main calendar of a Google account"
    }
  ])
)

const list = Command.make(
  "list",
  { ...common, account: Flag.optional(Parameters.accountFlag) },
  ({ account, json, ...flags }) =>
    run(
      Effect.gen(function* () {
        const owner = Option.isNone(account) ? null : (yield* OperatorServices.findAccount(account.value)).id
        const refs = yield* OperatorServices.accountRefs
        const names = new Map((yield* (yield* Accounts).list).map(({ id, name }) => [id, name]))
        const found = (yield* (yield* CalendarConnections).list(owner)).map((connection) =>
          view(connection, { ref: refs.get(connection.accountId), name: names.get(connection.accountId) })
        )
        if (json) return yield* Output.json({ connections: found })
        yield* Output.table(
          ["ACCOUNT", "REF", "NAME", "PROVIDER", "CALENDAR", "SINCE"],
          found.map((row) => [
            String(row.account_id),
            row.account_ref ?? "",
            row.account_name ?? "",
            row.provider,
            row.calendar,
            row.updated_at
          ])
        )
      }),
      flags
    )
).pipe(Command.withDescription("List the connections with external calendars"))

const disconnect = Command.make("disconnect", { ...common, provider }, ({ account, json, provider, ...flags }) =>
  run(
    Effect.gen(function* () {
      const { id, name } = yield* OperatorServices.findAccount(account)
      const wasConnected = yield* (yield* CalendarConnections).disconnect({ accountId: id, provider })
      if (!wasConnected) return yield* failure(`Account ${id} (${name}) is not connected with ${provider}`)
      if (json) return yield* Output.json({ account_id: id, provider })
      yield* Output.line(
        `Account ${id} (${name}) is no longer connected with ${provider}; events that were written there stay there`
      )
    }),
    flags
  )
).pipe(Command.withDescription("Delete a connection and its credentials"))

const sync = Command.make("sync", { ...common, provider }, ({ account, json, provider, ...flags }) =>
  run(
    Effect.gen(function* () {
      const { id, name } = yield* OperatorServices.findAccount(account)
      const connected = yield* (yield* CalendarConnections).list(id)
      if (!connected.some((connection) => connection.provider === provider)) {
        return yield* failure(`Account ${id} (${name}) is not connected with ${provider}`)
      }
      const count = yield* (yield* CalendarOperations).syncAhead(id, provider)
      if (json) return yield* Output.json({ account_id: id, provider, events: count })
      const events = count === 1 ? "1 event" : `${count} events`
      yield* Output.line(`The server will write ${events} of account ${id} (${name}) to ${provider}`)
    }),
    flags
  )
).pipe(Command.withDescription("Write the events that have not begun to an external calendar"))

const eventKey = Flag.String("event").pipe(
  Flag.filterMap(CalendarEventKey.parse, (text) => `${text} is not the id or the UUID of an event`),
  Flag.withMetavar("EVENT"),
  Flag.withDescription("The id or the UUID of the calendar event")
)

const resolution = Parameters.readFlag(
  "resolution",
  SettingCodecs.choice({ overwrite: "overwrite", "keep-theirs": "keep_theirs" } satisfies Record<
    string,
    CopyResolution
  >)
).pipe(
  Flag.withMetavar("RESOLUTION"),
  Flag.withDescription(
    "overwrite: replaces the change in the external calendar with the event; keep-theirs: keeps the change until the event " +
      "changes again, and an event that was deleted in the external calendar stays deleted there"
  )
)

const resolve = Command.make(
  "resolve",
  { ...common, provider, event: eventKey, resolution },
  ({ account, event: key, json, provider, resolution, ...flags }) =>
    run(
      Effect.gen(function* () {
        const { id, name } = yield* OperatorServices.findAccount(account)
        const event = yield* (yield* CalendarOperations)
          .resolveCopy(id, key, provider, resolution)
          .pipe(
            Effect.catchTag("CalendarEventNotFound", ({ event }) =>
              failure(`Account ${id} (${name}) has no event ${event}`)
            )
          )
        const status = event.externalCalendarsStatus[provider]?.status ?? null
        if (json) return yield* Output.json({ account_id: id, event_id: event.id, provider, status })
        yield* Output.line(
          ExternalStates.isUnresolved(event, provider)
            ? `The server will resolve event ${event.id} in ${provider}`
            : `Event ${event.id} has nothing to resolve in ${provider}`
        )
      }),
      flags
    )
).pipe(Command.withDescription("Resolve a conflict: an event that a person has changed in the external calendar"))

/** The command `frontdesk calendars`. */
export const calendars = Command.make("calendars").pipe(
  Command.withDescription("Manage the external calendars of accounts"),
  Command.withSubcommands([connect, list, disconnect, sync, resolve])
)
