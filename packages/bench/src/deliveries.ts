import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Engine from "./deliveries/Engine.ts"
import * as Inbox from "./deliveries/Inbox.ts"
import * as Throughput from "./deliveries/Throughput.ts"
import type { SuiteOptions } from "./Rounds.ts"

const program = Effect.fnUntraced(function* (quick: boolean) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const inbox = yield* Effect.acquireRelease(Effect.promise(Inbox.open), (inbox) => Effect.promise(inbox.stop))
  const services = yield* Layer.build(Engine.layer(path.join(folder, "throughput.db")))
  yield* Effect.promise(() => Throughput.run(services, inbox, quick ? { count: 200, rounds: 1 } : { count: 10_000, rounds: 5 }))
})

/** Prints what deliveries cost. */
export const run = ({ quick }: SuiteOptions): Promise<void> => Effect.runPromise(Effect.scoped(program(quick)))

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
