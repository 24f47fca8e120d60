import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Agent, AgentId, AgentRole } from "@frontdesk/core/agent/Agent"
import { AgentTool } from "@frontdesk/core/agent/AgentTool"
import { type AgentScope, AgentStore, type NewAgent } from "@frontdesk/core/agent/AgentStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const AgentRow = Schema.Struct({
  id: AgentId,
  accountId: AccountId,
  assistantId: Schema.NonEmptyString,
  name: Schema.String,
  role: AgentRole,
  phoneNumber: Schema.NullOr(PhoneNumber),
  model: Schema.String,
  voiceId: Schema.String,
  teamId: Schema.NullOr(TeamId),
  allowedTools: Schema.NullOr(Column.repeated(Column.known(AgentTool))),
  secondsUsed: Schema.Int,
  totalCalls: Schema.Int,
  createdAt: Column.Time,
  archivedAt: Schema.NullOr(Column.Time)
})

const Inserted = Schema.Struct({ id: AgentId })

const columns = (agent: NewAgent) => ({
  team_id: agent.teamId,
  assistant_id: agent.assistantId,
  name: agent.name,
  role: agent.role,
  phone_number: agent.phoneNumber,
  model: agent.model,
  voice_id: agent.voiceId,
  allowed_tools: agent.allowedTools === null ? null : JSON.stringify(agent.allowedTools)
})

const selectAll = `SELECT id, account_id, assistant_id, name, role, phone_number, model, voice_id, team_id, allowed_tools,
    seconds_used, total_calls, created_at, archived_at
  FROM agent`

/**
 * Returns the condition that no row of a table names the agent `?1`. It reads the first entry of an index from the agent
 * on. For a condition with `=`, PostgreSQL may read the whole table, because it estimates that many rows name an agent.
 */
const isNotNamed = (table: string, column: string): string =>
  `(SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL AND ${column} >= ?1 ORDER BY ${column} LIMIT 1)
    IS DISTINCT FROM ?1`

const deleteText = `DELETE FROM agent WHERE id = ?1 AND ${isNotNamed("call", "agent_id")}
  AND ${isNotNamed("calendar_event", "ai_agent_id")} RETURNING id`

/** The number of lock rows that all phone numbers share. Otherwise each number that an agent had would have a row. */
const lockRows = 1_024

/** The `AgentStore` in a SQL database. */
export const layer: Layer.Layer<AgentStore, never, Database> = Layer.effect(
  AgentStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const select = `${selectAll} WHERE (${dialect.isOneOf("account_id", "?1")} OR ${dialect.isOneOf("team_id", "?2")})`
    const scopeParams = (scope: AgentScope) => [JSON.stringify(scope.accountIds), JSON.stringify(scope.teamIds)]

    const inserted = database.one("AgentStore.insert", Inserted)
    const insert = WriteStatements.inserter("agent", " RETURNING id")
    const updated = database.run("AgentStore.update")
    const update = WriteStatements.updater("agent")
    const deleted = database.first("AgentStore.delete", Inserted)
    const locked = database.first("AgentStore.findForUpdate", AgentRow)
    // The strongest lock. A weaker one would let other transactions store calls of the agent.
    const lockText = `${selectAll} WHERE id = ?1 AND account_id = ?2${dialect.forDelete("agent")}`
    const active = database.first("AgentStore.lockActive", Column.Found)
    const activeText = `SELECT 1 AS found FROM agent WHERE id = ?1 AND archived_at IS NULL${dialect.forReference("agent")}`
    const taken = database.first("AgentStore.isNumberTaken", Column.Found)
    const takenText = "SELECT 1 AS found FROM agent WHERE phone_number = ?1 AND account_id <> ?2 LIMIT 1"
    const listed = database.readable("AgentStore.list", AgentRow)
    const found = database.lookUp("AgentStore.find", AgentRow)
    const byPhoneNumber = database.all("AgentStore.listByPhoneNumber", AgentRow)
    const anywhere = database.lookUp("AgentStore.findAnywhere", AgentRow)
    const used = database.run("AgentStore.addUsage")

    return AgentStore.of({
      insert: (agent) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: agent.accountId,
              created_at: dialect.time(agent.createdAt),
              ...columns(agent)
            })
          ),
          ({ id }): Agent => ({ ...agent, id, secondsUsed: 0, totalCalls: 0, archivedAt: null })
        ),
      update: (agent) =>
        updated(
          ...update(
            {
              ...columns(agent),
              created_at: dialect.time(agent.createdAt),
              archived_at: agent.archivedAt === null ? null : dialect.time(agent.archivedAt)
            },
            agent.id
          )
        ),
      delete: (id) => Effect.map(deleted(deleteText, [id]), Option.isSome),
      list: (scope, archived = false) =>
        listed(`${select} AND archived_at IS ${archived ? "NOT " : ""}NULL ORDER BY id`, scopeParams(scope)),
      find: (scope, key) =>
        "id" in key
          ? found(`${select} AND id = ?3`, [...scopeParams(scope), key.id])
          : found(`${select} AND assistant_id = ?3`, [...scopeParams(scope), key.assistantId]),
      findForUpdate: (accountId, id) => locked(lockText, [id, accountId]),
      lockActive: (id) => Effect.map(active(activeText, [id]), Option.isSome),
      isNumberTaken: Effect.fnUntraced(function* (accountId, phoneNumber) {
        const digits = Number(phoneNumber.slice(1))
        yield* database.lock("AgentStore.isNumberTaken", digits, digits % lockRows)
        return Option.isSome(yield* taken(takenText, [phoneNumber, accountId]))
      }),
      listByPhoneNumber: (phoneNumber, limit) =>
        byPhoneNumber(`${selectAll} WHERE phone_number = ?1 ORDER BY id LIMIT ${limit}`, [phoneNumber]),
      findAnywhere: (key) =>
        "id" in key
          ? anywhere(`${selectAll} WHERE id = ?1`, [key.id])
          : anywhere(`${selectAll} WHERE assistant_id = ?1`, [key.assistantId]),
      addUsage: (id, seconds, calls = 1) =>
        used("UPDATE agent SET seconds_used = seconds_used + ?2, total_calls = total_calls + ?3 WHERE id = ?1", [
          id,
          seconds,
          calls
        ])
    })
  })
)
