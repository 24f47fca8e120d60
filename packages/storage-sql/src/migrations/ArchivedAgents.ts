import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"
import type * as MigrationRunner from "./MigrationRunner.ts"

// Calls and calendar events of any account may name an agent, so their indexes by account do not find them.
const indexes = ConcurrentIndexes.migration([
  { name: "call_of_agent", table: "call", definition: "(agent_id)" },
  {
    name: "calendar_event_of_agent",
    table: "calendar_event",
    definition: "(ai_agent_id) WHERE ai_agent_id IS NOT NULL"
  }
])

/**
 * Adds the time at which an agent was archived, and the indexes that find what names an agent. Neither database rewrites
 * the table, because the column is NULL in existing rows.
 */
export const archivedAgents: MigrationRunner.Prepared = {
  prepare: indexes.prepare,
  change: Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe(`ALTER TABLE agent ADD COLUMN archived_at ${ClientDialect.of(sql).types.time}`)
    yield* indexes.change
  })
}
