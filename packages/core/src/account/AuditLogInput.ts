import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { ActorType, maxIdLength } from "../audit/Actor.ts"
import { AuditEntryId } from "../audit/AuditEntry.ts"
import { AuditOperation, EntityType } from "../audit/AuditOperation.ts"
import type { AuditFilter, AuditPlace } from "../audit/AuditStore.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Text from "../values/Text.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { TimeZone } from "../values/TimeZone.ts"

/** The number of entries of a page whose query states no limit. */
export const defaultLimit = 50

/** The maximum number of entries of a page. */
export const maxLimit = 500

/** The number of entries of a page, at most {@link maxLimit}. */
export const AuditLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLimit }))

/** The place of an entry in the log, as a page gives it to the query of the next page. */
export const AuditCursor = Text.matching(
  3,
  34,
  String.raw`^(?:0|[1-9]\d{0,14})-[1-9]\d{0,15}$`,
  "the `cursor` of an entry"
)

/**
 * Selects entries of the audit log. Dates are days in the account's time zone; both are included. An entry must match every
 * filter.
 */
export const AuditQuery = Schema.Struct({
  ...DateRange.fields,
  actorType: Schema.optional(ActorType),
  /** Which actor of the type. */
  actorId: Schema.optional(Text.between(1, maxIdLength)),
  operation: Schema.optional(AuditOperation),
  entityType: Schema.optional(EntityType),
  /** Which record of the type. */
  entityId: Schema.optional(Text.between(1, 200)),
  limit: Schema.optional(AuditLimit),
  /** Only entries after this one in the order of the list: the `next` of the page before. */
  cursor: Schema.optional(AuditCursor)
})

/** Selects entries of the audit log. */
export type AuditQuery = typeof AuditQuery.Type

/** Returns the filter of a query, with its dates as instants in the time zone. */
export const auditFilter = (
  { cursor: _cursor, endDate, limit: _limit, startDate, ...filter }: AuditQuery,
  zone: TimeZone
): AuditFilter => ({ ...filter, ...DateRange.bounds({ startDate, endDate }, zone) })

/** Returns the text for a place in the log. */
export const cursorOf = ({ at, id }: AuditPlace): string => `${Math.max(0, DateTime.toEpochMillis(at))}-${id}`

/** Returns the place that a text stands for. The id of a text with a larger number than an id can have is the largest id. */
export const placeOf = (cursor: string): AuditPlace => {
  const [millis, id] = cursor.split("-").map(Number)
  return {
    at: DateTime.makeUnsafe(Math.min(millis ?? 0, Timestamp.latest)),
    id: AuditEntryId.make(Math.min(id ?? 1, Number.MAX_SAFE_INTEGER))
  }
}
