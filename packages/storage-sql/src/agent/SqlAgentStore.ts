import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Agent, AgentId, AgentRole } from "@frontdesk/core/agent/Agent"
import { type AgentScope, AgentStore, type NewAgent } from "@frontdesk/core/agent/AgentStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
  secondsUsed: Schema.Int,
  totalCalls: Schema.Int,
  createdAt: Column.Time
})

const Inserted = Schema.Struct({ id: AgentId })

const columns = (agent: NewAgent) => ({
  team_id: agent.teamId,
  assistant_id: agent.assistantId,
  name: agent.name,
  role: agent.role,
  phone_number: agent.phoneNumber,
  model: agent.model,
  voice_id: agent.voiceId
})

const selectAll = `SELECT id, account_id, assistant_id, name, role, phone_number, model, voice_id, team_id,
    seconds_used, total_calls, created_at
  FROM agent`

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
    const listed = database.readable("AgentStore.list", AgentRow)
    const found = database.lookUp("AgentStore.find", AgentRow)
    const byPhoneNumber = database.all("AgentStore.listByPhoneNumber", AgentRow)
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
          ({ id }): Agent => ({ ...agent, id, secondsUsed: 0, totalCalls: 0 })
        ),
      update: (agent) => updated(...update({ ...columns(agent), created_at: dialect.time(agent.createdAt) }, agent.id)),
      list: (scope) => listed(`${select} ORDER BY id`, scopeParams(scope)),
      find: (scope, key) =>
        "id" in key
          ? found(`${select} AND id = ?3`, [...scopeParams(scope), key.id])
          : found(`${select} AND assistant_id = ?3`, [...scopeParams(scope), key.assistantId]),
      listByPhoneNumber: (phoneNumber, limit) =>
        byPhoneNumber(`${selectAll} WHERE phone_number = ?1 ORDER BY id LIMIT ${limit}`, [phoneNumber]),
      addUsage: (id, seconds, calls = 1) =>
        used("UPDATE agent SET seconds_used = seconds_used + ?2, total_calls = total_calls + ?3 WHERE id = ?1", [
          id,
          seconds,
          calls
        ])
    })
  })
)
