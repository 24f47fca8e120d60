import { describe, expect, it } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import { Principal } from "@frontdesk/core/access/Principal"
import { ref } from "@frontdesk/core/agent/Agent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { WebhookOperations } from "@frontdesk/core/webhook/WebhookOperations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import { untilWaiting } from "../LockWaits.ts"
import * as Node from "./Node.ts"

const setUp = Effect.gen(function* () {
  const built = yield* Node.setUp
  const subscribed = Samples.makeWebhook(built.account.id, { subscribedEvents: ["call.ended"] })
  return { ...built, makeWebhook: Effect.provide(subscribed, built.first) }
})

/** Adds 5,000 pending deliveries of a webhook. */
const addPending = (node: Node.Node, accountId: AccountId, webhookId: WebhookId) =>
  Node.query(
    node,
    `WITH event AS (
      INSERT INTO webhook_event (account_id, name, created_at, body)
      SELECT $1, 'call.ended', now(), '{}' FROM generate_series(1, 5000) RETURNING id
    )
    INSERT INTO webhook_delivery
      (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts)
    SELECT 'd' || id, id, $2, 'call:' || id, 'pending', 'automatic', now(), 0, 0, 0 FROM event`,
    [accountId, webhookId]
  )

describe("locks on many nodes", () => {
  it.live(
    "all writes of webhooks and deliveries run concurrently on two nodes without a deadlock",
    () =>
      Effect.gen(function* () {
        const { account, caller, deadlocks, makeWebhook, nodes } = yield* setUp
        const ids = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.map(makeWebhook, ({ id }) => id))
        let count = 0
        /** Returns one of the present webhooks, in a fixed sequence without an obvious order. */
        const any = () => ids[(count = (count * 7 + 5) % 1_009) % ids.length] ?? WebhookId.make(1)
        const failures: Array<unknown> = []
        // How many of each change must have been made before the test ends.
        const wanted = { recorded: 60, swept: 20, redelivered: 20, disabled: 6, deleted: 3 }
        const done = { recorded: 0, swept: 0, redelivered: 0, disabled: 0, deleted: 0 }
        const missing = () => Record.keys(wanted).filter((kind) => done[kind] < wanted[kind])
        // A little less than the timeout of the test, so that the test names the changes that are missing.
        const deadline = performance.now() + 170_000
        const isOver = () => missing().length === 0 || performance.now() > deadline
        const waiting = new Set<() => void>()
        /** Waits until this many more results are recorded, so that the other actions find deliveries. */
        const afterRecorded = (more: number) =>
          Effect.callback<void>((resume) => {
            const end = done.recorded + more
            const check = () => {
              if (done.recorded < end && !isOver()) return
              waiting.delete(check)
              resume(Effect.void)
            }
            waiting.add(check)
          })

        const actions = (node: Node.Node): ReadonlyArray<Effect.Effect<unknown, unknown, Principal>> => {
          const queue = Context.get(node, DeliveryQueue)
          const store = Context.get(node, DeliveryStore)
          const webhooks = Context.get(node, Webhooks)
          const claim = (owner: string) =>
            Effect.flatMap(DateTime.now, (now) =>
              queue.claim({
                now,
                leaseUntil: DateTime.add(now, { seconds: 30 }),
                leaseId: crypto.randomUUID(),
                owner,
                limit: 40,
                perWebhook: 10,
                takenPlaces: new Map(),
                takenByAccount: new Map()
              })
            )
          const add = Effect.gen(function* () {
            const subscribed = yield* Context.get(node, WebhookStore).subscribers(account.id, "call.ended")
            const now = yield* DateTime.now
            const deliveries = subscribed.filter(() => count++ % 2 === 0)
            yield* store.add({
              accountId: account.id,
              name: "call.ended",
              subject: `call:${count++}`,
              body: new Uint8Array([123, 125]),
              createdAt: now,
              deliveries: deliveries.toReversed().map((webhookId) => ({ id: Deliveries.newId(), webhookId }))
            })
          }).pipe(Context.get(node, Transaction).run)
          const record = Effect.gen(function* () {
            const claimed = yield* claim("recording")
            const now = yield* DateTime.now
            const results = claimed.map((delivery, index) =>
              index % 3 === 0
                ? Deliveries.finalFailure(delivery, index % 12 === 0 ? "disabled" : "failed")
                : Deliveries.result(delivery, null)
            )
            done.recorded += (yield* queue.record(results.toReversed(), now)).recorded.length
          })
          const forAny = <A, E>(use: (id: WebhookId) => Effect.Effect<A, E, Principal>) =>
            Effect.suspend(() => use(any()))
          return [
            Effect.forEach(Array.from({ length: 10 }), () => add),
            record,
            record,
            Effect.flatMap(claim("releasing"), (claimed) =>
              Effect.flatMap(DateTime.now, (now) =>
                queue.postpone(claimed.map(({ key }) => key).toReversed(), claimed[0]?.leaseId ?? "", now)
              )
            ),
            Effect.flatMap(DateTime.now, (now) => queue.release("releasing", now)),
            afterRecorded(10).pipe(
              Effect.andThen(Effect.suspend(() => webhooks.patch(any(), { isActive: false }))),
              Effect.tap(() => Effect.sync(() => (done.disabled += 1)))
            ),
            Effect.suspend(() => webhooks.patch(any(), { isActive: true })),
            Effect.suspend(() => webhooks.rotateSecret(any())),
            Effect.andThen(
              afterRecorded(10),
              Effect.suspend(() => store.cancelOpen(any()))
            ),
            forAny((id) =>
              Effect.flatMap(webhooks.deliveries(id, { limit: 20 }), ({ items }) =>
                Effect.forEach(items, (delivery) => webhooks.redeliver(id, delivery.id))
              )
            ),
            Effect.gen(function* () {
              done.redelivered += yield* Context.get(node, WebhookOperations).redeliverFailed(
                any(),
                DateTime.makeUnsafe(0)
              )
            }),
            Effect.gen(function* () {
              const before = yield* DateTime.now
              yield* afterRecorded(20)
              const step = yield* store.sweep({ before, after: null, limit: Samples.rowLimit(200) })
              done.swept += step.count
            }),
            store.purge(Samples.rowLimit(50)),
            Effect.gen(function* () {
              yield* afterRecorded(50)
              const { id } = yield* makeWebhook
              const index = count++ % ids.length
              const old = ids[index]
              ids[index] = id
              if (old !== undefined) yield* webhooks.delete(old)
              done.deleted += 1
            })
          ]
        }
        yield* Effect.forEach(
          nodes.flatMap(actions),
          (action) =>
            Effect.whileLoop({
              while: () => !isOver(),
              body: () => Effect.result(action),
              step: (result) => {
                if (Result.isFailure(result)) failures.push(result.failure)
                for (const check of waiting) check()
              }
            }),
          { concurrency: "unbounded", discard: true }
        ).pipe(Effect.provideService(Principal, caller))
        // A webhook may be deleted between its choice and its use.
        const others = failures.filter((failure) => !/NotFound/.test(String(failure)))
        expect(others).toEqual([])
        expect(yield* deadlocks).toBe(0)
        expect(missing()).toEqual([])
      }).pipe(Effect.scoped),
    180_000
  )

  it.live(
    "disabling a webhook cancels 200 deliveries at once and the others in steps, and none is claimed meanwhile (D-PG-21)",
    () =>
      Effect.gen(function* () {
        const { account, caller, first, makeWebhook } = yield* setUp
        const { id } = yield* makeWebhook
        yield* addPending(first, account.id, id)
        const left = Effect.map(
          Node.query(first, "SELECT count(*)::int AS count FROM webhook_delivery WHERE due_at IS NOT NULL"),
          ([row]) => row?.["count"]
        )
        const claim = Effect.flatMap(DateTime.now, (now) =>
          Context.get(first, DeliveryQueue).claim({
            now,
            leaseUntil: DateTime.add(now, { seconds: 30 }),
            leaseId: "lease",
            owner: "owner",
            limit: 10,
            perWebhook: 10,
            takenPlaces: new Map(),
            takenByAccount: new Map()
          })
        )
        const { patch, test } = Context.get(first, Webhooks)
        const asCaller = Effect.provideService(Principal, caller)
        yield* asCaller(patch(id, { isActive: false }))
        expect(yield* left).toBe(4_800)
        yield* asCaller(patch(id, { isActive: true }))
        yield* asCaller(test(id))
        expect(yield* claim).toEqual([])
        const { purge } = Context.get(first, DeliveryStore)
        let steps = 0
        while (yield* purge(Samples.rowLimit(50))) steps++
        // Each of 24 steps cancels 200 deliveries. The last step finds no more, and unmarks the webhook.
        expect(steps).toBe(25)
        expect(yield* left).toBe(1)
        expect((yield* claim).map(({ eventName }) => eventName)).toEqual(["webhook.test"])
        const states = yield* Node.query(
          first,
          "SELECT state, count(*)::int AS count FROM webhook_delivery GROUP BY state"
        )
        expect(states).toContainEqual({ state: "cancelled", count: 5_000 })
      }).pipe(Effect.scoped)
  )

  it.live("a webhook event that is published while another node disables its webhook is not sent (D-PG-21)", () =>
    Effect.gen(function* () {
      const { account, caller, first, makeWebhook, nodes } = yield* setUp
      const { id } = yield* makeWebhook
      const written = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const publish = Effect.gen(function* () {
        const subscribed = yield* Context.get(first, WebhookStore).subscribers(account.id, "call.ended")
        yield* Context.get(first, DeliveryStore).add({
          accountId: account.id,
          name: "call.ended",
          subject: "call:1",
          body: new Uint8Array([123, 125]),
          createdAt: yield* DateTime.now,
          deliveries: subscribed.map((webhookId) => ({ id: Deliveries.newId(), webhookId }))
        })
        yield* Deferred.succeed(written, undefined)
        yield* Deferred.await(gate)
      }).pipe(Context.get(first, Transaction).run)
      const publishing = yield* Effect.forkChild(publish)
      yield* Deferred.await(written)
      const webhooks = Context.get(nodes[1] ?? first, Webhooks)
      yield* webhooks.patch(id, { isActive: false }).pipe(Effect.provideService(Principal, caller))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(publishing)
      expect(yield* Context.get(first, DeliveryWorker).drain).toBe(0)
      yield* webhooks.test(id).pipe(Effect.provideService(Principal, caller))
      expect(yield* Context.get(first, DeliveryWorker).drain).toBe(1)
      const states = yield* Node.query(first, "SELECT state FROM webhook_delivery ORDER BY id")
      expect(states).toEqual([{ state: "cancelled" }, { state: "delivered" }])
    }).pipe(Effect.scoped)
  )

  it.live(
    "calendar events that swap their status on two nodes at once do not deadlock, and their counts are correct (D-PG-20)",
    () =>
      Effect.gen(function* () {
        const { caller, deadlocks, first, nodes } = yield* setUp
        const ids = yield* Effect.forEach(Array.from({ length: 10 }), (_, index) =>
          Effect.map(
            Context.get(first, CalendarEvents).create({
              title: `Event ${index}`,
              startTime: "2099-03-02T10:00:00Z",
              endTime: "2099-03-02T10:30:00Z"
            }),
            ({ id }) => id
          )
        ).pipe(Effect.provideService(Principal, caller))
        const swap = `UPDATE calendar_event SET status = CASE status WHEN 'cancelled' THEN 'scheduled' ELSE 'cancelled' END
        WHERE id = $1`
        // Five of the ten begin as cancelled. Each swaps its status 20 times, so it ends with the same status.
        yield* Effect.forEach(ids.slice(0, 5), (id) => Node.query(first, swap, [id]))
        yield* Effect.forEach(
          ids,
          (id, index) => Effect.repeat(Node.query(nodes[index % 2] ?? first, swap, [id]), { times: 19 }),
          { concurrency: "unbounded" }
        )
        expect(yield* deadlocks).toBe(0)
        const counts = yield* Node.query(
          first,
          "SELECT sum(total)::int AS count FROM row_count WHERE kind = 'calendar_event' GROUP BY status"
        )
        expect(counts.filter(({ count }) => count !== 0)).toEqual([{ count: 5 }, { count: 5 }])
      }).pipe(Effect.scoped)
  )

  it.live("the deletion of a contact waits for the end of its call on another node without a deadlock (D-PG-15)", () =>
    Effect.gen(function* () {
      const { account, deadlocks, first, nodes } = yield* setUp
      const other = nodes[1] ?? first
      const contacts = Context.get(first, ContactStore)
      const { call, contact } = yield* Effect.gen(function* () {
        const agent = yield* Samples.makeAgent(account.id)
        const contact = yield* Samples.makeContact(account.id)
        const shown = { id: contact.id, name: "", email: null, company: null, status: "new", stage: "lead" }
        const called = { contact: { ...shown, lastCallDate: null } }
        return { contact, call: yield* Samples.makeCall(account.id, ref(agent), called) }
      }).pipe(Effect.provide(first))
      const isLocked = yield* Deferred.make<void>()
      const ending = Effect.gen(function* () {
        yield* Context.get(first, CallStore).findForUpdate({ id: call.id })
        yield* Deferred.succeed(isLocked, undefined)
        yield* Effect.provide(untilWaiting("%"), first)
        yield* contacts.touchLastCall(contact.id, Samples.now)
      })
      const ended = yield* Effect.forkChild(Context.get(first, Transaction).run(ending))
      yield* Deferred.await(isLocked)
      expect(yield* Context.get(other, ContactStore).delete(Samples.scopeOf(account), contact.id)).toBe(true)
      yield* Fiber.join(ended)
      expect(yield* deadlocks).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("transactions that add rows of one account do not wait for each other (D-PG-31)", () =>
    Effect.gen(function* () {
      const { account, first } = yield* setUp
      const contacts = Context.get(first, ContactStore)
      const { run } = Context.get(first, Transaction)
      const part = Effect.map(Node.query(first, "SELECT pg_backend_pid() % 16 AS part"), ([row]) => row?.["part"])
      const counts = Effect.map(
        contacts.list(Samples.scopeOf(account), {}, { page: 1, limit: 1 }),
        ({ count }) => count
      )
      const written = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const started = Array.from({ length: 4 }, () => Deferred.makeUnsafe<unknown>())
      // Each of four connections learns its part. The first writes and stays open; one with another part commits.
      const open = yield* Effect.forEach(started, (ready, index) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(ready, yield* part)
          const parts = yield* Effect.forEach(started, Deferred.await)
          const other = parts.findIndex((candidate) => candidate !== parts[0])
          if (index !== 0 && index !== other) return
          if (index === other) yield* Deferred.await(written)
          yield* contacts.insert(Samples.newContact(account.id))
          if (index === other) return
          yield* Deferred.succeed(written, undefined)
          yield* Deferred.await(gate)
        }).pipe(run, Effect.forkChild)
      )
      yield* Effect.forEach(open.slice(1), Fiber.join)
      expect(yield* counts).toBe(1)
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(open, Fiber.join)
      expect(yield* counts).toBe(2)
    }).pipe(Effect.scoped)
  )
})
