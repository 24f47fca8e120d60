import { describe, expect, it } from "@effect/vitest"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databases } from "../databases.ts"

/** The number of due retries of the webhook that hangs. */
const backlog = 20_000

/** The number of the webhooks whose retries are due later. With the other two, a walk through all takes three claims. */
const idleWebhooks = 2_500

/** Stores a webhook event. Returns the account and a function that adds deliveries of it. */
const makeEvent = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  const account = yield* Samples.makeAccount()
  const insert = Effect.fnUntraced(function* (text: string, minute: number, rows: ReadonlyArray<object>) {
    for (let from = 0; from < rows.length; from += 5_000) {
      const params = [dialect.time(Samples.later(minute)), JSON.stringify(rows.slice(from, from + 5_000))]
      yield* sql.unsafe(dialect.text(text), params)
    }
  })
  yield* sql.unsafe(
    dialect.text(`INSERT INTO webhook_event (id, account_id, name, created_at, body)
      VALUES (1, ?1, 'call.ended', ?2, ?3)`),
    [account.id, dialect.time(Samples.now), new TextEncoder().encode("{}")]
  )
  const now = dialect.instant("?1")
  /** Adds one delivery of each webhook, which has had an attempt and is due at a minute. */
  const add = (state: "pending" | "failed", minute: number, webhookIds: ReadonlyArray<number>) =>
    insert(
      `INSERT INTO webhook_delivery
        (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts)
      SELECT record.delivery_id, 1, record.webhook_id, record.delivery_id, '${state}', 'automatic',
        ${state === "failed" ? `CASE WHEN ${now} IS NULL THEN ${now} END` : now}, 1, 0, 1
      FROM ${dialect.records("record", "?2", { delivery_id: "text", webhook_id: "integer" })}`,
      minute,
      webhookIds.map((webhook_id) => ({ delivery_id: Deliveries.newId(), webhook_id }))
    )
  /** Adds webhooks with ids above all others. */
  const addWebhooks = (ids: ReadonlyArray<number>) =>
    insert(
      `INSERT INTO webhook (id, account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
        consecutive_failures)
      SELECT record.id, ${account.id}, 'Calls', 'https://example.com', '[]', 'active', 'plain:whsec_test', ${now}, ${now}, 0
      FROM ${dialect.records("record", "?2", { id: "integer" })}`,
      0,
      ids.map((id) => ({ id }))
    )
  return { account, add, addWebhooks }
})

/** Claims while a webhook has no free capacity. Returns the webhooks of the claimed deliveries. */
const claimBehind = (webhook: Deliveries.Target) =>
  Effect.map(Deliveries.claim(3, { limit: 50, perWebhook: 8, takenPlaces: new Map([[webhook.id, 8]]) }), (claimed) =>
    claimed.map(({ webhookId }) => webhookId)
  )

describe.each(databases)(
  "claims behind many due deliveries of a webhook without free capacity, on %s",
  (_, storage) => {
    it.live("the first claim returns a due retry of another webhook behind 20,000 due retries (D-DEL-30)", () =>
      Effect.gen(function* () {
        const { account, add } = yield* makeEvent
        const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
        yield* add("pending", 1, Array<number>(backlog).fill(hanging.id))
        yield* add("pending", 2, [good.id])
        expect(yield* claimBehind(hanging)).toEqual([good.id])
      }).pipe(Effect.provide(storage))
    )

    it.live("the third claim returns a retry behind 2,500 webhooks whose retries are due later (D-DEL-30)", () =>
      Effect.gen(function* () {
        const { account, add, addWebhooks } = yield* makeEvent
        const hanging = yield* Samples.makeWebhook(account.id)
        const idle = Array.from({ length: idleWebhooks }, (_, index) => hanging.id + 1 + index)
        const last = hanging.id + 1 + idleWebhooks
        yield* addWebhooks([...idle, last])
        yield* add("pending", 1, Array<number>(backlog).fill(hanging.id))
        yield* add("pending", 60, idle)
        yield* add("pending", 2, [last])
        const claims = [yield* claimBehind(hanging), yield* claimBehind(hanging), yield* claimBehind(hanging)]
        expect(claims).toEqual([[], [], [last]])
        // After the last webhook, the next claim begins with the first one again.
        yield* add("pending", 2, idle.slice(0, 1))
        expect(yield* claimBehind(hanging)).toEqual(idle.slice(0, 1))
      }).pipe(Effect.provide(storage))
    )

    it.live("redelivered deliveries are ready at once, so the first claim needs no walk (D-DEL-30)", () =>
      Effect.gen(function* () {
        const { account, add } = yield* makeEvent
        const sql = yield* SqlClient
        const webhook = yield* Samples.makeWebhook(account.id)
        const store = yield* DeliveryStore
        yield* add("failed", 1, Array<number>(backlog / 10).fill(webhook.id))
        const counts = yield* Deliveries.takeAllSteps((after) =>
          store.redeliverFailed(
            {
              accountId: account.id,
              webhookId: webhook.id,
              after,
              limit: 1_000,
              since: Samples.later(-1),
              until: Samples.later(1)
            },
            Samples.later(1)
          )
        )
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(backlog / 10)
        const waiting =
          yield* sql`SELECT id FROM webhook_delivery WHERE ready_account_id IS NULL AND due_at IS NOT NULL`
        expect(waiting).toEqual([])
      }).pipe(Effect.provide(storage))
    )

    it.live("deliveries that a stopped process releases are ready at once (D-DEL-30)", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
        yield* Deliveries.add(webhook, "call:1")
        const readyAccounts = sql`SELECT ready_account_id AS account FROM webhook_delivery`
        expect(yield* Deliveries.claim(0)).toHaveLength(1)
        expect(yield* readyAccounts).toMatchObject([{ account: null }])
        expect(yield* queue.release("owner", Samples.later(0.1))).toBe(1)
        expect((yield* readyAccounts).map(({ account }) => Number(account))).toEqual([webhook.accountId])
      }).pipe(Effect.provide(storage))
    )
  }
)
