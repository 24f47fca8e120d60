import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { AccountId } from "@frontdesk/core/access/Account"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Node from "./Node.ts"

/**
 * Adds deliveries of one account that have been due for a minute. They are spread over `webhooks` webhooks, with `line`
 * deliveries for each subject.
 */
const fill = Effect.fnUntraced(function* (node: Node.Node, count: number, webhooks: number, line: number) {
  const account = yield* Effect.provide(Samples.makeAccount(), node)
  const ids = yield* Effect.forEach(Array.from({ length: webhooks }), () =>
    Effect.map(Effect.provide(Samples.makeWebhook(account.id), node), ({ id }) => id)
  )
  yield* Node.query(
    node,
    `WITH event AS (
      INSERT INTO webhook_event (account_id, name, created_at, body)
      SELECT $1, 'call.ended', now(), convert_to('{"n":' || n || '}', 'UTF8') FROM generate_series(1, $2) AS n RETURNING id
    )
    INSERT INTO webhook_delivery
      (delivery_id, event_id, webhook_id, subject, state, kind, due_at, ready_account_id, results, claims, attempts)
    SELECT CAST(gen_random_uuid() AS text), id, $3 + id % $4, 'call:' || id / ($4 * $5), 'pending', 'automatic',
      now() - interval '1 minute', $1, 0, 0, 0 FROM event`,
    [account.id, count, ids[0], webhooks, line]
  )
  return ids
})

const states = (node: Node.Node) =>
  Node.query(
    node,
    "SELECT state, count(*)::int AS count, sum(claims)::int AS claims FROM webhook_delivery GROUP BY state"
  )

describe("deliveries on many nodes", () => {
  it.live(
    "three nodes send each of 4,000 deliveries once, in the order of its subject, and each node takes part",
    () =>
      Effect.gen(function* () {
        const total = 4_000
        const nodes = yield* Node.make(3)
        const [first] = nodes
        if (first === undefined) return
        // Each of 800 subjects can have one delivery in flight, so two nodes with 256 each leave some to the third.
        yield* fill(first, total, 40, 5)
        const sent: Array<string> = []
        const inFlight = nodes.map(() => ({ now: 0, max: 0 }))
        // No request is answered before each node sends one. Otherwise two nodes could finish before the third one starts.
        const allSend = yield* Latch.make()
        yield* Effect.forEach(nodes, (node, index) =>
          Context.get(node, FakeWebhookSender).answerWith((request) => {
            const count = inFlight[index] ?? { now: 0, max: 0 }
            sent.push(request.headers["webhook-id"] ?? "")
            count.now++
            count.max = Math.max(count.max, count.now)
            if (inFlight.every(({ max }) => max > 0)) allSend.openUnsafe()
            return Effect.as(
              Effect.andThen(
                Effect.andThen(allSend.await, Effect.yieldNow),
                Effect.sync(() => count.now--)
              ),
              { _tag: "Answered", status: 200, body: "" } as const
            )
          })
        )
        const running = yield* Effect.forEach(nodes, (node) => Effect.forkScoped(Context.get(node, DeliveryWorker).run))
        yield* Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), states(first)), {
          until: (rows) => rows.length === 1 && rows[0]?.["state"] === "delivered"
        })
        expect(running).toHaveLength(3)
        expect(sent).toHaveLength(total)
        expect(new Set(sent).size).toBe(total)
        // The default of `maxInFlight`.
        expect(Math.max(...inFlight.map(({ max }) => max))).toBeLessThanOrEqual(256)
        expect(inFlight.map(({ max }) => max)).not.toContain(0)
        const lines = yield* Node.query(
          first,
          "SELECT delivery_id, webhook_id || subject AS line FROM webhook_delivery ORDER BY id"
        )
        const places = new Map(sent.map((id, place) => [id, place]))
        const last = new Map<unknown, number>()
        for (const { delivery_id, line } of lines) {
          const place = places.get(String(delivery_id)) ?? -1
          expect(place).toBeGreaterThan(last.get(line) ?? -1)
          last.set(line, place)
        }
      }).pipe(Effect.scoped),
    60_000
  )

  it.live("concurrent claims share no delivery, all receive some, and respect the limit of each webhook", () =>
    Effect.gen(function* () {
      const nodes = yield* Node.make(4)
      const [first] = nodes
      if (first === undefined) return
      const [webhookId] = yield* fill(first, 4_000, 20, 1)
      const now = yield* DateTime.now
      const claims = yield* Effect.forEach(
        Array.from({ length: 5 }, () => nodes).flat(),
        (node, index) =>
          Context.get(node, DeliveryQueue).claim({
            now,
            leaseUntil: DateTime.add(now, { seconds: 30 }),
            leaseId: `lease ${index}`,
            owner: "owner",
            limit: 50,
            perWebhook: 3,
            takenPlaces: webhookId === undefined ? new Map() : new Map([[webhookId, 2]]),
            takenByAccount: new Map()
          }),
        { concurrency: "unbounded" }
      )
      const keys = claims.flat().map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const claimed of claims) {
        expect(claimed.length).toBeGreaterThan(0)
        const counts = Map.groupBy(claimed, (delivery) => delivery.webhookId)
        // The first webhook already has two of its three deliveries in flight.
        for (const [id, own] of counts) expect(own.length).toBeLessThanOrEqual(id === webhookId ? 1 : 3)
      }
    }).pipe(Effect.scoped)
  )

  it.live("a node that freezes with a lock on a webhook only delays the results of that webhook (D-DEL-21)", () =>
    Effect.gen(function* () {
      const nodes = yield* Node.make(2)
      const [still, other] = nodes
      if (still === undefined || other === undefined) return
      const [lockedId] = yield* fill(still, 40, 4, 1)
      if (lockedId === undefined) return
      const queue = Context.get(other, DeliveryQueue)
      const now = yield* DateTime.now
      const claimed = yield* queue.claim({
        now,
        leaseUntil: DateTime.add(now, { seconds: 30 }),
        leaseId: "lease",
        owner: "owner",
        limit: 40,
        perWebhook: 10,
        takenPlaces: new Map(),
        takenByAccount: new Map()
      })
      const keysOf = (isWanted: (webhookId: WebhookId) => boolean) =>
        claimed.flatMap(({ key, webhookId }) => (isWanted(webhookId) ? [key] : [])).toSorted((a, b) => a - b)
      const record = Effect.map(
        queue.record(
          claimed.map((delivery) => Deliveries.result(delivery, null)),
          now
        ),
        ({ deferred, recorded }) => [recorded, deferred].map((keys) => keys.toSorted((a, b) => a - b))
      )
      const account = yield* Node.query(still, "SELECT account_id FROM webhook WHERE id = $1", [lockedId])
      const isLocked = yield* Latch.make()
      const standing = Effect.andThen(
        Context.get(still, WebhookStore).findForUpdate(AccountId.make(Number(account[0]?.["account_id"])), lockedId),
        Effect.andThen(isLocked.open, Effect.never)
      )
      const holder = yield* Effect.forkChild(Context.get(still, Transaction).run(standing))
      yield* isLocked.await
      expect(yield* record).toEqual([keysOf((id) => id !== lockedId), keysOf((id) => id === lockedId)])
      yield* Fiber.interrupt(holder)
      expect(yield* record).toEqual([keysOf((id) => id === lockedId), []])
    }).pipe(Effect.scoped)
  )

  it.live("forty locked webhooks do not prevent the deliveries of another webhook", () =>
    Effect.gen(function* () {
      const [node] = yield* Node.make(1)
      if (node === undefined) return
      yield* fill(node, 40 * 20, 40, 1)
      const pg = Context.get(node, PgClient)
      const isLocked = yield* Latch.make()
      const holding = Effect.gen(function* () {
        yield* pg`SET LOCAL idle_in_transaction_session_timeout = 0`
        yield* pg`SELECT id FROM webhook FOR UPDATE`
        yield* isLocked.open
        return yield* Effect.never
      })
      const holder = yield* Effect.forkChild(pg.withTransaction(holding))
      yield* isLocked.await
      // In the scope, so that the worker stops before the pool of its node closes.
      yield* Effect.forkScoped(Context.get(node, DeliveryWorker).run)
      const until = (isSo: (count: (state: string) => number) => boolean) =>
        Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), states(node)), {
          until: (rows) => isSo((state) => Number(rows.find((row) => row["state"] === state)?.["count"] ?? 0))
        })
      // All places that one account may have (three quarters of `maxInFlight`) have deliveries of the locked webhooks.
      yield* until((count) => count("leased") >= 192)
      yield* fill(node, 20, 1, 1)
      yield* until((count) => count("delivered") === 20)
      yield* Fiber.interrupt(holder)
      yield* until((count) => count("delivered") === 41 * 20)
      expect(yield* Context.get(node, FakeWebhookSender).requests).toHaveLength(41 * 20)
    }).pipe(Effect.scoped)
  )
})
