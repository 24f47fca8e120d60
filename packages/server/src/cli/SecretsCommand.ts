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

/** Runs a command on the secrets of a database, with the keys of the settings. */
const run = <E extends OperatorServices.Refusal>(
  effect: (keyring: Keyring.Keyring) => Effect.Effect<void, E, StoredSecrets>,
  flags: OperatorServices.KeyedFlags
) => OperatorServices.runWithKeys((keyring) => Effect.provide(effect(keyring), Secrets.layerKept(keyring)), flags)

const generateKey = Command.make("generate-key", {}, () =>
  Effect.flatMap(Effect.provide(Keyring.generateKey, NodeCrypto.layer), (key) => Output.line(Redacted.value(key)))
).pipe(
  Command.withDescription("Print a new key for FRONTDESK_SECRET_KEYS; it goes behind a version of your choice: v1:KEY")
)

/** What the answers to idempotent requests mean for a key that is to be removed. */
const answers =
  "Answers to requests with an idempotency key are sealed too and not counted; they are gone after 24 hours"

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
      yield* Output.line(answers)
    }),
    flags
  )
).pipe(
  Command.withShortDescription("Count the kept secrets by the key that seals them"),
  Command.withDescription(`Counts the kept secrets by the key that seals them. ${Parameters.secretsHelp(keySettings)}`)
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
        "Put new secrets in the place of those sealed with this key version, which is lost; their owners must rotate " +
          "them, and connect outside calendars anew"
      ),
      Flag.atLeast(0)
    )
  },
  ({ json, replaceUnreadable, ...flags }) =>
    run(
      Effect.fnUntraced(function* (keyring) {
        if (replaceUnreadable.length > 0 && keyring.current === null && !keyring.isPlain) {
          return yield* usage(
            "No key is given, so the new secrets would be kept plain. FRONTDESK_SECRET_KEYS must give every key that is " +
              "left, or a new one, or say plain in its place"
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
          const how = keyring.current === null ? "kept plain now" : `sealed with ${current} now`
          yield* Output.line(`${resealed} secrets are ${how}, ${unchanged} were so before`)
          if (replaced.length > 0) yield* Output.line(`Webhooks that need a rotation: ${replaced.join(", ")}`)
          for (const { accountId, provider } of disconnected) {
            yield* Output.line(`The ${provider} calendar of account ${accountId} has to be connected anew`)
          }
          yield* Output.line(answers)
        }
        if (unreadable > 0) return yield* failure(`${unreadable} secrets cannot be opened and stay as they are`)
      }),
      flags
    )
).pipe(
  Command.withShortDescription("Seal everything again with the current key"),
  Command.withDescription(
    "Seals with the first key of FRONTDESK_SECRET_KEYS every secret that another key seals or none; with plain in its " +
      "place every secret is kept plain. It can be stopped and run again, and beside a server that has the same keys. " +
      Parameters.secretsHelp(keySettings)
  )
)

/** `frontdesk secrets`. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Encryption of the secrets in the database"),
  Command.withSubcommands([generateKey, status, reseal])
)
