import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { type AuditFilter, type AuditPlace, AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as Steps from "@frontdesk/core/background/Steps"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, Database } from "../storage/Database.ts"
import * as Table from "../storage/Table.ts"
import { appended } from "./AuditEntries.ts"

const isAbsentOr = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === value

const matches =
  (filter: AuditFilter) =>
  ({ actor, at, entity, operation }: AuditEntry): boolean =>
    isAbsentOr(filter.actorType, actor.type) &&
    isAbsentOr(filter.actorId, actor.id) &&
    isAbsentOr(filter.operation, operation) &&
    isAbsentOr(filter.entityType, entity.type) &&
    isAbsentOr(filter.entityId, entity.id) &&
    (filter.from === undefined || DateTime.isGreaterThanOrEqualTo(at, filter.from)) &&
    (filter.until === undefined || DateTime.isLessThan(at, filter.until))

const oldestFirst = (a: AuditPlace, b: AuditPlace): number => DateTime.Order(a.at, b.at) || a.id - b.id

/** The `AuditStore` in memory. */
export const layer: Layer.Layer<AuditStore, never, Database> = Layer.effect(
  AuditStore,
  Effect.map(Database, (database) =>
    AuditStore.of({
      append: (entry) => database.modify((state) => changed(undefined, appended(state, entry))),
      list: (accountId, filter, after, limit) =>
        database.read((state) =>
          Table.where(state.auditEntries, (entry) => entry.accountId === accountId && matches(filter)(entry))
            .toSorted((a, b) => oldestFirst(b, a))
            .filter((entry) => after === null || oldestFirst(entry, after) < 0)
            .slice(0, limit)
        ),
      sweep: (before, limit) =>
        database.modify((state) => {
          const old = Table.where(state.auditEntries, ({ at }) => DateTime.isLessThan(at, before)).toSorted(oldestFirst)
          const swept = Steps.within(old.slice(0, limit.rows), limit.bytes, ({ changes }) => JsonSize.bytesOf(changes))
          const ids = swept.map(({ id }) => id)
          return changed(swept.length, { ...state, auditEntries: Table.removeAll(state.auditEntries, ids) })
        })
    })
  )
)
