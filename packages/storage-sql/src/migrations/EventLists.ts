import type { Dialect } from "../dialect/Dialect.ts"
import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"
import type * as MigrationRunner from "./MigrationRunner.ts"

/** The hours after which a calendar event is long. */
export const longHours = 24

/** Returns the condition that a calendar event is long. The queries repeat it, so that a database uses the indexes. */
export const isLong = (dialect: Dialect): string => dialect.isApart("start_time", "end_time", longHours)

/**
 * Adds the indexes that find the events that last into a range of time, and the events of a phone number in a team. An
 * index over the starts finds events of at most a day, because they begin less than a day before the range. Longer events
 * are few, and are found by their ends.
 */
export const eventLists: MigrationRunner.Prepared = ConcurrentIndexes.migration([
  {
    name: "calendar_event_long",
    table: "calendar_event",
    definition: (dialect) => `(account_id, end_time, start_time, id) WHERE ${isLong(dialect)}`
  },
  {
    name: "calendar_event_team_long",
    table: "calendar_event",
    definition: (dialect) =>
      `(team_id, end_time, start_time, id, account_id) WHERE team_id IS NOT NULL AND ${isLong(dialect)}`
  },
  {
    name: "calendar_event_team_phone",
    table: "calendar_event",
    definition: "(team_id, customer_phone, id, account_id) WHERE team_id IS NOT NULL AND customer_phone <> ''"
  }
])
