import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { type AuditFilter, AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import { justAfter, justBefore, mutantsOf, reversed, wholeSeconds } from "./Mutant.ts"

type Store = AuditStore["Service"]

/** Returns a mutant that lists with another filter. */
const filtering =
  (change: (filter: AuditFilter) => Partial<AuditFilter>) =>
  (store: Store): Partial<Store> => ({
    list: (accountId, filter, after, limit) => store.list(accountId, { ...filter, ...change(filter) }, after, limit)
  })

/** Returns a mutant that lists each entry with changed fields. */
const listing =
  (change: (entry: AuditEntry) => Partial<AuditEntry>) =>
  (store: Store): Partial<Store> => ({
    list: (accountId, filter, after, limit) =>
      Effect.map(store.list(accountId, filter, after, limit), (found) =>
        found.map((entry) => ({ ...entry, ...change(entry) }))
      )
  })

const isOfDisabled = ({ operation }: AuditEntry): boolean => operation === "webhooks.disable"

/** Mutants of `AuditStore`, and of what `DeliveryQueue.record` appends. */
export const auditStore = mutantsOf(AuditStore, {
  "append has no effect": () => ({ append: () => Effect.void }),
  "append stores an entry twice": (store) => ({
    append: (entry) => Effect.andThen(store.append(entry), store.append(entry))
  }),
  "append stores the entry for another account": (store) => {
    let first: number | undefined
    return {
      append: (entry) => {
        first ??= entry.accountId
        return store.append({ ...entry, accountId: first })
      }
    }
  },
  "append stores times in whole seconds": (store) => ({
    append: (entry) => store.append({ ...entry, at: wholeSeconds(entry.at) })
  }),
  "append trims texts": (store) => ({
    append: (entry) => store.append({ ...entry, actor: { ...entry.actor, id: entry.actor.id?.trim() ?? null } })
  }),
  "append stores no id of a request": (store) => ({ append: (entry) => store.append({ ...entry, requestId: null }) }),
  "append stores no address of a client": (store) => ({
    append: (entry) => store.append({ ...entry, clientAddress: null })
  }),
  "append stores no change without values": (store) => ({
    append: (entry) =>
      store.append({ ...entry, changes: entry.changes.filter((change) => "before" in change || "after" in change) })
  }),
  "append stores null for a value that is absent": (store) => ({
    append: (entry) =>
      store.append({ ...entry, changes: entry.changes.map((change) => ({ before: null, after: null, ...change })) })
  }),
  "append forgets how many changes are not listed": (store) => ({
    append: (entry) => store.append({ ...entry, unlistedChanges: 0 })
  }),
  "list shows the record of another type": listing(({ entity }) => ({ entity: { ...entity, type: "record" } })),
  "list shows no id of the record": listing(({ entity }) => ({ entity: { ...entity, id: null } })),
  "list shows another operation": listing(() => ({ operation: "contacts.patch" })),
  "list returns the oldest entry first": (store) => ({
    list: (accountId, filter, after, limit) => reversed(store.list(accountId, filter, after, limit))
  }),
  "list ignores the place": (store) => ({
    list: (accountId, filter, after, limit) =>
      Effect.map(store.list(accountId, filter, null, limit), (found) => (after === null ? found : found.slice(1)))
  }),
  "list repeats the entry at the place": (store) => ({
    list: (accountId, filter, after, limit) => {
      const place = after === null ? null : { ...after, at: justAfter(after.at) }
      return Effect.map(store.list(accountId, filter, place, limit + 1), (found) => found.slice(0, limit))
    }
  }),
  "list leaves out the entries of the same time after a place": (store) => ({
    list: (accountId, filter, after, limit) =>
      store.list(accountId, filter, after === null ? null : { ...after, at: justBefore(after.at) }, limit)
  }),
  "list ignores the limit": (store) => ({
    list: (accountId, filter, after) => store.list(accountId, filter, after, 1_000)
  }),
  "list ignores the type of the actor": filtering(() => ({ actorType: undefined })),
  "list ignores the id of the actor": filtering(() => ({ actorId: undefined })),
  "list ignores the operation": filtering(() => ({ operation: undefined })),
  "list ignores the type of the record": filtering(() => ({ entityType: undefined })),
  "list ignores the id of the record": filtering(() => ({ entityId: undefined })),
  "list ignores the start": filtering(() => ({ from: undefined })),
  "list ignores the end": filtering(() => ({ until: undefined })),
  "list leaves out an entry at the start": filtering(({ from }) => ({ from: from && justAfter(from) })),
  "list includes an entry at the end": filtering(({ until }) => ({ until: until && justAfter(until) })),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes entries that are at the time": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep leaves an entry from a millisecond before the time": (store) => ({
    sweep: (before, limit) => store.sweep(justBefore(before), limit)
  }),
  "sweep ignores the limit in rows": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, rows: 1_000 })
  }),
  "sweep ignores the limit in bytes": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "sweep returns one entry fewer": (store) => ({
    sweep: (before, limit) => Effect.map(store.sweep(before, limit), (count) => Math.max(0, count - 1))
  }),
  "record of a DeliveryQueue appends no entry": (store) => ({
    list: (accountId, filter, after, limit) =>
      Effect.map(store.list(accountId, filter, after, limit), (found) => found.filter((entry) => !isOfDisabled(entry)))
  }),
  "record of a DeliveryQueue names no worker": listing((entry) =>
    isOfDisabled(entry) ? { actor: { type: "program", id: null } } : {}
  ),
  "record of a DeliveryQueue appends an entry without a change": listing((entry) =>
    isOfDisabled(entry) ? { changes: [] } : {}
  )
})
