import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as HangingProvider from "./outbox/HangingProvider.ts"
import * as Desk from "./outbox/Desk.ts"
import * as Server from "./postgres/Server.ts"
import type { SuiteOptions } from "./Rounds.ts"

const full: HangingProvider.Size = { due: 500, count: 100, pause: 4, rounds: 6 }

const smoke: HangingProvider.Size = { due: 200, count: 10, pause: 4, rounds: 1 }

const program = Effect.fnUntraced(function* (size: HangingProvider.Size) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const server = yield* Effect.acquireRelease(Effect.promise(Server.start), (server) => Effect.promise(server.stop))
  const url = Redacted.make(yield* Effect.promise(() => server.database("outbox")))
  const databases = [
    ["SQLite", SqliteStorage.layer({ filename: path.join(folder, "outbox.db") })],
    ["PostgreSQL", PostgresStorage.layer({ url })]
  ] as const
  for (const [name, storage] of databases)
    yield* HangingProvider.run(name, size).pipe(Effect.provide(Layer.provideMerge(Desk.layer, storage)), Effect.scoped)
})

/**
 * Prints the time of a mail from the commit of its calendar event until the mailer gets it, alone and beside another
 * account whose external calendar or mail server hangs, on both databases.
 */
export const run = ({ quick }: SuiteOptions): Promise<void> =>
  Effect.runPromise(Effect.scoped(program(quick ? smoke : full)))

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
