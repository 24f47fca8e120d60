import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

/** A step of a plan in PostgreSQL's JSON format. */
export interface Step {
  readonly "Node Type": string
  readonly "Relation Name"?: string | undefined
  readonly "Actual Rows"?: number | undefined
  readonly "Actual Loops"?: number | undefined
  readonly "Rows Removed by Filter"?: number | undefined
  readonly "Rows Removed by Index Recheck"?: number | undefined
  readonly Plans?: ReadonlyArray<Step> | undefined
}

const Step = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optional(Schema.String),
  "Actual Rows": Schema.optional(Schema.Finite),
  "Actual Loops": Schema.optional(Schema.Finite),
  "Rows Removed by Filter": Schema.optional(Schema.Finite),
  "Rows Removed by Index Recheck": Schema.optional(Schema.Finite),
  Plans: Schema.optional(Schema.Array(Schema.suspend((): Schema.Codec<Step> => Step)))
})

const Explained = Schema.Tuple([Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan: Step })]) })])

const explain = (options: string) =>
  Effect.fnUntraced(function* (text: string, params: ReadonlyArray<unknown>) {
    const sql = yield* SqlClient
    const rows = yield* sql.unsafe(`EXPLAIN (${options}, FORMAT JSON) ${text}`, params)
    const [row] = yield* Schema.decodeUnknownEffect(Explained)(rows)
    return stepsOf(row["QUERY PLAN"][0].Plan)
  })

const stepsOf = (step: Step): ReadonlyArray<Step> => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

/** Returns the steps of the plan for a statement with these parameters. */
export const planned = explain("COSTS")

/**
 * Returns the steps of the generic plan, which a connection uses for a statement that it runs often. The statement is
 * prepared and executed. `EXPLAIN (GENERIC_PLAN)` cannot be used: the protocol sends values, and PostgreSQL would make a
 * plan for exactly these. For the value NULL, such a plan reads nothing.
 */
export const generic = Effect.fnUntraced(function* (text: string, params: ReadonlyArray<unknown>) {
  const sql = yield* SqlClient
  return yield* sql.withTransaction(Effect.andThen(forceGeneric, executed(text, params.length)))
})

const forceGeneric = Effect.flatMap(SqlClient, (sql) => sql.unsafe("SET LOCAL plan_cache_mode = force_generic_plan"))

const executed = Effect.fnUntraced(function* (text: string, parameterCount: number) {
  const sql = yield* SqlClient
  const values = parameterCount === 0 ? "" : `(${Array.from({ length: parameterCount }, () => "NULL").join(", ")})`
  yield* sql.unsafe(`PREPARE explained AS ${text}`)
  const steps = yield* planned(`EXECUTE explained${values}`, [])
  yield* sql.unsafe("DEALLOCATE explained")
  return steps
})

/**
 * Returns the tables that the generic plan of each statement reads from end to end, although PostgreSQL avoids that. Without
 * that setting it would do so with every small table.
 *
 * @param statements the number of parameters of each statement, by its text
 */
export const scannedAnyway = Effect.fnUntraced(function* (statements: ReadonlyMap<string, number>) {
  const sql = yield* SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* forceGeneric
      yield* sql.unsafe("SET LOCAL enable_seqscan = off")
      const found = new Map<string, ReadonlyArray<string>>()
      for (const [text, count] of statements) found.set(text, scanned(yield* executed(text, count)))
      return found
    })
  )
})

/** Runs a statement, and returns the steps of its plan with the rows that each has read. */
export const analysed = explain("ANALYZE")

/** Returns the tables that a plan reads from end to end. */
export const scanned = (steps: ReadonlyArray<Step>): ReadonlyArray<string> => [
  ...new Set(steps.flatMap((step) => (step["Node Type"] === "Seq Scan" ? [step["Relation Name"] ?? ""] : [])))
]

/** Returns how many rows of tables and indexes a plan has read. */
export const rowsRead = (steps: ReadonlyArray<Step>): number =>
  steps
    .filter((step) => step["Relation Name"] !== undefined)
    .reduce((sum, step) => {
      const left = (step["Rows Removed by Filter"] ?? 0) + (step["Rows Removed by Index Recheck"] ?? 0)
      return sum + ((step["Actual Rows"] ?? 0) + left) * (step["Actual Loops"] ?? 1)
    }, 0)
