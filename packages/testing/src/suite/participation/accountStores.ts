import { ownRows } from "@frontdesk/core/access/Scope"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import * as Money from "@frontdesk/core/values/Money"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { allEntriesOf, newEntry } from "../AuditEntries.ts"
import { foldAll } from "../Movements.ts"
import * as Samples from "../Samples.ts"
import * as ServerNodes from "../ServerNodes.ts"
import { figures, range } from "../StatisticCounts.ts"
import { participation } from "./Participation.ts"

const makeAccount = Effect.suspend(() => Samples.makeAccount())

export const accountStore = participation(AccountStore, makeAccount, {
  view: (accounts, { id }) => Effect.all([accounts.find(id), accounts.funds(id), accounts.list(id, 1_000)]),
  methods: {
    insert: (accounts) => accounts.insert(Samples.newAccount()),
    update: (accounts, account) => accounts.update({ ...account, name: "Renamed" }),
    find: "reads",
    findForUpdate: "reads",
    list: "reads",
    search: "reads",
    clientsOf: "reads",
    funds: "reads",
    lockFunds: "reads",
    changeFunds: (accounts, { id }) => accounts.changeFunds(id, { deposits: Money.Money.make(5) }, Samples.cause)
  }
})

/** Before the rows of other tests, so that a fold takes only those of its own test. */
const [longAgo, foldedBefore] = [Samples.later(-70_000), Samples.later(-69_000)]

export const fundMovementStore = participation(
  FundMovementStore,
  Effect.gen(function* () {
    yield* foldAll(foldedBefore)
    const account = yield* makeAccount
    const change = { deposits: Money.Money.make(5) }
    yield* (yield* AccountStore).changeFunds(account.id, change, { ...Samples.cause, at: longAgo })
    return account
  }),
  {
    view: (movements, { id }) => movements.list(id, {}, { page: 1, limit: 10 }),
    methods: {
      list: "reads",
      fold: (movements) => movements.fold(foldedBefore, Samples.rowLimit(1_000))
    }
  }
)

export const statisticStore = participation(
  StatisticStore,
  Effect.gen(function* () {
    const account = yield* makeAccount
    yield* Samples.makeCalendarEvent(account.id)
    return account
  }),
  {
    view: (statistics, { id }) => statistics.read(id, range),
    methods: {
      read: "reads",
      nextAccount: "reads",
      take: (statistics, { id }) => statistics.take(id, 1),
      add: (statistics, { id }) =>
        statistics.add(id, [{ day: range.startDate, agentId: null, figures: figures({ calls: 1 }) }])
    }
  }
)

/** Before the entries of other tests, so that a sweep deletes only those of its own test. */
const sweptBefore = Samples.later(-300_000)

export const auditStore = participation(
  AuditStore,
  Effect.gen(function* () {
    yield* Samples.sweepAll(yield* AuditStore, sweptBefore)
    const account = yield* makeAccount
    yield* (yield* AuditStore).append(newEntry(account.id, -300_001))
    return account
  }),
  {
    view: (_, { id }) => allEntriesOf(id),
    methods: {
      append: (audit, { id }) => audit.append(newEntry(id, 0)),
      list: "reads",
      sweep: (audit) => audit.sweep(sweptBefore, Samples.rowLimit(1_000))
    }
  }
)

export const teamStore = participation(
  TeamStore,
  Effect.map(
    Effect.suspend(() => Samples.makeTeam()),
    ({ id }) => new Set([id])
  ),
  {
    view: (teams, ids) => Effect.map(Effect.forEach(ids, teams.find), (found) => found.filter(Option.isSome)),
    methods: {
      // Only the id shows a new team.
      insert: (teams, ids) => Effect.map(teams.insert("New"), ({ id }) => ids.add(id)),
      find: "reads",
      rename: (teams, ids) => Effect.forEach(ids, (id) => teams.rename(id, "Renamed"))
    }
  }
)

export const apiKeyStore = participation(
  ApiKeyStore,
  Effect.gen(function* () {
    const account = yield* makeAccount
    return yield* (yield* ApiKeyStore).insert(Samples.newApiKey(account.id))
  }),
  {
    view: (keys, { accountId }) => keys.list(accountId),
    methods: {
      insert: (keys, { accountId }) => keys.insert(Samples.newApiKey(accountId)),
      findByDigest: "reads",
      find: "reads",
      findForUpdate: "reads",
      list: "reads",
      rotate: (keys, { id }) =>
        keys.rotate(id, { digest: Samples.newDigest(), prefix: "fd_live_next", previousExpiresAt: Samples.later(60) }),
      revoke: (keys, { id }) => keys.revoke(id, Samples.later(1)),
      touch: (keys, { id }) => keys.touch(id, Samples.later(1))
    }
  }
)

export const installationStore = participation(
  InstallationStore,
  Effect.gen(function* () {
    const names = { stored: Samples.unique("stored"), missing: Samples.unique("missing") }
    const stored = yield* (yield* InstallationStore).secret(names.stored, Samples.stored("first"))
    return { names, stored }
  }),
  {
    view: ({ secrets }, { names }) =>
      Effect.map(secrets, (all) => all.filter(({ name }) => name === names.stored || name === names.missing)),
    methods: {
      cell: "reads",
      secret: (installation, { names }) => installation.secret(names.missing, Samples.stored("new")),
      secrets: "reads",
      replaceSecret: (installation, { names, stored }) =>
        installation.replaceSecret(names.stored, stored, Samples.stored("second"))
    }
  }
)

export const serverNodeStore = participation(
  ServerNodeStore,
  Effect.gen(function* () {
    const nodes = yield* ServerNodeStore
    yield* Samples.sweepAll(nodes, ServerNodes.sweptBefore)
    const stored = ServerNodes.newNode({ reportedAt: Samples.later(-400_001) })
    yield* nodes.report(stored)
    return { stored, missing: ServerNodes.newNode() }
  }),
  {
    view: (_, { missing, stored }) => ServerNodes.listed(stored.name, missing.name),
    methods: {
      report: (nodes, { missing }) => nodes.report(missing),
      list: "reads",
      delete: (nodes, { stored }) => nodes.delete(stored),
      sweep: (nodes) => nodes.sweep(ServerNodes.sweptBefore, Samples.rowLimit(1_000))
    }
  }
)

export const agentStore = participation(
  AgentStore,
  Effect.flatMap(makeAccount, ({ id }) => Samples.makeAgent(id)),
  {
    view: (agents, { accountId }) => agents.list({ accountIds: [accountId], teamIds: [] }),
    methods: {
      insert: (agents, { accountId }) => agents.insert(Samples.newAgent(accountId)),
      update: (agents, agent) => agents.update({ ...agent, name: "Renamed" }),
      list: "reads",
      find: "reads",
      listByPhoneNumber: "reads",
      findAnywhere: "reads",
      addUsage: (agents, { id }) => agents.addUsage(id, 60, 1),
      delete: (agents, { id }) => agents.delete(id),
      findForUpdate: "reads",
      lockActive: "reads",
      isNumberTaken: "reads"
    }
  }
)

export const contextVariableStore = participation(
  ContextVariableStore,
  Effect.gen(function* () {
    const account = yield* makeAccount
    return yield* (yield* ContextVariableStore).insert(Samples.newVariable(account.id, "size"))
  }),
  {
    view: (variables, { accountId }) => variables.list(ownRows(accountId), Option.none()),
    methods: {
      insert: (variables, { accountId }) => variables.insert(Samples.newVariable(accountId, "colour")),
      list: "reads",
      listNamed: "reads",
      findOwn: "reads",
      update: (variables, variable) => variables.update({ ...variable, displayName: "Renamed" }),
      delete: (variables, { id }) => variables.delete(id)
    }
  }
)

export const businessContextStore = participation(BusinessContextStore, makeAccount, {
  view: (business, { id }) => business.values(id),
  methods: {
    values: "reads",
    write: (business, { id }) => business.write(id, { set: { industry: "retail" }, remove: [] })
  }
})

export const provisioningStore = participation(
  ProvisioningStore,
  Effect.gen(function* () {
    const newRef = () => ({ kind: "agent" as const, accountRef: "acme", ref: Samples.unique("ref") })
    const refs = { missing: newRef(), stored: newRef() }
    yield* (yield* ProvisioningStore).insert(refs.stored, 1)
    return refs
  }),
  {
    view: (refs, { missing, stored }) => Effect.all([refs.find(missing), refs.find(stored)]),
    methods: {
      find: "reads",
      list: "reads",
      insert: (refs, { missing }) => refs.insert(missing, 1),
      replace: (refs, { stored }) => refs.replace(stored, 2),
      lock: "reads"
    }
  }
)
