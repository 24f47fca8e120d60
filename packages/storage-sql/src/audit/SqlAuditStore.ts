import { AuditEntryId } from "@frontdesk/core/audit/AuditEntry"
import { type AuditFilter, type AuditPlace, AuditStore } from "@frontdesk/core/audit/AuditStore"
import { FieldChange } from "@frontdesk/core/audit/FieldChange"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as LongRead from "../storage/LongRead.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import { makeBindings } from "../storage/WriteStatements.ts"
import * as AuditStatement from "./AuditStatement.ts"

const EntryRow = Schema.Struct({
  id: AuditEntryId,
  accountId: DatabaseId.DatabaseId,
  at: Column.Time,
  actorType: Schema.String,
  actorRef: Schema.NullOr(Schema.String),
  requestRef: Schema.NullOr(Schema.String),
  clientAddress: Schema.NullOr(Schema.String),
  operation: Schema.String,
  entityType: Schema.String,
  entityRef: Schema.NullOr(Schema.String),
  changes: Column.json(Schema.Array(FieldChange)),
  unlistedChanges: Schema.Int
})

const columns =
  "id, account_id, at, actor_type, actor_ref, request_ref, client_address, operation, entity_type, entity_ref, changes, unlisted_changes"

/**
 * Returns the condition for the entries of a list, with its parameters, and whether the list is a long read: no index has two
 * filters, of which a type with its id is one.
 */
const listed = (dialect: Dialect, accountId: number, filter: AuditFilter, after: AuditPlace | null) => {
  const { add, values } = makeBindings()
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? [] : [`${column} = ${add(value)}`]
  const rare = (column: string, value: string | undefined) => equal(column, value).map(dialect.rare)
  const conditions = [
    `account_id = ${add(accountId)}`,
    ...equal("entity_type", filter.entityType),
    ...rare("entity_ref", filter.entityId),
    ...equal("actor_type", filter.actorType),
    ...rare("actor_ref", filter.actorId),
    ...rare("operation", filter.operation),
    ...(filter.from === undefined ? [] : [`at >= ${add(dialect.time(filter.from))}`]),
    ...(filter.until === undefined ? [] : [`at < ${add(dialect.time(filter.until))}`]),
    ...(after === null ? [] : [`(at, id) < (${add(dialect.time(after.at))}, ${add(after.id)})`])
  ]
  const filters = [filter.entityType, filter.actorType, filter.operation].filter((value) => value !== undefined)
  return { where: conditions.join(" AND "), values, isLong: filters.length > 1 }
}

/** Entries from before `?1`. The index `audit_entry_old` has them in this order. */
const old = {
  table: "audit_entry",
  key: ["account_id", "at", "id"],
  where: "at < ?1",
  order: "at, id",
  sized: ["changes"]
}

/** The `AuditStore` in a SQL database. */
export const layer: Layer.Layer<AuditStore, never, Database> = Layer.effect(
  AuditStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const rows = database.readable("AuditStore.list", EntryRow)

    return AuditStore.of({
      append: AuditStatement.make(database, "AuditStore.append"),
      list: (accountId, filter, after, limit) => {
        const { isLong, values, where } = listed(dialect, accountId, filter, after)
        const read = rows(
          `SELECT ${columns} FROM audit_entry WHERE ${where} ORDER BY at DESC, id DESC LIMIT ${limit}`,
          values
        )
        return Effect.map(isLong ? LongRead.by(accountId)(read) : read, (found) =>
          found.map(({ actorRef, actorType, entityRef, entityType, requestRef, ...row }) => ({
            ...row,
            actor: { type: actorType, id: actorRef },
            entity: { type: entityType, id: entityRef },
            requestId: requestRef
          }))
        )
      },
      sweep: SweepStatement.deletion(database, "AuditStore.sweep", old)
    })
  })
)
