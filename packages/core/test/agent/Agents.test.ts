import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Agents } from "@frontdesk/core/agent/Agents"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeAccount, makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = Agents.layer.pipe(Layer.provideMerge(MemoryStorage.layer))

const as = (account: Account) =>
  Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })

const seenBy = (account: Account) =>
  Effect.flatMap(Agents, (agents) => agents.list()).pipe(
    as(account),
    Effect.map((all) => all.map(({ name }) => name))
  )

describe("Agents", () => {
  it.effect("a standard account sees its own agents and those of its teams, sorted by id (C-4.1-2)", () =>
    Effect.gen(function* () {
      const team = yield* makeTeam()
      const account = yield* makeAccount({ teamIds: [team.id] })
      const other = yield* makeAccount({ teamIds: [team.id] })
      yield* makeAgent(other.id, { name: "shared", teamId: team.id })
      yield* makeAgent(other.id, { name: "theirs" })
      yield* makeAgent(account.id, { name: "mine" })
      expect(yield* seenBy(account)).toEqual(["shared", "mine"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a partner sees its own agents and its clients', and a client sees its own and its partner's (C-4.1-3, D-TEAM-3)",
    () =>
      Effect.gen(function* () {
        const team = yield* makeTeam()
        const stranger = yield* makeAccount({ teamIds: [team.id] })
        const partner = yield* makeAccount({ role: "partner", teamIds: [team.id] })
        const client = yield* makeAccount({ role: "client", partnerId: partner.id, teamIds: [team.id] })
        const sibling = yield* makeAccount({ role: "client", partnerId: partner.id })
        yield* makeAgent(stranger.id, { name: "team", teamId: team.id })
        yield* makeAgent(partner.id, { name: "partner" })
        yield* makeAgent(client.id, { name: "client" })
        yield* makeAgent(sibling.id, { name: "sibling" })
        expect(yield* seenBy(partner)).toEqual(["partner", "client", "sibling"])
        expect(yield* seenBy(client)).toEqual(["partner", "client"])
      }).pipe(Effect.provide(services))
  )

  it.effect("two accounts that are no longer partner and client do not see each other's agents", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const partner = yield* makeAccount({ role: "partner" })
      const client = yield* makeAccount({ role: "client", partnerId: partner.id })
      yield* makeAgent(partner.id, { name: "partner" })
      yield* makeAgent(client.id, { name: "client" })
      yield* accounts.update({ ...client, role: "standard" })
      expect(yield* seenBy(partner)).toEqual(["partner"])
      yield* accounts.update(client)
      expect(yield* seenBy(client)).toEqual(["partner", "client"])
      yield* accounts.update({ ...partner, role: "standard" })
      expect(yield* seenBy(client)).toEqual(["client"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "an agent is found by its id and its assistant id, and one that the caller cannot see is not found (D-TEAM-2)",
    () =>
      Effect.gen(function* () {
        const agents = yield* Agents
        const account = yield* makeAccount()
        const mine = yield* makeAgent(account.id)
        const theirs = yield* makeAgent((yield* makeAccount()).id)
        expect((yield* agents.get({ id: mine.id }).pipe(as(account))).id).toBe(mine.id)
        expect((yield* agents.get({ assistantId: mine.assistantId }).pipe(as(account))).id).toBe(mine.id)
        expect(yield* Effect.flip(agents.get({ id: theirs.id }).pipe(as(account)))).toMatchObject({
          _tag: "AgentNotFound",
          agent: theirs.id
        })
        expect(yield* Effect.flip(agents.get({ assistantId: theirs.assistantId }).pipe(as(account)))).toMatchObject({
          agent: theirs.assistantId
        })
      }).pipe(Effect.provide(services))
  )
})
