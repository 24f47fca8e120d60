import { type Agent, AgentId } from "@frontdesk/core/agent/Agent"
import { type AgentKey, type AgentScope, AgentStore } from "@frontdesk/core/agent/AgentStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const isTaken = (state: State, agent: { readonly id?: AgentId; readonly assistantId: string }): boolean =>
  Table.where(state.agents, (other) => other.assistantId === agent.assistantId && other.id !== agent.id).length > 0

const withKey = (state: State, key: AgentKey): Option.Option<Agent> =>
  "id" in key
    ? Table.get(state.agents, key.id)
    : Option.fromUndefinedOr(Table.where(state.agents, (row) => row.assistantId === key.assistantId)[0])

const isNamed = (state: State, id: AgentId): boolean =>
  Table.where(state.calls, ({ agent }) => agent.id === id).length > 0 ||
  Table.where(state.calendarEvents, ({ aiAgent }) => aiAgent?.id === id).length > 0

const inScope = (scope: AgentScope, agent: Agent): boolean =>
  scope.accountIds.includes(agent.accountId) || (agent.teamId !== null && scope.teamIds.includes(agent.teamId))

/** The `AgentStore` in memory. */
export const layer: Layer.Layer<AgentStore, never, Database> = Layer.effect(
  AgentStore,
  Effect.map(Database, (database) =>
    AgentStore.of({
      insert: (agent) =>
        database.modify((state) => {
          if (isTaken(state, agent)) return duplicate("AgentStore.insert", "assistantId")
          const [inserted, agents] = Table.insert(state.agents, (id): Agent => ({
            ...agent,
            id: AgentId.make(id),
            secondsUsed: 0,
            totalCalls: 0,
            archivedAt: null
          }))
          return changed(inserted, { ...state, agents })
        }),
      update: (agent) =>
        database.modify((state) =>
          isTaken(state, agent)
            ? duplicate("AgentStore.update", "assistantId")
            : changed(undefined, {
                ...state,
                agents: Table.update(state.agents, agent.id, ({ accountId, secondsUsed, totalCalls }) => ({
                  ...agent,
                  accountId,
                  secondsUsed,
                  totalCalls
                }))
              })
        ),
      delete: (id) =>
        database.modify((state) =>
          isNamed(state, id)
            ? changed(false, state)
            : changed(Option.isSome(Table.get(state.agents, id)), { ...state, agents: Table.remove(state.agents, id) })
        ),
      list: (scope, archived = false) =>
        database.read((state) =>
          Table.where(state.agents, (agent) => (agent.archivedAt !== null) === archived && inScope(scope, agent))
        ),
      find: (scope, key) => database.read((state) => Option.filter(withKey(state, key), (row) => inScope(scope, row))),
      findForUpdate: (accountId, id) =>
        database.read((state) => Option.filter(Table.get(state.agents, id), (row) => row.accountId === accountId)),
      lockActive: (id) =>
        database.read((state) => Option.exists(Table.get(state.agents, id), ({ archivedAt }) => archivedAt === null)),
      isNumberTaken: (accountId, phoneNumber) =>
        database.read(
          (state) =>
            Table.where(state.agents, (row) => row.phoneNumber === phoneNumber && row.accountId !== accountId).length >
            0
        ),
      listByPhoneNumber: (phoneNumber, limit) =>
        database.read((state) =>
          Table.where(state.agents, (agent) => agent.phoneNumber === phoneNumber).slice(0, limit)
        ),
      findAnywhere: (key) => database.read((state) => withKey(state, key)),
      addUsage: (id, seconds, calls = 1) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            agents: Table.update(state.agents, id, (agent) => ({
              ...agent,
              secondsUsed: agent.secondsUsed + seconds,
              totalCalls: agent.totalCalls + calls
            }))
          })
        )
    })
  )
)
