import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { SecretBox } from "@frontdesk/core/crypto/SecretBox"
import * as SecretContext from "@frontdesk/core/crypto/SecretContext"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"

/*
 * The value of the demo key, of which the table of keys has only the hash, is kept to be shown again: in a file beside a
 * database that is a file, and among the secrets of the installation in PostgreSQL, where every node finds it.
 */

const secretName = "demo"

const context = SecretContext.installationSecret(secretName)

/** The value a run before, or another node, has kept. */
export const load = (
  database: DatabaseUrl
): Effect.Effect<Option.Option<Redacted.Redacted>, StorageError, InstallationStore> => {
  switch (database._tag) {
    case "File":
      return Effect.option(Effect.try(() => labelled(readFileSync(fileOf(database.path), "utf8").trim())))
    case "Memory":
      return Effect.succeedNone
    case "Postgres":
      return loadSecret
  }
}

/** Keeps a value. One that cannot be kept in a file is made anew at the next start. */
export const save = (
  database: DatabaseUrl,
  key: Redacted.Redacted
): Effect.Effect<void, StorageError, InstallationStore> => {
  switch (database._tag) {
    case "File":
      return Effect.try(() => {
        const file = fileOf(database.path)
        rmSync(file, { force: true })
        writeFileSync(file, `${Redacted.value(key)}\n`, { mode: 0o600, flag: "wx" })
      }).pipe(Effect.catch((error) => Effect.logWarning("The demo key could not be kept", error)))
    case "Memory":
      return Effect.void
    case "Postgres":
      return saveSecret(key)
  }
}

const fileOf = (path: string): string => `${path}.demo-key`

const labelled = (value: string): Redacted.Redacted => Redacted.make(value, { label: "api key" })

const stored = Effect.gen(function* () {
  const found = yield* (yield* InstallationStore).secrets
  return Option.map(Option.fromUndefinedOr(found.find(({ name }) => name === secretName)), ({ stored }) => stored)
})

const loadSecret = Effect.gen(function* () {
  const box = yield* SecretBox
  const kept = yield* stored
  if (Option.isNone(kept)) return Option.none()
  return Option.map(yield* Effect.option(box.open(kept.value, context)), (key) => labelled(Redacted.value(key)))
})

const saveSecret = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const installation = yield* InstallationStore
  const sealed = yield* (yield* SecretBox).seal(key, context)
  const before = yield* stored
  if (Option.isNone(before)) yield* installation.secret(secretName, sealed)
  else yield* installation.replaceSecret(secretName, before.value, sealed)
})
