import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { KeptSecrets } from "@frontdesk/core/crypto/KeptSecrets"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Primitives from "../Primitives.ts"
import * as Secrets from "../Secrets.ts"
import { settings } from "../settings/Definitions.ts"
import { loadSecretKeys } from "../settings/Settings.ts"
import { failure, fromSettings } from "./Failure.ts"
import * as Operator from "./Operator.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const common = {
  database: Parameters.databaseFlags,
  keys: Parameters.settingFlags({ secretKeysFile: settings.secretKeysFile }),
  json: Parameters.json
}

/** Runs a command on the secrets of a database, with the keys of the settings. */
const run = <E extends Operator.Refusal>(
  effect: (keyring: Keyring.Keyring) => Effect.Effect<void, E, KeptSecrets>,
  { database, keys }: { readonly database: Operator.DatabaseFlags; readonly keys: Operator.DatabaseFlags }
) =>
  Effect.gen(function* () {
    const keyring = yield* Effect.mapError(loadSecretKeys(Record.getSomes(keys)), fromSettings)
    yield* Operator.run(Effect.provide(effect(keyring), Secrets.layerKept(keyring)), database)
  })

const generateKey = Command.make("generate-key", {}, () =>
  Effect.flatMap(Effect.provide(Keyring.generateKey, Primitives.layer), (key) => Output.line(Redacted.value(key)))
).pipe(
  Command.withDescription("Print a new key for FRONTDESK_SECRET_KEYS; it goes behind a version of your choice: v1:KEY")
)

/** What the answers to idempotent requests mean for a key that is to be removed. */
const answers =
  "Answers to requests with an idempotency key are sealed too and not counted; they are gone after 24 hours"

const status = Command.make("status", common, ({ json, ...flags }) =>
  run(
    Effect.fnUntraced(function* (keyring) {
      const counts = yield* (yield* KeptSecrets).counts
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
).pipe(Command.withDescription("Count the kept secrets by the key that seals them"))

const reseal = Command.make(
  "reseal",
  {
    ...common,
    replaceUnreadable: Flag.Boolean("replace-unreadable").pipe(
      Flag.withDescription("Put new secrets in the place of those whose key is lost; their owners must rotate them"),
      Flag.withDefault(false)
    )
  },
  ({ json, replaceUnreadable, ...flags }) =>
    run(
      Effect.fnUntraced(function* (keyring) {
        const { replaced, resealed, unchanged, unreadable } = yield* (yield* KeptSecrets).reseal({ replaceUnreadable })
        const current = keyring.current?.version ?? "plain"
        if (json) yield* Output.json({ current, resealed, unchanged, unreadable, replaced })
        else {
          const how = keyring.current === null ? "kept plain now" : `sealed with ${current} now`
          yield* Output.line(`${resealed} secrets are ${how}, ${unchanged} were so before`)
          if (replaced.length > 0) yield* Output.line(`Webhooks that need a rotation: ${replaced.join(", ")}`)
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
      "place every secret is kept plain. It can be stopped and run again, and beside a server that has the same keys."
  )
)

/** `frontdesk secrets`. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Encryption of the secrets in the database"),
  Command.withSubcommands([generateKey, status, reseal])
)
