import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { SuiteOptions } from "./Rounds.ts"
import * as Fill from "./storage/Fill.ts"
import * as Growth from "./storage/Growth.ts"
import * as OpenWebhooks from "./storage/OpenWebhooks.ts"

interface Size extends Growth.Size {
  readonly transactions: number
  readonly openWebhooks: OpenWebhooks.Size
}

const full: Size = {
  few: 1_000,
  many: 1_000_000,
  rounds: 2_000,
  transactions: 2_000,
  openWebhooks: { few: 100, many: 100_000, rounds: 200 }
}
const smoke: Size = {
  few: 100,
  many: 1_000,
  rounds: 20,
  transactions: 20,
  openWebhooks: { few: 100, many: 1_000, rounds: 20 }
}

const writeOutbox = Effect.fnUntraced(function* (stores: Growth.Stores, transactions: number, batch: number) {
  const outbox = Context.get(stores, OutboxStore)
  const transaction = Context.get(stores, Transaction)
  const work = Array.from({ length: batch }, (_, index) => ({
    _tag: "SyncEvent" as const,
    provider: "google" as const,
    eventId: CalendarEventId.make(index + 1)
  }))
  const before = performance.now()
  for (let index = 0; index < transactions; index++)
    yield* transaction.run(outbox.add(AccountId.make(1), work, Fill.first))
  const seconds = (performance.now() - before) / 1_000
  const rate = Math.round((transactions * batch) / seconds).toLocaleString("en")
  yield* Console.log(`outbox, ${batch} a transaction`.padEnd(30), `${rate} rows/s`)
})

const program = Effect.fnUntraced(function* (size: Size) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const filled = Effect.fnUntraced(function* (count: number, openWebhooks: number, kind: OpenWebhooks.Kind) {
    const filename = path.join(folder, `${randomUUID()}.db`)
    const filling = Effect.andThen(Fill.fill(count), OpenWebhooks.fill(openWebhooks, kind))
    yield* Effect.provide(filling, SqliteStorage.layer({ filename, synchronous: "NORMAL" }))
    return yield* Layer.build(SqliteStorage.layer({ filename }))
  })
  const before = performance.now()
  const small = yield* filled(size.few, size.openWebhooks.few, OpenWebhooks.inOneAccount)
  const large = yield* filled(size.many, size.openWebhooks.many, OpenWebhooks.inOneAccount)
  yield* Console.log(`written in ${((performance.now() - before) / 1_000).toFixed(1)} s`)

  yield* Growth.run(small, large, size)
  yield* OpenWebhooks.run(small, large, size.openWebhooks, OpenWebhooks.inOneAccount)
  for (const kind of OpenWebhooks.inManyAccounts) {
    const few = yield* filled(size.few, size.openWebhooks.few, kind)
    const many = yield* filled(size.few, size.openWebhooks.many, kind)
    yield* OpenWebhooks.run(few, many, size.openWebhooks, kind)
  }
  yield* writeOutbox(small, size.transactions, 1)
  yield* writeOutbox(small, size.transactions / 4, 100)
})

/**
 * Prints the times of lists and look-ups of the SQLite storage, in an account with 1,000 calendar events and calls and in
 * one with 1,000,000. It prints the time of a claim beside 100 and 100,000 webhooks with a pending retry, in one
 * account and in many, and that of a claim among as many webhooks with a due delivery. Then it prints the rate of writes
 * to the outbox, with 1 and with 100 tasks in a transaction.
 */
export const run = ({ quick }: SuiteOptions): Promise<void> =>
  Effect.runPromise(Effect.scoped(program(quick ? smoke : full)))

if (import.meta.main) await run({ quick: false })
