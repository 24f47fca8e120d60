import type { Agent } from "@frontdesk/core/agent/Agent"
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
  "insert allows every tool": (store) => ({
    insert: (agent) =>
      Effect.map(store.insert({ ...agent, allowedTools: null }), (row) => ({
        ...row,
        allowedTools: agent.allowedTools
      }))
  }),
  "update keeps the allowed tools": (store) => ({
    update: (agent) =>
      Effect.gen(function* () {
        const stored = Option.getOrThrow(yield* store.findAnywhere({ id: agent.id }))
        yield* store.update({ ...agent, allowedTools: stored.allowedTools })
      })
  }),
  "findAnywhere does not know ids": (store) => ({
    findAnywhere: (key) => ("id" in key ? Effect.succeedNone : store.findAnywhere(key))
  }),
  "findAnywhere leaves out archived agents": (store) => ({
    findAnywhere: (key) =>
      Effect.map(
        store.findAnywhere(key),
        Option.filter(({ archivedAt }) => archivedAt === null)
      )
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
  "update does not archive the agent": (store) => ({ update: (agent) => store.update({ ...agent, archivedAt: null }) }),
  "update does not restore the agent": (store) => {
    const archived = new Map<number, Agent["archivedAt"]>()
    return {
      update: (agent) => {
        if (agent.archivedAt !== null) archived.set(agent.id, agent.archivedAt)
        return store.update({ ...agent, archivedAt: archived.get(agent.id) ?? null })
      }
    }
  },
  "list also returns archived agents": (store) => ({
    list: (scope, archived) =>
      Effect.gen(function* () {
        const active = yield* store.list(scope)
        return [...(archived === true ? [] : active), ...(yield* store.list(scope, true))].toSorted(
          (a, b) => a.id - b.id
        )
      })
  }),
  "list of archived agents also returns the others": (store) => ({
    list: (scope, archived) =>
      archived === true
        ? Effect.zipWith(store.list(scope), store.list(scope, true), (active, others) => [...active, ...others])
        : store.list(scope)
  }),
  "list of archived agents ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    const all: Array<number> = []
    return {
      insert: (agent) => Effect.tap(insert(agent), ({ id }) => Effect.sync(() => all.push(id))),
      list: (scope, archived) =>
        archived === true
          ? store.list(
              { ...scope, accountIds: all.flatMap((id) => scope.accountIds.map((own) => ownerOf(id, own))) },
              true
            )
          : store.list(scope)
    }
  },
  "find does not find archived agents": (store) => ({
    find: (scope, key) =>
      Effect.map(
        store.find(scope, key),
        Option.filter(({ archivedAt }) => archivedAt === null)
      )
  }),
  "delete has no effect": () => ({ delete: () => Effect.succeed(true) }),
  "delete always returns true": (store) => ({ delete: (id) => Effect.as(store.delete(id), true) }),
  "delete never returns true": (store) => ({ delete: (id) => Effect.as(store.delete(id), false) }),
  "findForUpdate finds agents of other accounts": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, findForUpdate: (accountId, id) => store.findForUpdate(ownerOf(id, accountId), id) }
  },
  "findForUpdate does not find archived agents": (store) => ({
    findForUpdate: (accountId, id) =>
      Effect.map(
        store.findForUpdate(accountId, id),
        Option.filter(({ archivedAt }) => archivedAt === null)
      )
  }),
  "lockActive returns true for an archived agent": (store) => {
    const archived = new Set<number>()
    return {
      update: (agent) =>
        Effect.tap(store.update(agent), () => Effect.sync(() => agent.archivedAt !== null && archived.add(agent.id))),
      lockActive: (id) => (archived.has(id) ? Effect.succeed(true) : store.lockActive(id))
    }
  },
  "lockActive returns true for an agent that does not exist": (store) => {
    const archived = new Set<number>()
    return {
      update: (agent) =>
        Effect.tap(store.update(agent), () => Effect.sync(() => agent.archivedAt !== null && archived.add(agent.id))),
      lockActive: (id) => (archived.has(id) ? store.lockActive(id) : Effect.succeed(true))
    }
  },
  "lockActive never returns true": () => ({ lockActive: () => Effect.succeed(false) }),
  "isNumberTaken counts the agents of the account itself": (store) => ({
    isNumberTaken: (accountId, phoneNumber) =>
      Effect.zipWith(
        store.isNumberTaken(accountId, phoneNumber),
        store.listByPhoneNumber(phoneNumber, 1),
        (isTaken, found) => isTaken || found.length > 0
      )
  }),
  "isNumberTaken looks at the first agent only": (store) => ({
    isNumberTaken: (accountId, phoneNumber) =>
      Effect.map(store.listByPhoneNumber(phoneNumber, 1), (found) => found.some((one) => one.accountId !== accountId))
  }),
  "isNumberTaken returns true for a number that an agent had before": (store) => {
    const numbers = new Set<string>()
    return {
      isNumberTaken: (accountId, phoneNumber) =>
        Effect.map(store.isNumberTaken(accountId, phoneNumber), (isTaken) => {
          if (isTaken) numbers.add(phoneNumber)
          return isTaken || numbers.has(phoneNumber)
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
