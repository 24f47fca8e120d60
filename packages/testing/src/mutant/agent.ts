import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
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
  "listByPhoneNumber finds only agents that were stored with the number": (store) => {
    const numbers = new Map<number, string | null>()
    return {
      insert: (agent) =>
        Effect.tap(store.insert(agent), ({ id }) => Effect.sync(() => numbers.set(id, agent.phoneNumber))),
      listByPhoneNumber: (phoneNumber, limit) =>
        Effect.map(store.listByPhoneNumber(phoneNumber, limit), (found) =>
          found.filter(({ id }) => numbers.get(id) === phoneNumber)
        )
    }
  },
  "listByPhoneNumber returns the agents of one account": (store) => ({
    listByPhoneNumber: (phoneNumber, limit) =>
      Effect.map(store.listByPhoneNumber(phoneNumber, limit), (found) =>
        found.filter(({ accountId }) => accountId === found[0]?.accountId)
      )
  }),
  "listByPhoneNumber leaves out the agents of teams": (store) => ({
    listByPhoneNumber: (phoneNumber, limit) =>
      Effect.map(store.listByPhoneNumber(phoneNumber, limit), (found) => found.filter(({ teamId }) => teamId === null))
  }),
  "listByPhoneNumber leaves out inbound agents": (store) => ({
    listByPhoneNumber: (phoneNumber, limit) =>
      Effect.map(store.listByPhoneNumber(phoneNumber, limit), (found) =>
        found.filter(({ role }) => role !== "inbound agent")
      )
  }),
  "listByPhoneNumber returns the newest agent first": (store) => ({
    listByPhoneNumber: (phoneNumber, limit) => reversed(store.listByPhoneNumber(phoneNumber, limit))
  }),
  "listByPhoneNumber ignores the limit": (store) => ({
    listByPhoneNumber: (phoneNumber) => store.listByPhoneNumber(phoneNumber, 1_000)
  }),
  "listByPhoneNumber also returns the agents of a number that begins with the number": (store) => {
    const numbers = new Set<PhoneNumber>()
    return {
      insert: (agent) =>
        Effect.tap(store.insert(agent), () =>
          Effect.sync(() => agent.phoneNumber !== null && numbers.add(agent.phoneNumber))
        ),
      listByPhoneNumber: (phoneNumber, limit) =>
        Effect.gen(function* () {
          const alike = [...numbers].filter((number) => number.startsWith(phoneNumber.slice(0, -1)))
          const found = yield* Effect.forEach(alike, (number) => store.listByPhoneNumber(number, limit))
          return found
            .flat()
            .toSorted((a, b) => a.id - b.id)
            .slice(0, limit)
        })
    }
  },
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
