import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { FieldChange } from "./FieldChange.ts"

/** The database id of an entry. */
export const AuditEntryId = DatabaseId.pipe(Schema.brand("AuditEntryId"))

/** The database id of an entry. */
export type AuditEntryId = typeof AuditEntryId.Type

/** The `Actor` of a change, as an entry has it. */
export const RecordedActor = Schema.Struct({ type: Schema.String, id: Schema.NullOr(Schema.String) })

/** The record that was changed. */
export const AuditedEntity = Schema.Struct({
  /** The kind of the record, for example `contact`. */
  type: Schema.String,
  /** Which record of the account it is. Null for a kind of which an account has one. */
  id: Schema.NullOr(Schema.String)
})

/** The record that was changed. */
export type AuditedEntity = typeof AuditedEntity.Type

/**
 * One change of a record: who made it, from where, what it changed, when, and in which request (D-AUD-1). An entry is never
 * changed. It has no secret and no personal value of a contact.
 *
 * The types and the operation are texts, because a newer version of Frontdesk may have written the entry.
 */
export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  /** The account that owns the record. */
  accountId: DatabaseId,
  at: Schema.DateTimeUtc,
  actor: RecordedActor,
  requestId: Schema.NullOr(Schema.String),
  /** The IP address of the client that has sent the request (D-AUD-11). */
  clientAddress: Schema.NullOr(Schema.String),
  /** What was done, for example `contacts.patch`. */
  operation: Schema.String,
  entity: AuditedEntity,
  /** The fields that the change has set, at most `FieldChanges.maxListed`. */
  changes: Schema.Array(FieldChange),
  /** How many further fields the change has set. */
  unlistedChanges: Schema.Int
})

/** One change of a record. */
export type AuditEntry = typeof AuditEntry.Type

/** An entry before it is stored. */
export type NewAuditEntry = Omit<AuditEntry, "id">
