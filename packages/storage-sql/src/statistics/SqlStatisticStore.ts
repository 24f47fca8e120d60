import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { figureNames, Figures, make, type StatisticPart } from "@frontdesk/core/statistics/Statistic"
import * as StatisticRule from "@frontdesk/core/statistics/StatisticRule"
import { maxWaiting, StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"
import * as LongRead from "../storage/LongRead.ts"

/**
 * A row of a read. `day` is null except for the sum of a day, and `second` is null except for waiting parts. The row of the
 * kind `waiting` counts the waiting parts in `calls`.
 */
const ReadRow = Schema.Struct({
  kind: Schema.Literals(["day", "agent", "part", "waiting"]),
  day: Schema.NullOr(CalendarDate),
  second: Schema.NullOr(Schema.Int),
  agentId: Schema.Int,
  ...Figures.fields
})

const PartRow = Schema.Struct({ second: Schema.Int, agentId: Schema.Int, ...Figures.fields })

const AccountRow = Schema.Struct({ accountId: AccountId })

/** Returns the agent of a row. 0 stands for none. */
const agentOf = (id: number): AgentId | null => (id === 0 ? null : AgentId.make(id))

const figuresOf = (row: Figures): Figures => make((name) => row[name])

const partOf = (row: typeof PartRow.Type): StatisticPart => ({
  second: row.second,
  agentId: agentOf(row.agentId),
  figures: figuresOf(row)
})

const columns = figureNames.join(", ")

// PostgreSQL adds up to another type.
const sums = figureNames.map((name) => `CAST(sum(${name}) AS bigint) AS ${name}`).join(", ")

/**
 * Returns the statement that reads statistics. It is one statement, so that a part that is folded meanwhile is read once.
 *
 * The waiting parts are added up by second, so that an account with many changes in a second returns few rows. It reads at
 * most one part more than `maxWaiting`, which tells that there are more.
 *
 * Parameters: account, first day, last day, first second, the second after the last, and the agent if any.
 */
const readText = (ofAgent: string): string => {
  const counts = figureNames.map((name) => (name === "calls" ? "count(*)" : `0 AS ${name}`))
  const folded = `FROM statistic WHERE account_id = ?1 AND day >= ?2 AND day <= ?3${ofAgent}`
  return `WITH waiting AS (
      SELECT second, agent_id, ${columns} FROM statistic_part
      WHERE account_id = ?1 ORDER BY id LIMIT ${maxWaiting + 1}
    )
    SELECT 'day' AS kind, day, CAST(NULL AS bigint) AS second, CAST(0 AS bigint) AS agent_id, ${sums} ${folded} GROUP BY day
    UNION ALL SELECT 'agent', NULL, NULL, agent_id, ${sums} ${folded} GROUP BY agent_id
    UNION ALL SELECT 'part', NULL, second, agent_id, ${sums} FROM waiting
      WHERE second >= ?4 AND second < ?5${ofAgent} GROUP BY second, agent_id
    UNION ALL SELECT 'waiting', NULL, NULL, 0, ${counts.join(", ")} FROM waiting`
}

/** The `StatisticStore` in a SQL database. */
export const layer: Layer.Layer<StatisticStore, never, Database> = Layer.effect(
  StatisticStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const rows = database.all("StatisticStore.read", ReadRow)
    const [ofAll, ofOne] = [readText(""), readText(" AND agent_id = ?6")]
    const account = database.first("StatisticStore.nextAccount", AccountRow)
    const taken = database.all("StatisticStore.take", PartRow)
    const added = database.send("StatisticStore.add")
    const oldest = (limit: number) =>
      `SELECT id FROM statistic_part WHERE account_id = ?1 ORDER BY id LIMIT ${limit}${dialect.skipLocked}`
    const addText = `INSERT INTO statistic (account_id, day, agent_id, ${columns})
      SELECT CAST(?1 AS bigint), record.day, record.agent_id, ${figureNames.map((name) => `record.${name}`).join(", ")}
      FROM ${dialect.records("record", "?2", {
        position: "integer",
        day: "text",
        agent_id: "integer",
        ...Object.fromEntries(figureNames.map((name) => [name, "integer" as const]))
      })}
      WHERE TRUE ORDER BY record.position
      ON CONFLICT (account_id, day, agent_id) DO UPDATE SET
        ${figureNames.map((name) => `${name} = statistic.${name} + excluded.${name}`).join(", ")}`

    return StatisticStore.of({
      read: (accountId, { agentId, endDate, from, startDate, until }) => {
        const params = [
          accountId,
          startDate,
          endDate,
          StatisticRule.secondOf(from),
          StatisticRule.secondOf(until),
          ...(agentId === undefined ? [] : [agentId])
        ]
        return LongRead.by(accountId)(
          Effect.map(rows(agentId === undefined ? ofAll : ofOne, params), (found) => ({
            days: found.flatMap((row) =>
              row.kind === "day" && row.day !== null ? [{ day: row.day, figures: figuresOf(row) }] : []
            ),
            agents: found.flatMap((row) =>
              row.kind === "agent" ? [{ agentId: agentOf(row.agentId), figures: figuresOf(row) }] : []
            ),
            waiting: found.flatMap((row) =>
              row.kind === "part" && row.second !== null ? [partOf({ ...row, second: row.second })] : []
            ),
            isComplete: found.every(({ calls, kind }) => kind !== "waiting" || calls <= maxWaiting)
          }))
        )
      },
      nextAccount: (after) =>
        Effect.map(
          account("SELECT account_id FROM statistic_part WHERE account_id > ?1 ORDER BY account_id LIMIT 1", [
            after ?? 0
          ]),
          Option.map(({ accountId }) => accountId)
        ),
      take: (accountId, limit) =>
        Effect.map(
          taken(
            `DELETE FROM statistic_part WHERE account_id = ?1 AND ${dialect.isOneOfRows("id", oldest(limit))}
              RETURNING second, agent_id, ${columns}`,
            [accountId]
          ),
          (found) => found.map(partOf)
        ),
      add: (accountId, days) =>
        added(addText, [
          accountId,
          JSON.stringify(
            days.map(({ agentId, day, figures }, position) => ({ position, day, agent_id: agentId ?? 0, ...figures }))
          )
        ])
    })
  })
)
