import { AgentId } from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies an `AgentStore`. `agentArchiveSuite` verifies how it archives, deletes and locks agents. */
export const agentStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: AgentStore`, (it) => {
    it.effect(
      "find returns a new agent by id and by assistant id, with every field as inserted and without usage",
      () =>
        Effect.gen(function* () {
          const agents = yield* AgentStore
          const account = yield* Samples.makeAccount()
          const team = yield* Samples.makeTeam()
          for (const fields of [
            {
              teamId: team.id,
              name: "Zoë 日本",
              role: "inbound agent" as const,
              allowedTools: ["opt_out", "book"] as const
            },
            { phoneNumber: null, teamId: null, name: "", allowedTools: [] }
          ]) {
            const given = Samples.newAgent(account.id, fields)
            const agent = yield* agents.insert(given)
            expect(agent).toEqual({ ...given, id: agent.id, secondsUsed: 0, totalCalls: 0, archivedAt: null })
            const scope = { accountIds: [account.id], teamIds: [] }
            expect(yield* agents.find(scope, { id: agent.id })).toEqual(Option.some(agent))
            expect(yield* agents.find(scope, { assistantId: agent.assistantId })).toEqual(Option.some(agent))
          }
        })
    )

    it.effect("insert and update fail with duplicate when an agent of any account has the assistant id", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const taken = yield* Samples.makeAgent(a.id)
        const agent = yield* Samples.makeAgent(b.id)
        const again = Samples.newAgent(b.id, { assistantId: taken.assistantId })
        expect((yield* agents.insert(again).pipe(Effect.flip)).reason).toBe("duplicate")
        const moved = { ...agent, assistantId: taken.assistantId }
        expect((yield* agents.update(moved).pipe(Effect.flip)).reason).toBe("duplicate")
      })
    )

    it.effect(
      "list and find return the agents of the scope's accounts and teams, each once and ordered by id, and no others",
      () =>
        Effect.gen(function* () {
          const agents = yield* AgentStore
          const [mine, client, other] = [
            yield* Samples.makeAccount(),
            yield* Samples.makeAccount(),
            yield* Samples.makeAccount()
          ]
          const [team, elsewhere] = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
          const shared = yield* Samples.makeAgent(other.id, { teamId: team.id })
          const own = yield* Samples.makeAgent(mine.id, { teamId: team.id })
          const clients = yield* Samples.makeAgent(client.id)
          const foreign = [
            yield* Samples.makeAgent(other.id),
            yield* Samples.makeAgent(other.id, { teamId: elsewhere.id })
          ]
          const scope = { accountIds: [mine.id, client.id], teamIds: [team.id] }
          expect(yield* agents.list(scope)).toEqual([shared, own, clients])
          for (const agent of foreign) {
            expect(yield* agents.find(scope, { id: agent.id })).toEqual(Option.none())
            expect(yield* agents.find(scope, { assistantId: agent.assistantId })).toEqual(Option.none())
          }
          expect(yield* agents.find(scope, { id: shared.id })).toEqual(Option.some(shared))
        })
    )

    it.effect("an empty scope contains no agent, and find returns none for an unknown id or assistant id", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        expect(yield* agents.list({ accountIds: [], teamIds: [] })).toEqual([])
        expect(yield* agents.find({ accountIds: [], teamIds: [] }, { id: agent.id })).toEqual(Option.none())
        const scope = { accountIds: [account.id], teamIds: [] }
        expect(yield* agents.find(scope, { id: AgentId.make(999_999_999_999) })).toEqual(Option.none())
        expect(yield* agents.find(scope, { assistantId: "" })).toEqual(Option.none())
      })
    )

    it.effect(
      "listByPhoneNumber returns the agents of every account with exactly this number, by id, up to the limit",
      () =>
        Effect.gen(function* () {
          const agents = yield* AgentStore
          const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          const phoneNumber = Samples.uniqueNumber()
          const first = yield* Samples.makeAgent(b.id, { phoneNumber, role: "inbound agent" })
          const moved = yield* Samples.makeAgent(a.id, { phoneNumber: null })
          const second = yield* Samples.makeAgent(a.id, { phoneNumber, teamId: team.id })
          yield* Samples.makeAgent(a.id, { phoneNumber: PhoneNumber.make(phoneNumber.slice(0, -1)) })
          yield* Samples.makeAgent(a.id, { phoneNumber: null })
          expect(yield* agents.listByPhoneNumber(phoneNumber, 10)).toEqual([first, second])
          yield* agents.addUsage(second.id, 90)
          yield* agents.update({ ...moved, phoneNumber })
          const all = [first, { ...moved, phoneNumber }, { ...second, secondsUsed: 90, totalCalls: 1 }]
          expect(yield* agents.listByPhoneNumber(phoneNumber, 10)).toEqual(all)
          expect(yield* agents.listByPhoneNumber(phoneNumber, 3)).toEqual(all)
          expect(yield* agents.listByPhoneNumber(phoneNumber, 2)).toEqual(all.slice(0, 2))
          yield* agents.update({ ...first, phoneNumber: null })
          expect(yield* agents.listByPhoneNumber(phoneNumber, 10)).toEqual(all.slice(1))
          expect(yield* agents.listByPhoneNumber(Samples.uniqueNumber(), 10)).toEqual([])
        })
    )

    it.effect(
      "findAnywhere returns the agent of any account with exactly this id or assistant id, archived or not",
      () =>
        Effect.gen(function* () {
          const agents = yield* AgentStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const [first, second] = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(other.id)]
          for (const agent of [first, second, { ...second, archivedAt: DateTime.makeUnsafe(0) }]) {
            yield* agents.update(agent)
            expect(yield* agents.findAnywhere({ id: agent.id })).toEqual(Option.some(agent))
            expect(yield* agents.findAnywhere({ assistantId: agent.assistantId })).toEqual(Option.some(agent))
          }
          for (const assistantId of [second.assistantId.slice(0, -1), second.assistantId.toUpperCase()]) {
            expect(yield* agents.findAnywhere({ assistantId })).toEqual(Option.none())
          }
          expect(yield* agents.findAnywhere({ id: AgentId.make(999_999_999_999) })).toEqual(Option.none())
        })
    )

    it.effect("update replaces every field of an agent except its account and its usage", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const team = yield* Samples.makeTeam()
        const agent = yield* Samples.makeAgent(account.id, { phoneNumber: null })
        yield* agents.addUsage(agent.id, 90)
        const next = {
          ...agent,
          name: "Grace",
          role: "inbound agent" as const,
          phoneNumber: PhoneNumber.make("+12025550199"),
          model: "gpt-y",
          voiceId: "v2",
          teamId: team.id,
          allowedTools: ["cancel"] as const,
          assistantId: Samples.unique("asst")
        }
        yield* agents.update({ ...next, accountId: other.id, secondsUsed: 0, totalCalls: 0 })
        expect(yield* agents.list({ accountIds: [account.id], teamIds: [] })).toEqual([
          { ...next, secondsUsed: 90, totalCalls: 1 }
        ])
      })
    )

    it.effect("addUsage adds the given seconds and calls, which may be negative, and one call by default", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        yield* agents.addUsage(agent.id, 90, 3)
        yield* agents.addUsage(agent.id, 10)
        yield* agents.addUsage(agent.id, -30, -2)
        yield* agents.addUsage(agent.id, 1, 0)
        expect(yield* agents.list({ accountIds: [account.id], teamIds: [] })).toEqual([
          { ...agent, secondsUsed: 71, totalCalls: 2 }
        ])
      })
    )

    it.effect("concurrent calls of addUsage all count", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        yield* Effect.forEach(Array.from({ length: 20 }), () => agents.addUsage(agent.id, 31), {
          concurrency: "unbounded",
          discard: true
        })
        expect(yield* agents.list({ accountIds: [account.id], teamIds: [] })).toEqual([
          { ...agent, secondsUsed: 620, totalCalls: 20 }
        ])
      })
    )
  })
}
