import * as Schema from "effect/Schema"
import { MovementKind } from "../access/FundMovement.ts"
import type { MovementFilter } from "../access/FundMovementStore.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Text from "../values/Text.ts"
import type { TimeZone } from "../values/TimeZone.ts"

/** The filters of a list of movements. Dates are days in the account's time zone; both are included. */
export const MovementQuery = Schema.Struct({
  ...DateRange.fields,
  kind: Schema.optional(MovementKind),
  /** The service's identifier of a call. */
  callId: Schema.optional(Text.between(1, 255))
})

/** The filters of a list of movements. */
export type MovementQuery = typeof MovementQuery.Type

/** Returns the filter of a query, with its dates as instants in the time zone. */
export const movementFilter = ({ startDate, endDate, ...filter }: MovementQuery, zone: TimeZone): MovementFilter => ({
  ...filter,
  ...DateRange.bounds({ startDate, endDate }, zone)
})
