import { defaultSettings } from "@frontdesk/core/access/Accounts"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { EventId } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { SuiteOptions } from "./Rounds.ts"

interface Size {
  readonly few: number
  readonly many: number
  readonly rounds: number
  readonly transactions: number
}

const full: Size = { few: 1_000, many: 1_000_000, rounds: 2_000, transactions: 2_000 }
const smoke: Size = { few: 100, many: 1_000, rounds: 20, transactions: 20 }

const first = DateTime.makeUnsafe("2026-01-05T00:00:00Z")
const week = 7 * 86_400_000
const perWeek = 20

const accountId = AccountId.make(1)
const scope = { accountId, teamIds: [] }

/** Writes an account with so many events, twenty a week, and so many calls, past the stores, in two statements. */
const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* AccountStore
  const agents = yield* AgentStore
  yield* accounts.insert({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings,
    createdAt: first
  })
  const agent = yield* agents.insert({
    accountId,
    assistantId: "asst_1",
    name: "Ada",
    role: "outbound agent",
    phoneNumber: null,
    model: "",
    voiceId: "",
    teamId: null,
    createdAt: first
  })
  const start = `${DateTime.toEpochMillis(first)} + n * ${week / perWeek}`
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${count - 1})`
  yield* sql.unsafe(`${numbers} INSERT INTO calendar_event
    (uuid, account_id, ai_agent_id, event_type, status, start_time, end_time, busy_class, title, has_video_conference,
      video_conference_url, video_conference_provider, created_by_ai_agent, is_reminder_enabled, remind_before_minutes,
      customer_name, customer_email, customer_email_key, customer_phone, external_calendars, notify_on_cancel, sequence,
      created_at, updated_at, customer_notes, description)
    SELECT printf('%08x-0000-7000-8000-000000000000', n), 1, ${agent.id}, 'meeting', 'scheduled', ${start},
      ${start} + 1800000, 5, 'Demo', 0, '', '', 1, 0, 30, 'Jo', 'jo@example.com', 'jo@example.com', '', '{}', 1, 0,
      ${start}, ${start}, '', 'A demonstration of what there is to show' FROM number`)
  yield* sql.unsafe(`${numbers} INSERT INTO call
    (account_id, agent_id, call_id, status, type, phone_number, submission, billing_status, initial_charge, final_charge,
      price_per_minute, reconcile_count, created_at, updated_at, variables)
    SELECT 1, ${agent.id}, printf('call_%08x', n), 'completed', 'outbound', '+12025550100', 'accepted', 'charged', 0, 0,
      0, 0, ${start}, ${start}, '{}' FROM number`)
})

type Stores = Context.Context<Layer.Success<ReturnType<typeof SqliteStorage.layer>>>

/** What is measured: a question about row or week `n`, which answers how much it found. */
interface Question {
  readonly name: string
  readonly ask: (stores: Stores, n: number) => Effect.Effect<number, unknown>
}

const weekOf = (n: number) => {
  const from = DateTime.add(first, { milliseconds: Math.floor(n / perWeek) * week })
  return { from, until: DateTime.add(from, { milliseconds: week }) }
}

const questions: ReadonlyArray<Question> = [
  {
    name: "a page of a week's events",
    ask: (stores, n) =>
      Effect.map(
        Context.get(stores, CalendarEventStore).list(scope, weekOf(n), { page: 1, limit: perWeek }),
        (page) => page.items.length + page.count
      )
  },
  {
    name: "the first page of all events",
    ask: (stores) =>
      Effect.map(
        Context.get(stores, CalendarEventStore).list(scope, {}, { page: 1, limit: perWeek }),
        (page) => page.items.length
      )
  },
  {
    name: "what is busy in a week",
    ask: (stores, n) => {
      const { from, until } = weekOf(n)
      return Effect.map(
        Context.get(stores, CalendarEventStore).busy(accountId, from, until, Option.none()),
        (busy) => busy.length
      )
    }
  },
  {
    name: "a call by its identifier",
    ask: (stores, n) =>
      Effect.map(
        Context.get(stores, CallStore).find(scope, { callId: `call_${n.toString(16).padStart(8, "0")}` }),
        (call) => (Option.isSome(call) ? 1 : 0)
      )
  }
]

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const compare = Effect.fnUntraced(function* (
  { ask, name }: Question,
  small: Stores,
  large: Stores,
  { few, many, rounds }: Size
) {
  const times: { readonly small: Array<number>; readonly large: Array<number> } = { small: [], large: [] }
  // Numbers that look random and are the same in every run.
  let state = 12_345
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const time = Effect.fnUntraced(function* (stores: Stores, count: number, into: Array<number>, round: number) {
    const n = random(count - perWeek)
    const before = performance.now()
    const found = yield* ask(stores, n)
    const after = performance.now()
    if (found === 0) return yield* Effect.die(`nothing found: ${name}`)
    if (round >= rounds / 10) into.push(after - before)
  })
  for (let round = 0; round < rounds; round++) {
    // In turn, and each goes first half the time.
    if (round % 2 === 0) yield* time(small, few, times.small, round)
    yield* time(large, many, times.large, round)
    if (round % 2 === 1) yield* time(small, few, times.small, round)
  }
  const [a, b] = [median(times.small), median(times.large)]
  const micros = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(0).padStart(5)} µs`
  yield* Console.log(
    `${name.padEnd(30)} ${micros(a)} of ${few.toLocaleString("en")} ${micros(b)} of ${many.toLocaleString("en")}   ratio ${(b / a).toFixed(2)}`
  )
})

const writeOutbox = Effect.fnUntraced(function* (stores: Stores, transactions: number, batch: number) {
  const outbox = Context.get(stores, OutboxStore)
  const transaction = Context.get(stores, Transaction)
  const work = Array.from({ length: batch }, (_, index) => ({
    _tag: "SyncEvent" as const,
    provider: "google" as const,
    eventId: EventId.make(index + 1)
  }))
  const before = performance.now()
  for (let index = 0; index < transactions; index++) yield* transaction.run(outbox.add(work, first))
  const seconds = (performance.now() - before) / 1_000
  const rate = Math.round((transactions * batch) / seconds).toLocaleString("en")
  yield* Console.log(`outbox, ${batch} a transaction`.padEnd(30), `${rate} rows/s`)
})

const program = Effect.fnUntraced(function* (size: Size) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const filled = Effect.fnUntraced(function* (count: number) {
    const filename = path.join(folder, `${count}.db`)
    yield* Effect.provide(fill(count), SqliteStorage.layer({ filename, synchronous: "NORMAL" }))
    return yield* Layer.build(SqliteStorage.layer({ filename }))
  })
  const before = performance.now()
  const [small, large] = [yield* filled(size.few), yield* filled(size.many)]
  yield* Console.log(`written in ${((performance.now() - before) / 1_000).toFixed(1)} s`)

  for (const question of questions) yield* compare(question, small, large, size)
  yield* writeOutbox(small, size.transactions, 1)
  yield* writeOutbox(small, size.transactions / 4, 100)
})

/** Lists, look-ups and writes of the SQLite storage, in an account with 1,000 events and calls and one with 1,000,000. */
export const run = ({ quick }: SuiteOptions): Promise<void> =>
  Effect.runPromise(Effect.scoped(program(quick ? smoke : full)))

if (import.meta.main) await run({ quick: false })
