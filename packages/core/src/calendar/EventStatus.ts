import * as Schema from "effect/Schema"

/** How an event stands (Contract 3.1). */
export const EventStatus = Schema.Literals(["scheduled", "confirmed", "cancelled", "completed", "no_show"])

/** How an event stands. */
export type EventStatus = typeof EventStatus.Type
