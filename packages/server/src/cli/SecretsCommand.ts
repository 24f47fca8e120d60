import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as NodeCrypto from "../NodeCrypto.ts"
import * as Secrets from "../Secrets.ts"
import { settings } from "../settings/SettingDefinitions.ts"
import { failure, usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const { secretKeys, secretKeysFile } = settings
const keySettings = { secretKeys, secretKeysFile }

const common = {
  database: Parameters.databaseFlags,
  keys: Parameters.settingFlags(keySettings),
  json: Parameters.json
}

/** Runs a command on the stored secrets of a database, with the secret keys of the settings. */
const run = <E extends OperatorServices.Refusal>(
  effect: (keyring: Keyring.Keyring) => Effect.Effect<void, E, StoredSecrets>,
  flags: OperatorServices.KeyedFlags
) => OperatorServices.runWithKeys((keyring) => Effect.provide(effect(keyring), Secrets.layerStored(keyring)), flags)

const generateKey = Command.make("generate-key", {}, () =>
  Effect.flatMap(Effect.provide(Keyring.generateKey, NodeCrypto.layer), (key) => Output.line(Redacted.value(key)))
).pipe(
  Command.withDescription("Print a new key for FRONTDESK_SECRET_KEYS. Write a version of your choice before it: v1:KEY")
)

/** A note for an operator who wants to remove a key: the stored answers still need it for a day. */
const storedAnswersNote =
  "Stored answers to requests with an idempotency key are sealed too. They are not counted, and are deleted after 24 hours"

const status = Command.make("status", common, ({ json, ...flags }) =>
  run(
    Effect.fnUntraced(function* (keyring) {
      const counts = yield* (yield* StoredSecrets).counts
      const rows = counts.map((row) => ({ ...row, version: row.version ?? "plain" }))
      const current = keyring.current?.version ?? "plain"
      if (json) return yield* Output.json({ current, secrets: rows })
      yield* Output.line(`New secrets: ${current}`)
      yield* Output.table(
        ["SECRETS OF", "KEY", "COUNT", "UNREADABLE"],
        rows.map(({ count, kind, unreadable, version }) => [kind, version, String(count), String(unreadable)])
      )
      yield* Output.line(storedAnswersNote)
    }),
    flags
  )
).pipe(
  Command.withShortDescription("Count the stored secrets by the key that seals them"),
  Command.withDescription(
    `Counts the stored secrets by the key that seals them. ${Parameters.secretsHelp(keySettings)}`
  )
)

const keyVersion: TextReader<Keyring.KeyVersion> = (text) =>
  Result.mapError(Schema.decodeUnknownResult(Keyring.KeyVersion)(text), () => "the version of a key")

const reseal = Command.make(
  "reseal",
  {
    ...common,
    replaceUnreadable: Parameters.readFlag("replace-unreadable", keyVersion).pipe(
      Flag.withMetavar("VERSION"),
      Flag.withDescription(
        "Replace secrets that are sealed with this key version, which is lost. Then the owners of the webhooks must rotate " +
          "their secrets, and external calendars must be connected again"
      ),
      Flag.atLeast(0)
    )
  },
  ({ json, replaceUnreadable, ...flags }) =>
    run(
      Effect.fnUntraced(function* (keyring) {
        if (replaceUnreadable.length > 0 && keyring.current === null && !keyring.isPlain) {
          return yield* usage(
            "No key is given, so the new secrets would be stored without encryption. Set FRONTDESK_SECRET_KEYS to every key " +
              'that is left, to a new key, or to "plain"'
          )
        }
        const { disconnected, replaced, resealed, unchanged, unreadable } = yield* Effect.catchTag(
          (yield* StoredSecrets).reseal({ replaceUnreadable }),
          "KeyVersionNotInUse",
          ({ message }) => failure(`${message}; nothing was changed`)
        )
        const current = keyring.current?.version ?? "plain"
        if (json) yield* Output.json({ current, resealed, unchanged, unreadable, replaced, disconnected })
        else {
          const how = keyring.current === null ? "stored without encryption" : `sealed with ${current}`
          yield* Output.line(`${resealed} secrets are now ${how}, ${unchanged} already were`)
          if (replaced.length > 0) yield* Output.line(`Webhooks whose secret must be rotated: ${replaced.join(", ")}`)
          for (const { accountId, provider } of disconnected) {
            yield* Output.line(`The ${provider} calendar of account ${accountId} must be connected again`)
          }
          yield* Output.line(storedAnswersNote)
        }
        if (unreadable > 0) return yield* failure(`${unreadable} secrets cannot be opened and are unchanged`)
      }),
      flags
    )
).pipe(
  Command.withShortDescription("Seal all stored secrets with the current key"),
  Command.withDescription(
    "Seals every stored secret with the first key of FRONTDESK_SECRET_KEYS. With plain instead of keys it stores every " +
      "secret without encryption. The command can be stopped and run again, and a server with the same keys may run. " +
      Parameters.secretsHelp(keySettings)
  )
)

/** The command `frontdesk secrets`. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Manage the encryption of the secrets in the database"),
  Command.withSubcommands([generateKey, status, reseal])
)
