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

/** The webhook that hangs, with this many due deliveries: more than a claim reads at the front of the queue. */
const hanging = { id: WebhookId.make(1), count: 1_500 }

/** The webhook whose single delivery is due last. */
const idle = WebhookId.make(2)

/** How many rows one statement inserts. */
const batch = 5_000

const dueAt = (minutes: number) => DateTime.add(first, { minutes })

/**
 * Adds webhooks and deliveries to the account of `Fill`: the backlog of a webhook that hangs, a single due delivery of
 * another webhook, and a retry for each of `count` webhooks that is due much later.
 */
export const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  const run = Effect.fnUntraced(function* (text: string, minutes: number, rows: ReadonlyArray<object>) {
    for (let from = 0; from < rows.length; from += batch) {
      const params = [dialect.time(dueAt(minutes)), JSON.stringify(rows.slice(from, from + batch))]
      yield* sql.unsafe(dialect.text(text), params)
    }
  })
  const now = dialect.instant("?1")
  const open = Array.from({ length: count }, (_, index) => ({ id: index + 3 }))
  yield* run(
    `INSERT INTO webhook (id, account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
        consecutive_failures)
      SELECT record.id, ${accountId}, 'Calls', 'https://example.com', '["call.ended"]', 'active', 'x', ${now}, ${now}, 0
      FROM ${dialect.records("record", "?2", { id: "integer" })}`,
    0,
    [{ id: hanging.id }, { id: idle }, ...open]
  )
  yield* sql.unsafe(
    dialect.text(`INSERT INTO webhook_event (id, account_id, name, created_at, body)
      VALUES (1, ${accountId}, 'call.ended', ${now}, ?2)`),
    [dialect.time(first), new TextEncoder().encode("{}")]
  )
  const add = (webhookIds: ReadonlyArray<number>, minutes: number, readyAccount: string) =>
    run(
      `INSERT INTO webhook_delivery
        (account_id, delivery_id, event_id, webhook_id, subject, state, kind, due_at, ready_account_id, results, claims,
          attempts)
      SELECT ${accountId}, record.delivery_id, 1, record.webhook_id, record.delivery_id, 'pending', 'automatic', ${now},
        ${readyAccount}, 0, 0, 1
      FROM ${dialect.records("record", "?2", { delivery_id: "text", webhook_id: "integer" })}`,
      minutes,
      webhookIds.map((webhook_id) => ({ delivery_id: randomUUID(), webhook_id }))
    )
  yield* add(Array<number>(hanging.count).fill(hanging.id), 1, `${accountId}`)
  yield* add([idle], 2, `${accountId}`)
  yield* add(
    open.map(({ id }) => id),
    60,
    "NULL"
  )
  // Autovacuum would do this within a minute.
  if (dialect.isConcurrent) yield* sql.unsafe("VACUUM ANALYZE")
})

/** Claims the delivery of the webhook behind the backlog, and postpones it until the next claim. Returns the milliseconds. */
const claim = Effect.fnUntraced(function* (stores: Stores) {
  const queue = Context.get(stores, DeliveryQueue)
  const leaseId = randomUUID()
  const before = performance.now()
  const claimed = yield* queue.claim({
    now: dueAt(3),
    leaseUntil: dueAt(4),
    leaseId,
    owner: "bench",
    limit: 248,
    perWebhook: 8,
    takenPlaces: new Map([[hanging.id, 8]]),
    takenByAccount: new Map()
  })
  const millis = performance.now() - before
  const webhookIds = claimed.map(({ webhookId }) => webhookId)
  if (webhookIds.join(",") !== `${idle}`)
    return yield* Effect.die(`The webhooks ${webhookIds.join(", ")} were claimed.`)
  const keys = claimed.map(({ key }) => key)
  yield* queue.postpone(keys, leaseId, dueAt(2))
  return millis
})

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

/**
 * Prints the median time of a claim behind the backlog of a webhook that hangs, in a database with few webhooks that
 * have a retry pending and in one with many.
 */
export const run = Effect.fnUntraced(function* (small: Stores, large: Stores, { few, many, rounds }: Size) {
  const times: { readonly small: Array<number>; readonly large: Array<number> } = { small: [], large: [] }
  for (let round = 0; round < rounds; round++) {
    const [a, b] = [yield* claim(small), yield* claim(large)]
    // The first tenth of the rounds is a warm-up.
    if (round < rounds / 10) continue
    times.small.push(a)
    times.large.push(b)
  }
  const [a, b] = [median(times.small), median(times.large)]
  const micros = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(0).padStart(5)} µs`
  yield* Console.log(
    `${"a claim beside open webhooks".padEnd(30)} ${micros(a)} of ${few.toLocaleString("en")} ${micros(b)} of ${many.toLocaleString("en")}   ratio ${(b / a).toFixed(2)}`
  )
})
