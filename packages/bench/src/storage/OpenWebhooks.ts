import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { accountId, first } from "./Fill.ts"
import type { Stores } from "./Growth.ts"

/** The number of webhooks with a pending delivery in each of the databases, and the number of measured claims. */
export interface Size {
  readonly few: number
  readonly many: number
  readonly rounds: number
}

/** Where the webhooks with a pending delivery are, and when it is due. */
export interface Kind {
  readonly name: string
  /** How many of the webhooks an account has; 0 if the account of `Fill` has all of them. */
  readonly perAccount: number
  /** Whether their deliveries are due. Otherwise each waits for a retry that is due much later. */
  readonly areDue: boolean
}

/** The account of `Fill` has all webhooks. Each waits for a retry. */
export const inOneAccount: Kind = { name: "a claim beside open webhooks", perAccount: 0, areDue: false }

/** The kinds with many accounts. */
export const inManyAccounts: ReadonlyArray<Kind> = [
  { name: "the same, 10 an account", perAccount: 10, areDue: false },
  { name: "a claim among due webhooks", perAccount: 10, areDue: true }
]

/** The webhook that hangs, with this many due deliveries: more than a claim reads at the front of the queue. */
const hanging = { id: WebhookId.make(1), count: 1_500 }

/** The webhook whose single delivery is due last. */
const idle = WebhookId.make(2)

/** How many rows one statement inserts. */
const batch = 5_000

const dueAt = (minutes: number) => DateTime.add(first, { minutes })

/**
 * Adds webhooks and deliveries: to the account of `Fill` the backlog of a webhook that hangs and a single due delivery of
 * another webhook, and one delivery for each of `count` webhooks.
 */
export const fill = Effect.fnUntraced(function* (count: number, { areDue, perAccount }: Kind) {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  const run = Effect.fnUntraced(function* (text: string, minutes: number, rows: ReadonlyArray<object>) {
    for (let from = 0; from < rows.length; from += batch) {
      const params = [dialect.time(dueAt(minutes)), JSON.stringify(rows.slice(from, from + batch))]
      yield* sql.unsafe(dialect.text(text), params)
    }
  })
  const now = dialect.instant("?1")
  const open = Array.from({ length: count }, (_, index) => ({
    id: index + 3,
    account: perAccount === 0 ? accountId : accountId + 1 + Math.floor(index / perAccount)
  }))
  const accounts = [...new Set(open.map(({ account }) => account))].filter((id) => id !== accountId)
  yield* run(
    `INSERT INTO account (id, name, role, created_at, settings)
      SELECT record.id, 'Acme', 'standard', ${now}, (SELECT settings FROM account WHERE id = ${accountId})
      FROM ${dialect.records("record", "?2", { id: "integer" })}`,
    0,
    accounts.map((id) => ({ id }))
  )
  const own = [hanging.id, idle].map((id) => ({ id, account: accountId }))
  yield* run(
    `INSERT INTO webhook (id, account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
        consecutive_failures)
      SELECT record.id, record.account, 'Calls', 'https://example.com', '["call.ended"]', 'active', 'x', ${now}, ${now}, 0
      FROM ${dialect.records("record", "?2", { id: "integer", account: "integer" })}`,
    0,
    [...own, ...open]
  )
  yield* run(
    `INSERT INTO webhook_event (id, account_id, name, created_at, body)
      SELECT record.id, record.id, 'call.ended', ${now}, ${dialect.isConcurrent ? "CAST('{}' AS bytea)" : "CAST('{}' AS blob)"}
      FROM ${dialect.records("record", "?2", { id: "integer" })}`,
    0,
    [accountId, ...accounts].map((id) => ({ id }))
  )
  const add = (webhooks: ReadonlyArray<(typeof open)[number]>, minutes: number, isReady: boolean) =>
    run(
      `INSERT INTO webhook_delivery
        (account_id, delivery_id, event_id, webhook_id, subject, state, kind, due_at, ready_account_id, results, claims,
          attempts)
      SELECT record.account, record.delivery_id, record.account, record.webhook_id, record.delivery_id, 'pending',
        'automatic', ${now}, ${isReady ? "record.account" : "NULL"}, 0, 0, 1
      FROM ${dialect.records("record", "?2", { delivery_id: "text", webhook_id: "integer", account: "integer" })}`,
      minutes,
      webhooks.map(({ account, id }) => ({ delivery_id: randomUUID(), webhook_id: id, account }))
    )
  yield* add(
    Array.from({ length: hanging.count }, () => ({ id: hanging.id, account: accountId })),
    1,
    true
  )
  yield* add([{ id: idle, account: accountId }], 2, true)
  yield* add(open, areDue ? 2 : 60, areDue)
  // Autovacuum would do this within a minute.
  if (dialect.isConcurrent) yield* sql.unsafe("VACUUM ANALYZE")
})

/** Claims deliveries, and makes them due again for the next claim. Returns the milliseconds of the claim. */
const claim = Effect.fnUntraced(function* (stores: Stores, { areDue }: Kind) {
  const queue = Context.get(stores, DeliveryQueue)
  const before = performance.now()
  const claimed = yield* queue.claim({
    now: dueAt(3),
    leaseUntil: dueAt(4),
    leaseId: randomUUID(),
    owner: "bench",
    // As many places as are free when 8 deliveries hang, or when most deliveries are sent.
    limit: areDue ? 8 : 248,
    perWebhook: 8,
    takenPlaces: new Map([[hanging.id, 8]]),
    takenByAccount: new Map([[accountId, 8]])
  })
  const millis = performance.now() - before
  const isExpected = areDue ? claimed.length === 8 : claimed.map(({ webhookId }) => webhookId).join(",") === `${idle}`
  if (!isExpected) return yield* Effect.die(`${claimed.length} deliveries were claimed.`)
  yield* queue.release("bench", dueAt(2))
  return millis
})

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

/**
 * Prints the median time of a claim behind the backlog of a webhook that hangs, in a database with few webhooks that
 * have a delivery pending and in one with many.
 */
export const run = Effect.fnUntraced(function* (small: Stores, large: Stores, { few, many, rounds }: Size, kind: Kind) {
  const times: { readonly small: Array<number>; readonly large: Array<number> } = { small: [], large: [] }
  for (let round = 0; round < rounds; round++) {
    const [a, b] = [yield* claim(small, kind), yield* claim(large, kind)]
    // The first tenth of the rounds is a warm-up.
    if (round < rounds / 10) continue
    times.small.push(a)
    times.large.push(b)
  }
  const [a, b] = [median(times.small), median(times.large)]
  const micros = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(0).padStart(5)} µs`
  yield* Console.log(
    `${kind.name.padEnd(30)} ${micros(a)} of ${few.toLocaleString("en")} ${micros(b)} of ${many.toLocaleString("en")}   ratio ${(b / a).toFixed(2)}`
  )
})
