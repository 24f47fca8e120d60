import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { acceptingDuplicates, mutantsOf, rememberOwners, reversed, wholeSeconds } from "./Mutant.ts"

/** Mutants of `AgentStore`. */
export const agentStore = mutantsOf(AgentStore, {
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (agent) => store.insert({ ...agent, createdAt: wholeSeconds(agent.createdAt) })
  }),
  "insert stores no team": (store) => ({
    insert: (agent) => Effect.map(store.insert({ ...agent, teamId: null }), (row) => ({ ...row, teamId: agent.teamId }))
  }),
  "insert counts a first call": (store) => ({
    insert: (agent) => Effect.tap(store.insert(agent), ({ id }) => store.addUsage(id, 0))
  }),
  "insert accepts an assistant id that another agent has": (store) => ({
    insert: acceptingDuplicates(store.insert, (agent) => ({ ...agent, assistantId: `${agent.assistantId}.` }))
  }),
  "update accepts an assistant id that another agent has": (store) => ({
    update: acceptingDuplicates(store.update, (agent) => ({ ...agent, assistantId: `${agent.assistantId}.` }))
  }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update sets the counters": (store) => ({
    update: (agent) =>
      Effect.gen(function* () {
        yield* store.update(agent)
        const scope = { accountIds: [agent.accountId], teamIds: agent.teamId === null ? [] : [agent.teamId] }
        const stored = Option.getOrThrow(yield* store.find(scope, { id: agent.id }))
        yield* store.addUsage(agent.id, agent.secondsUsed - stored.secondsUsed, agent.totalCalls - stored.totalCalls)
      })
  }),
  "list leaves out the agents of the teams": (store) => ({ list: (scope) => store.list({ ...scope, teamIds: [] }) }),
  "list leaves out the agents of the second account": (store) => ({
    list: ({ accountIds, teamIds }) => store.list({ accountIds: accountIds.slice(0, 1), teamIds })
  }),
  "list returns an agent of an account and of a team twice": (store) => ({
    list: ({ accountIds, teamIds }) =>
      Effect.gen(function* () {
        const own = yield* store.list({ accountIds, teamIds: [] })
        const shared = yield* store.list({ accountIds: [], teamIds })
        return [...own, ...shared].toSorted((a, b) => a.id - b.id)
      })
  }),
  "list returns the newest agent first": (store) => ({ list: (scope) => reversed(store.list(scope)) }),
  "find ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      find: (scope, key) =>
        "id" in key
          ? store.find({ ...scope, accountIds: scope.accountIds.map((id) => ownerOf(key.id, id)) }, key)
          : store.find(scope, key)
    }
  },
  "find does not know assistant ids": (store) => ({
    find: (scope, key) => ("id" in key ? store.find(scope, key) : Effect.succeedNone)
  }),
  "find leaves out the agents of the teams": (store) => ({
    find: (scope, key) => store.find({ ...scope, teamIds: [] }, key)
  }),
  "addUsage sets the seconds": (store) => {
    const seconds = new Map<number, number>()
    return {
      addUsage: (id, added, calls) => {
        const before = seconds.get(id) ?? 0
        seconds.set(id, added)
        return store.addUsage(id, added - before, calls)
      }
    }
  },
  "addUsage counts no call by default": (store) => ({
    addUsage: (id, seconds, calls = 0) => store.addUsage(id, seconds, calls)
  }),
  "addUsage ignores the number of calls": (store) => ({ addUsage: (id, seconds) => store.addUsage(id, seconds) }),
  "addUsage ignores negative numbers": (store) => ({
    addUsage: (id, seconds, calls = 1) => store.addUsage(id, Math.max(0, seconds), Math.max(0, calls))
  })
})
