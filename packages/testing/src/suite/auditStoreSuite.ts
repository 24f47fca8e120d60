import type { AuditEntry, NewAuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { type AuditFilter, AuditStore } from "@frontdesk/core/audit/AuditStore"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import { allEntriesOf, newEntry } from "./AuditEntries.ts"
import * as Deliveries from "./Deliveries.ts"
import { expect, fail } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies an `AuditStore`, and that a `DeliveryQueue` appends the entry of a webhook that it disables. */
export const auditStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: AuditStore`, (it) => {
    it.effect("list returns entries exactly as append stored them, whatever their texts are", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        const given = Samples.oddTexts.map((text, index) =>
          newEntry(id, index, {
            actor: { type: "agent_tool", id: text },
            requestId: index % 2 === 0 ? text : null,
            clientAddress: index % 2 === 0 ? null : text,
            operation: `operation ${index}`,
            entity: { type: "contact", id: index % 3 === 0 ? null : text },
            changes: [
              { field: "named" },
              { field: "new", after: text },
              { field: "gone", before: [text, 1.5, null, true] },
              { field: "both", before: null, after: { text, nul: "\0" } }
            ],
            unlistedChanges: index
          })
        )
        yield* append(...given, newEntry(id, given.length, { actor: { type: "program", id: null }, changes: [] }))
        const found = (yield* allEntriesOf(id)).toReversed()
        expect(found.map(({ id: _id, ...entry }) => entry)).toEqual([
          ...given,
          newEntry(id, given.length, { actor: { type: "program", id: null }, changes: [] })
        ])
        expect(new Set(found.map((entry) => entry.id)).size).toBe(found.length)
      })
    )

    it.effect("list returns the entries of one account, newest first, and those of one time by id", () =>
      Effect.gen(function* () {
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        for (const minutes of [3, 1, 2, 2, 2]) {
          yield* append(newEntry(account.id, minutes), newEntry(other.id, minutes))
        }
        const found = yield* allEntriesOf(account.id)
        expect(found.map(minutesOf)).toEqual([3, 2, 2, 2, 1])
        expect(found.every(({ accountId }) => accountId === account.id)).toBe(true)
        const ids = found.slice(1, 4).map(({ id }) => id)
        expect(ids).toEqual(ids.toSorted((a, b) => b - a))
      })
    )

    it.effect("list continues after a place, also within one time, and returns at most the limit", () =>
      Effect.gen(function* () {
        const store = yield* AuditStore
        const { id } = yield* Samples.makeAccount()
        for (const minutes of [1, 2, 2, 2, 5]) yield* append(newEntry(id, minutes))
        const all = yield* allEntriesOf(id)
        for (const [index, place] of all.entries()) {
          expect(yield* store.list(id, {}, place, 2)).toEqual(all.slice(index + 1, index + 3))
        }
        expect(yield* store.list(id, {}, null, 2)).toEqual(all.slice(0, 2))
        // An entry that is added later, between two pages, is not repeated and moves nothing.
        const [, second] = all
        if (second === undefined) return fail("unreachable")
        yield* append(newEntry(id, 9))
        expect(yield* store.list(id, {}, second, 9)).toEqual(all.slice(2))
      })
    )

    it.effect("list filters by actor, by operation, by record and by time, and by all of them together", () =>
      Effect.gen(function* () {
        const store = yield* AuditStore
        const { id } = yield* Samples.makeAccount()
        const entry = (minutes: number, actor: string, operation: string, entity: string) => {
          const [actorType = "", actorId = ""] = actor.split(" ")
          const [type = "", entityId] = entity.split(" ")
          return newEntry(id, minutes, {
            actor: { type: actorType, id: actorId },
            operation,
            entity: { type, id: entityId ?? null }
          })
        }
        yield* append(
          entry(0, "api_key 1", "contacts.patch", "contact 7"),
          entry(1, "api_key 2", "contacts.patch", "contact 7"),
          entry(2, "worker 1", "contacts.put", "contact 8"),
          entry(3, "api_key 1", "agents.patch", "agent 7"),
          entry(4, "api_key 1", "contacts.patch", "contact")
        )
        const found = (filter: AuditFilter) =>
          Effect.map(store.list(id, filter, null, 99), (entries) => entries.map(minutesOf))
        expect(yield* found({ actorType: "api_key" })).toEqual([4, 3, 1, 0])
        expect(yield* found({ actorType: "api_key", actorId: "1" })).toEqual([4, 3, 0])
        expect(yield* found({ actorType: "worker", actorId: "2" })).toEqual([])
        expect(yield* found({ operation: "contacts.patch" })).toEqual([4, 1, 0])
        expect(yield* found({ operation: "contacts" })).toEqual([])
        expect(yield* found({ entityType: "contact" })).toEqual([4, 2, 1, 0])
        expect(yield* found({ entityType: "contact", entityId: "7" })).toEqual([1, 0])
        expect(yield* found({ from: Samples.later(2) })).toEqual([4, 3, 2])
        expect(yield* found({ from: Samples.justAfter(2) })).toEqual([4, 3])
        expect(yield* found({ until: Samples.later(2) })).toEqual([1, 0])
        expect(yield* found({ until: Samples.justAfter(2) })).toEqual([2, 1, 0])
        const [from, until] = [Samples.later(0), Samples.later(3)]
        const record = { entityType: "contact", entityId: "7" }
        const all = { ...record, actorType: "api_key", actorId: "1", operation: "contacts.patch", from, until }
        expect(yield* found(all)).toEqual([0])
      })
    )

    it.effect("append has no effect when its transaction fails (D-AUD-1)", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const accounts = yield* AccountStore
        const account = yield* Samples.makeAccount()
        const change = Effect.andThen(append(newEntry(account.id, 0)), accounts.update({ ...account, name: "Changed" }))
        yield* transaction.run(Effect.andThen(change, Effect.fail("no"))).pipe(Effect.flip)
        expect(yield* allEntriesOf(account.id)).toEqual([])
        yield* transaction.run(change)
        expect(yield* allEntriesOf(account.id)).toHaveLength(1)
      })
    )

    it.effect("sweep deletes the oldest entries of all accounts from before a time, up to its limit (D-AUD-7)", () =>
      Effect.gen(function* () {
        const store = yield* AuditStore
        yield* Samples.sweepAll(yield* AuditStore, before)
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* append(
          newEntry(account.id, long + 2),
          newEntry(other.id, long + 1),
          newEntry(account.id, long + 3),
          newEntry(account.id, long + 10),
          { ...newEntry(other.id, long), at: Samples.justBefore(long + 10) }
        )
        const left = Effect.forEach([account, other], ({ id }) =>
          Effect.map(allEntriesOf(id), (entries) =>
            entries.map(({ at }) => at.epochMilliseconds - Samples.later(long).epochMilliseconds)
          )
        )
        const [third, tenth] = [180_000, 600_000]
        expect(yield* store.sweep(before, Samples.rowLimit(2))).toBe(2)
        expect(yield* left).toEqual([[tenth, third], [tenth - 1]])
        expect(yield* store.sweep(before, Samples.rowLimit(99))).toBe(2)
        expect(yield* left).toEqual([[tenth], []])
        expect(yield* store.sweep(before, Samples.rowLimit(99))).toBe(0)
        expect(yield* left).toEqual([[tenth], []])
      })
    )

    it.effect("sweep deletes as many entries as the limit in bytes allows, and at least one (D-STO-9)", () =>
      Effect.gen(function* () {
        const store = yield* AuditStore
        yield* Samples.sweepAll(yield* AuditStore, before)
        const { id } = yield* Samples.makeAccount()
        const after = Samples.incompressibleText(4_000)
        const changes = [{ field: "text", after }]
        yield* append(...[1, 2, 3].map((minutes) => newEntry(id, long + minutes, { changes })))
        expect(yield* store.sweep(before, { rows: 9, bytes: 9_000 })).toBe(2)
        expect(yield* store.sweep(before, { rows: 9, bytes: 1 })).toBe(1)
        expect(yield* store.sweep(before, { rows: 9, bytes: 1 })).toBe(0)
      })
    )

    it.effect("DeliveryQueue.record appends the entry of a webhook that a result disables, once (D-AUD-6)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhooks = yield* WebhookStore
        const [webhook, failing, off] = [
          yield* Deliveries.newWebhook,
          yield* Deliveries.newWebhook,
          yield* Deliveries.newWebhook
        ]
        for (const one of [webhook, webhook, failing, off]) yield* Deliveries.add(one, Samples.unique("call"))
        const claimed = yield* Deliveries.claim(0)
        const of = ({ id }: typeof webhook) => claimed.filter(({ webhookId }) => webhookId === id)
        yield* webhooks.update({ ...off, status: "disabled" })
        yield* queue.record(
          [
            ...of(webhook).map((delivery) => Deliveries.finalFailure(delivery, "disabled")),
            ...of(failing).map((delivery) => Deliveries.finalFailure(delivery, "failed")),
            ...of(off).map((delivery) => Deliveries.finalFailure(delivery, "disabled"))
          ],
          Samples.later(1)
        )
        const entriesOf = ({ accountId, id }: typeof webhook) =>
          Effect.map(allEntriesOf(accountId), (entries) =>
            entries.filter(({ entity }) => entity.type === "webhook" && entity.id === String(id))
          )
        expect(yield* entriesOf(webhook)).toMatchObject([
          {
            accountId: webhook.accountId,
            at: Samples.later(1),
            actor: { type: "worker", id: "webhook-deliveries" },
            requestId: null,
            clientAddress: null,
            operation: "webhooks.disable",
            changes: [{ field: "status", before: "active", after: "disabled" }],
            unlistedChanges: 0
          }
        ])
        expect(yield* entriesOf(failing)).toEqual([])
        expect(yield* entriesOf(off)).toEqual([])
      })
    )
  })
}

/** Before the entries of other tests, in minutes, so that a sweep deletes only those of its own test. */
const long = -200_000

const before = Samples.later(long + 10)

const append = (...entries: ReadonlyArray<NewAuditEntry>) =>
  Effect.flatMap(AuditStore, (store) => Effect.forEach(entries, store.append, { discard: true }))

/** Returns how many minutes after the samples an entry was made. */
const minutesOf = ({ at }: AuditEntry): number => (at.epochMilliseconds - Samples.now.epochMilliseconds) / 60_000
