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
 * The table of API keys has only the digest of the demo key. Its value is stored separately, so that every start can print
 * it: in a file beside a SQLite file, and in PostgreSQL among the secrets of the installation, where every node finds it.
 */

const secretName = "demo"

const context = SecretContext.installationSecret(secretName)

/** Returns the value that an earlier start or another node has stored; none if there is no value that can be read. */
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

/**
 * Stores the value; for a database in memory it does nothing. If the file cannot be written, a warning is logged and the
 * next start creates a new value.
 */
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
      }).pipe(
        Effect.catch((error) =>
          Effect.logWarning("The demo key could not be stored. The next start will create a new one", error)
        )
      )
    case "Memory":
      return Effect.void
    case "Postgres":
      return saveSecret(key)
  }
}

const fileOf = (path: string): string => `${path}.demo-key`

const labelled = (value: string): Redacted.Redacted => Redacted.make(value, { label: "api key" })

const storedSecret = Effect.gen(function* () {
  const found = yield* (yield* InstallationStore).secrets
  return Option.map(Option.fromUndefinedOr(found.find(({ name }) => name === secretName)), ({ stored }) => stored)
})

const loadSecret = Effect.gen(function* () {
  const box = yield* SecretBox
  const sealed = yield* storedSecret
  if (Option.isNone(sealed)) return Option.none()
  return Option.map(yield* Effect.option(box.open(sealed.value, context)), (key) => labelled(Redacted.value(key)))
})

const saveSecret = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const installation = yield* InstallationStore
  const sealed = yield* (yield* SecretBox).seal(key, context)
  const before = yield* storedSecret
  if (Option.isNone(before)) yield* installation.secret(secretName, sealed)
  else yield* installation.replaceSecret(secretName, before.value, sealed)
})
