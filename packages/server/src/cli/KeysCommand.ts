import type { ApiKey } from "@frontdesk/core/access/ApiKey"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeys, defaultGrace, type IssuedApiKey } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const iso = (instant: DateTime.Utc | null): string | null => (instant === null ? null : DateTime.formatIso(instant))

const view = (key: ApiKey) => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  permissions: key.permissions,
  prefix: key.prefix,
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt),
  previous_expires_at: iso(key.previousExpiresAt),
  created_at: iso(key.createdAt)
})

const printIssued = ({ apiKey, value }: IssuedApiKey, json: boolean, title: string): Effect.Effect<void> =>
  json
    ? Output.json({ ...view(apiKey), key: Redacted.value(value) })
    : Output.line(`${title}\n\n  ${Redacted.value(value)}\n\nThis value is shown only once.`)

const common = { account: Parameters.accountFlag, database: Parameters.databaseFlags, json: Parameters.json }

const key = Parameters.readArgument("key", Parameters.id).pipe(Argument.withDescription("The id of the key"))

const create = Command.make(
  "create",
  {
    ...common,
    name: Flag.String("name").pipe(
      Flag.withAlias("n"),
      Flag.withMetavar("NAME"),
      Flag.withDescription("A name that says what the key is for")
    ),
    permissions: Parameters.readFlag("permissions", Parameters.permissions).pipe(
      Flag.withAlias("p"),
      Flag.withMetavar("LIST"),
      Flag.withDescription(`Permissions separated by commas, or "*" for all of them: ${Permission.all.join(", ")}`)
    ),
    expiresAt: Parameters.readFlag("expires-at", Parameters.instant).pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("When the key expires, for example 2026-12-31T00:00:00Z (default: never)"),
      Flag.optional
    ),
    test: Flag.Boolean("test").pipe(
      Flag.withDescription("Begin the value with fd_test_ instead of fd_live_"),
      Flag.withDefault(false)
    )
  },
  ({ account, database, expiresAt, json, name, permissions, test }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const owner = yield* OperatorServices.findAccount(account)
        const issued = yield* apiKeys.create({
          accountId: owner.id,
          name,
          permissions,
          expiresAt: Option.getOrUndefined(expiresAt),
          mode: test ? "test" : "live"
        })
        yield* printIssued(issued, json, `Key ${issued.apiKey.id} (${name}) of account ${owner.id} (${owner.name}):`)
      }),
      database
    )
).pipe(
  Command.withDescription("Create an API key and print its value, which is shown only once"),
  Command.withExamples([
    {
      command: "frontdesk keys create --account acme --name Website --permissions can_read_calendar,can_write_calendar",
      description: "A key for a website that books appointments"
    }
  ])
)

const state = (apiKey: ApiKey, now: DateTime.Utc): string => {
  if (apiKey.revokedAt !== null) return "revoked"
  return apiKey.expiresAt !== null && DateTime.isGreaterThanOrEqualTo(now, apiKey.expiresAt) ? "expired" : "active"
}

const list = Command.make("list", common, ({ account, database, json }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const now = yield* DateTime.now
      const keys = yield* apiKeys.list((yield* OperatorServices.findAccount(account)).id)
      if (json) return yield* Output.json({ api_keys: keys.map(view) })
      yield* Output.table(
        ["ID", "NAME", "BEGINS WITH", "STATE", "LAST USED", "PERMISSIONS"],
        keys.map((key) => [
          String(key.id),
          key.name,
          key.prefix,
          state(key, now),
          iso(key.lastUsedAt) ?? "never",
          key.permissions.length === Permission.all.length ? "*" : key.permissions.join(",")
        ])
      )
    }),
    database
  )
).pipe(Command.withDescription("List the API keys of an account"))

const rotate = Command.make(
  "rotate",
  {
    ...common,
    key,
    grace: Parameters.readFlag("grace", SettingCodecs.duration).pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("How long the old value keeps working (default: 24 hours)"),
      Flag.withDefault(defaultGrace)
    ),
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Rotate even while the value from before the last rotation works; that value stops working"),
      Flag.withDefault(false)
    )
  },
  ({ account, database, force, grace, json, key }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const owner = yield* OperatorServices.findAccount(account)
        const issued = yield* apiKeys.rotate(owner.id, ApiKeyId.make(key), { grace, force })
        const until = iso(issued.apiKey.previousExpiresAt) ?? "now"
        yield* printIssued(issued, json, `Key ${key} has a new value; the old one works until ${until}:`)
      }),
      database
    )
).pipe(Command.withDescription("Give a key a new value; the old value keeps working for the grace time"))

const revoke = Command.make("revoke", { ...common, key }, ({ account, database, json, key }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const owner = yield* OperatorServices.findAccount(account)
      const revoked = yield* apiKeys.revoke(owner.id, ApiKeyId.make(key))
      if (json) return yield* Output.json(view(revoked))
      yield* Output.line(`Key ${key} (${revoked.name}) is revoked and no longer works`)
    }),
    database
  )
).pipe(Command.withDescription("Revoke a key, so that it stops working at once"))

/** The command `frontdesk keys`. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Manage the API keys of an account"),
  Command.withSubcommands([create, list, rotate, revoke])
)
