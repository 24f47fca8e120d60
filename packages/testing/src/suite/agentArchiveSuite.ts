import * as AgentModel from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

const absent = AgentModel.AgentId.make(999_999_999_999)

/** Verifies how an `AgentStore` archives, deletes and locks agents. */
export const agentArchiveSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: AgentStore, archived and deleted agents`, (it) => {
    it.effect("update archives and restores an agent, and list returns either the archived agents or the others", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const scope = { accountIds: [account.id], teamIds: [] }
        const [first, second, third] = [
          yield* Samples.makeAgent(account.id),
          yield* Samples.makeAgent(account.id),
          yield* Samples.makeAgent(account.id)
        ]
        expect([yield* agents.list(scope), yield* agents.list(scope, true)]).toEqual([[first, second, third], []])
        const archived = [first, third].map((agent) => ({ ...agent, archivedAt: Samples.now }))
        for (const agent of archived) yield* agents.update(agent)
        expect([yield* agents.list(scope), yield* agents.list(scope, false)]).toEqual([[second], [second]])
        expect(yield* agents.list(scope, true)).toEqual(archived)
        for (const key of [{ id: first.id }, { assistantId: first.assistantId }]) {
          expect(yield* agents.find(scope, key)).toEqual(Option.some(archived[0]))
        }
        yield* agents.update(first)
        expect(yield* agents.list(scope)).toEqual([first, second])
        const other = yield* Samples.makeAccount()
        expect(yield* agents.list({ accountIds: [other.id], teamIds: [] }, true)).toEqual([])
      })
    )

    it.effect("delete removes an agent that nothing names, and returns false for one that does not exist", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const scope = { accountIds: [account.id], teamIds: [] }
        const [agent, kept] = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)]
        expect(yield* agents.delete(agent.id)).toBe(true)
        expect(yield* agents.find(scope, { id: agent.id })).toEqual(Option.none())
        expect(yield* agents.list(scope)).toEqual([kept])
        expect(yield* agents.delete(agent.id)).toBe(false)
        const { assistantId } = agent
        expect(yield* Samples.makeAgent(account.id, { assistantId })).toMatchObject({ assistantId, totalCalls: 0 })
      })
    )

    it.effect("delete keeps an agent that a call or a calendar event of any account names", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const { run } = yield* Transaction
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        for (const owner of [account, other]) {
          const [called, booked] = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)]
          const call = yield* Samples.makeCall(owner.id, called)
          const event = yield* Samples.makeCalendarEvent(owner.id, { aiAgent: AgentModel.ref(booked) })
          for (const agent of [called, booked]) {
            const removed = Effect.andThen(agents.findForUpdate(account.id, agent.id), agents.delete(agent.id))
            expect(yield* run(removed)).toBe(false)
            const scope = { accountIds: [account.id], teamIds: [] }
            expect(yield* agents.find(scope, { id: agent.id })).toEqual(Option.some(agent))
          }
          const [calls, events] = [yield* CallStore, yield* CalendarEventStore]
          const scope = Samples.scopeOf(owner)
          expect(Option.getOrThrow(yield* calls.find(scope, { id: call.id })).agent.id).toBe(called.id)
          const stored = Option.getOrThrow(yield* events.find(scope, { id: event.id }))
          expect(stored.aiAgent?.id).toBe(booked.id)
          yield* events.update({ ...stored, aiAgent: null })
          expect(yield* agents.delete(booked.id)).toBe(true)
        }
      })
    )

    it.effect("findForUpdate returns an agent of the account, archived or not, and none of another account", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const team = yield* Samples.makeTeam()
        const agent = yield* Samples.makeAgent(account.id, { teamId: team.id })
        expect(yield* agents.findForUpdate(account.id, agent.id)).toEqual(Option.some(agent))
        expect(yield* agents.findForUpdate(other.id, agent.id)).toEqual(Option.none())
        expect(yield* agents.findForUpdate(account.id, absent)).toEqual(Option.none())
        const archived = { ...agent, archivedAt: Samples.later(1) }
        yield* agents.update(archived)
        expect(yield* agents.findForUpdate(account.id, agent.id)).toEqual(Option.some(archived))
      })
    )

    it.effect("lockActive returns true only for an agent that exists and is not archived", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        expect(yield* agents.lockActive(agent.id)).toBe(true)
        expect(yield* agents.lockActive(absent)).toBe(false)
        yield* agents.update({ ...agent, archivedAt: Samples.now })
        expect(yield* agents.lockActive(agent.id)).toBe(false)
        yield* agents.update(agent)
        expect(yield* agents.lockActive(agent.id)).toBe(true)
        yield* agents.delete(agent.id)
        expect(yield* agents.lockActive(agent.id)).toBe(false)
      })
    )

    it.effect("isNumberTaken returns whether an agent of another account has exactly this number", () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const phoneNumber = Samples.uniqueNumber()
        expect(yield* agents.isNumberTaken(a.id, phoneNumber)).toBe(false)
        const agent = yield* Samples.makeAgent(a.id, { phoneNumber })
        yield* Samples.makeAgent(a.id, { phoneNumber })
        expect(yield* agents.isNumberTaken(a.id, phoneNumber)).toBe(false)
        expect(yield* agents.isNumberTaken(b.id, phoneNumber)).toBe(true)
        expect(yield* agents.isNumberTaken(b.id, Samples.uniqueNumber())).toBe(false)
        const other = yield* Samples.makeAgent(b.id, { phoneNumber })
        expect(yield* agents.isNumberTaken(a.id, phoneNumber)).toBe(true)
        yield* agents.update({ ...other, phoneNumber: null })
        expect(yield* agents.isNumberTaken(a.id, phoneNumber)).toBe(false)
        yield* agents.update({ ...agent, phoneNumber: Samples.uniqueNumber() })
        expect(yield* agents.isNumberTaken(b.id, phoneNumber)).toBe(true)
      })
    )

    it.effect(
      "of an agent that is deleted while calls of it are stored, either the calls or the deletion succeed",
      () =>
        Effect.gen(function* () {
          const [agents, calls] = [yield* AgentStore, yield* CallStore]
          const { run } = yield* Transaction
          const account = yield* Samples.makeAccount()
          for (let round = 0; round < 10; round++) {
            const agent = yield* Samples.makeAgent(account.id)
            const start = Effect.gen(function* () {
              if (!(yield* agents.lockActive(agent.id))) return false
              yield* Effect.yieldNow
              yield* calls.insert(Samples.newCall(account.id, agent))
              return true
            })
            const remove = Effect.gen(function* () {
              yield* agents.findForUpdate(account.id, agent.id)
              yield* Effect.yieldNow
              return yield* agents.delete(agent.id)
            })
            const steps = round % 2 === 0 ? [start, remove, start] : [remove, start, start]
            yield* Effect.forEach(steps, run, { concurrency: "unbounded" })
            const found = yield* agents.find({ accountIds: [account.id], teamIds: [] }, { id: agent.id })
            const { count } = yield* calls.list(Samples.scopeOf(account), { agentId: agent.id }, { page: 1, limit: 1 })
            expect([round, count]).toEqual([round, Option.isSome(found) ? 2 : 0])
          }
        })
    )
  })
}
