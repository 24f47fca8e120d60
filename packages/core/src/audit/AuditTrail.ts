import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentActing, shownTo } from "./Acting.ts"
import type { AuditOperation, EntityType } from "./AuditOperation.ts"
import { AuditStore } from "./AuditStore.ts"
import * as FieldChanges from "./FieldChanges.ts"

/** How the audit log names the records of a kind, and what it shows of their fields. Each kind defines one beside its model. */
export interface AuditedKind<Entity extends object> {
  readonly type: EntityType
  readonly accountIdOf: (entity: Entity) => number
  /** Returns the id of a record, or null for a kind of which an account has one record. */
  readonly idOf: (entity: Entity) => string | number | null
  readonly rules: FieldChanges.FieldRules<Entity>
}

/** The record of an entry. */
export interface Audited {
  readonly accountId: number
  readonly type: EntityType
  readonly id: string | number | null
}

/** Returns a record for an entry that is about something else than its fields. */
export const auditedOf = <Entity extends object>(kind: AuditedKind<Entity>, entity: Entity): Audited => ({
  accountId: kind.accountIdOf(entity),
  type: kind.type,
  id: kind.idOf(entity)
})

/**
 * Makes the functions with which a service records its changes (D-AUD-1). Call them in the transaction of the change. They
 * take no round trip to a database of their own.
 *
 * ```ts
 * const audit = yield* AuditTrail.make
 * // in the transaction of the change
 * yield* audit.changed("agents.patch", AgentAudit.kind, before, after)
 * ```
 */
export const make: Effect.Effect<AuditTrail, never, AuditStore> = Effect.map(AuditStore, (store) => {
  const record: AuditTrail["record"] = (operation, { accountId, id, type }, changes = FieldChanges.none) =>
    Effect.flatMap(CurrentActing, (acting) =>
      Effect.flatMap(DateTime.now, (at) =>
        store.append({
          accountId,
          at,
          ...shownTo(acting, accountId),
          operation,
          entity: { type, id: id === null ? null : String(id) },
          ...changes
        })
      )
    )

  return {
    created: (operation, kind, after) =>
      record(operation, auditedOf(kind, after), FieldChanges.of(kind.rules, null, after)),
    changed: (operation, kind, before, after) => {
      if (before === after) return Effect.void
      const changes = FieldChanges.of(kind.rules, before, after)
      return changes.changes.length === 0 ? Effect.void : record(operation, auditedOf(kind, after), changes)
    },
    deleted: (operation, kind, before) =>
      record(operation, auditedOf(kind, before), FieldChanges.of(kind.rules, before, null)),
    record
  }
})

/** The functions with which a service records its changes. */
export interface AuditTrail {
  /** Records a new record, with the fields that have a value. */
  readonly created: <Entity extends object>(
    operation: AuditOperation,
    kind: AuditedKind<Entity>,
    after: Entity
  ) => Effect.Effect<void, StorageError>
  /** Records the fields that differ. A change without a difference records nothing (D-AUD-5). */
  readonly changed: <Entity extends object>(
    operation: AuditOperation,
    kind: AuditedKind<Entity>,
    before: Entity,
    after: Entity
  ) => Effect.Effect<void, StorageError>
  /** Records that a record was deleted, with the fields that had a value. */
  readonly deleted: <Entity extends object>(
    operation: AuditOperation,
    kind: AuditedKind<Entity>,
    before: Entity
  ) => Effect.Effect<void, StorageError>
  /** Records any other change of a record, with the given changes or without any. */
  readonly record: (
    operation: AuditOperation,
    audited: Audited,
    changes?: FieldChanges.Changes
  ) => Effect.Effect<void, StorageError>
}
