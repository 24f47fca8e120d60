import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The condition that the arguments or the answer of a tool call are stored. The JSON text `null` stands for neither. */
export const hasContents = "(CAST(arguments AS text) <> 'null' OR CAST(answer AS text) <> 'null')"

/** Adds the index with which retention finds the tool calls of calls whose arguments and answers are stored. */
export const toolCallContents = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`CREATE INDEX tool_call_contents ON tool_call (at, id) WHERE call_id IS NOT NULL AND ${hasContents}`)
)
