import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"
import type * as MigrationRunner from "./MigrationRunner.ts"

/**
 * The condition of a calendar event whose copy in an external calendar may be in conflict. The queries repeat it, because
 * a database uses a partial index only for the condition of the index.
 */
export const mayConflict = `(CAST(external_calendars_status AS TEXT) LIKE '%"conflict"%'
  OR CAST(external_calendars_status AS TEXT) LIKE '%"gone"%')`

/**
 * Adds the indexes for the records that a person must attend to: dead-lettered tasks, and calendar events in conflict.
 * Without them one account would read the tasks of all accounts, and all of its own calendar events that are ahead.
 */
export const attentionIndexes: MigrationRunner.Prepared = ConcurrentIndexes.migration([
  { name: "outbox_task_dead_lettered", table: "outbox_task", definition: "(account_id, id) WHERE error IS NOT NULL" },
  {
    name: "calendar_event_in_conflict",
    table: "calendar_event",
    definition: `(account_id, start_time) WHERE ${mayConflict}`
  }
])
