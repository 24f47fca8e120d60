import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"

/** The file beside the database that keeps the value of the demo key: the database has only its hash. */
const fileOf = (database: DatabaseUrl): string | undefined =>
  database._tag === "File" ? `${database.path}.demo-key` : undefined

/** The value a run before has kept. */
export const load = (database: DatabaseUrl): Effect.Effect<Option.Option<Redacted.Redacted<string>>> => {
  const file = fileOf(database)
  if (file === undefined) return Effect.succeedNone
  return Effect.try({
    try: () => Redacted.make(readFileSync(file, "utf8").trim(), { label: "api key" }),
    catch: String
  }).pipe(Effect.option)
}

/** Keeps a value where its owner alone can read it. One that cannot be kept is made anew at the next start. */
export const save = (database: DatabaseUrl, key: Redacted.Redacted<string>): Effect.Effect<void> => {
  const file = fileOf(database)
  if (file === undefined) return Effect.void
  return Effect.try(() => {
    rmSync(file, { force: true })
    writeFileSync(file, `${Redacted.value(key)}\n`, { mode: 0o600, flag: "wx" })
  }).pipe(Effect.catch((error) => Effect.logWarning("The demo key could not be kept", error)))
}
