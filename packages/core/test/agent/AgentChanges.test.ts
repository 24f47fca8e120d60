import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { Account } from "@frontdesk/core/access/Account"
import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as Principal from "@frontdesk/core/access/Principal"
import { TeamId } from "@frontdesk/core/access/Team"
import { ref } from "@frontdesk/core/agent/Agent"
import type { CreateAgent } from "@frontdesk/core/agent/AgentInput"
import { Agents } from "@frontdesk/core/agent/Agents"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { later, makeAccount, makeAgent, makeCalendarEvent, makeCall, makeTeam } from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const services = Agents.layer.pipe(
  Layer.provide(Layer.succeed(AccountLimits, { ...defaultLimits, agents: 3 })),
  Layer.provideMerge(MemoryStorage.layer)
)

const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
  it.effect(name, () => Effect.provide(effect, services))

const as = (account: Account) => Effect.provideService(Principal.Principal, Principal.ofAccount(account))

const number = PhoneNumber.make("+12025550142")

const body = (fields: Partial<CreateAgent> = {}): CreateAgent => ({
  assistantId: "asst_bo",
  name: "Bo",
  role: "inbound agent",
  ...fields
})

const problemOf = (field: string, message: string) => ({
  _tag: "ValidationError",
  problems: [{ field, code: "invalid_value", message }]
})

const takenId = problemOf("assistant_id", "Another agent has this assistant id")
const takenNumber = problemOf("phone_number", "An agent of another account has this phone number")

describe("a change of agents", () => {
  test(
    "creates, replaces and changes an agent of the caller's account, and keeps its usage (D-AGENT-1)",
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(later(0)))
      const agents = yield* Agents
      const team = yield* makeTeam()
      const account = yield* makeAccount({ teamIds: [team.id] })
      const created = yield* as(account)(agents.create(body({ phoneNumber: number, teamId: team.id })))
      expect(created).toMatchObject({
        accountId: account.id,
        phoneNumber: number,
        teamId: team.id,
        createdAt: later(0)
      })
      yield* (yield* AgentStore).addUsage(created.id, 90)
      const put = yield* as(account)(agents.put(created.id, body({ name: "Grace", model: "gpt-x" })))
      expect(put).toMatchObject({ name: "Grace", phoneNumber: null, model: "gpt-x", teamId: null, totalCalls: 1 })
      const patched = yield* as(account)(agents.patch(created.id, { voiceId: "v2" }))
      expect(patched).toEqual({ ...put, voiceId: "v2" })
      expect(yield* as(account)(agents.get({ id: created.id }))).toEqual(patched)
    })
  )

  test(
    "fails for an agent that the caller sees and another account owns, and does not find any other (D-AGENT-2)",
    Effect.gen(function* () {
      const agents = yield* Agents
      const team = yield* makeTeam()
      const owner = yield* makeAccount({ teamIds: [team.id] })
      const partner = yield* makeAccount({ role: "partner" })
      const client = yield* makeAccount({ role: "client", partnerId: partner.id })
      const shared = yield* makeAgent(owner.id, { teamId: team.id })
      const ofPartner = yield* makeAgent(partner.id)
      const refusals = (caller: Account, id: typeof shared.id) =>
        Effect.all([
          Effect.flip(as(caller)(agents.put(id, body()))),
          Effect.flip(as(caller)(agents.patch(id, { name: "X" }))),
          Effect.flip(as(caller)(agents.delete(id)))
        ])
      const mate = yield* makeAccount({ teamIds: [team.id] })
      for (const [caller, id] of [
        [mate, shared.id],
        [client, ofPartner.id]
      ] as const) {
        const actions = ["change", "change", "delete"]
        expect(yield* refusals(caller, id)).toMatchObject(actions.map((action) => ({ _tag: "NotOwner", action })))
      }
      const notFound = { _tag: "AgentNotFound", agent: shared.id }
      expect(yield* refusals(client, shared.id)).toMatchObject([notFound, notFound, notFound])
      expect(yield* as(owner)(agents.list())).toEqual([shared])
    })
  )

  test(
    "fails for a team that does not exist or that the account is not in, but not for the team that the agent has",
    Effect.gen(function* () {
      const agents = yield* Agents
      const accounts = yield* AccountStore
      const [team, other] = [yield* makeTeam(), yield* makeTeam()]
      const account = yield* makeAccount({ teamIds: [team.id] })
      const { id } = yield* as(account)(agents.create(body({ teamId: team.id })))
      const tagOf = (teamId: TeamId) =>
        Effect.map(
          Effect.all([
            Effect.flip(as(account)(agents.create(body({ assistantId: "asst_other", teamId })))),
            Effect.flip(as(account)(agents.put(id, body({ teamId })))),
            Effect.flip(as(account)(agents.patch(id, { teamId })))
          ]),
          (errors) => errors.map(({ _tag }) => _tag)
        )
      expect(yield* tagOf(other.id)).toEqual(Array.from({ length: 3 }, () => "TeamAccessDenied"))
      expect(yield* tagOf(TeamId.make(999))).toEqual(Array.from({ length: 3 }, () => "TeamNotFound"))
      const left = { ...account, teamIds: [] }
      yield* accounts.update(left)
      expect(yield* as(left)(agents.put(id, body({ name: "Grace", teamId: team.id })))).toMatchObject({
        teamId: team.id
      })
    })
  )

  test(
    "fails for an assistant id that an agent of any account has, and for a phone number of another account (D-AGENT-6)",
    Effect.gen(function* () {
      const agents = yield* Agents
      const [account, other] = [yield* makeAccount(), yield* makeAccount()]
      const theirs = yield* as(other)(agents.create(body({ phoneNumber: number })))
      const refused = (change: Partial<CreateAgent>) =>
        Effect.flip(as(account)(agents.create(body({ assistantId: "asst_mine", ...change }))))
      expect(yield* refused({ assistantId: "asst_bo" })).toMatchObject(takenId)
      expect(yield* refused({ phoneNumber: number })).toMatchObject(takenNumber)
      const mine = yield* as(account)(agents.create(body({ assistantId: "asst_mine" })))
      for (const [change, problem] of [
        [{ assistantId: "asst_bo" }, takenId],
        [{ phoneNumber: number }, takenNumber]
      ] as const) {
        expect(yield* Effect.flip(as(account)(agents.patch(mine.id, change)))).toMatchObject(problem)
        const put = agents.put(mine.id, body({ assistantId: "asst_mine", ...change }))
        expect(yield* Effect.flip(as(account)(put))).toMatchObject(problem)
      }
      expect(yield* as(account)(agents.list())).toEqual([mine])
      // Agents of one account may share a number.
      yield* as(other)(agents.create(body({ assistantId: "asst_second", phoneNumber: number })))
      // The operator may have given the number to both accounts. An agent keeps what it has.
      const both = yield* makeAgent(account.id, { phoneNumber: number })
      expect(yield* as(account)(agents.patch(both.id, { name: "Kept", phoneNumber: number }))).toMatchObject({
        name: "Kept"
      })
      expect(yield* as(other)(agents.patch(theirs.id, { name: "Kept" }))).toMatchObject({ phoneNumber: number })
    })
  )

  test(
    "fails for an agent above the limit of the account, which archived agents count towards (D-AGENT-7)",
    Effect.gen(function* () {
      const agents = yield* Agents
      const [account, other] = [yield* makeAccount(), yield* makeAccount()]
      const create = (assistantId: string) => as(account)(agents.create(body({ assistantId })))
      const first = yield* create("a")
      const second = yield* create("b")
      yield* makeCall(account.id, second)
      expect(yield* as(account)(agents.delete(second.id))).toEqual({ archived: true })
      yield* create("c")
      const refused = yield* Effect.flip(create("d"))
      expect(refused).toMatchObject({ _tag: "LimitReached", resource: "agents", limit: 3 })
      yield* as(other)(agents.create(body({ assistantId: "d" })))
      expect(yield* as(account)(agents.delete(first.id))).toEqual({ archived: false })
      yield* create("e")
    })
  )
})

describe("a deleted agent", () => {
  test(
    "is gone without calls and calendar events, and its assistant id and its phone number are free",
    Effect.gen(function* () {
      const agents = yield* Agents
      const [account, other] = [yield* makeAccount(), yield* makeAccount()]
      const { id } = yield* as(account)(agents.create(body({ phoneNumber: number })))
      expect(yield* as(account)(agents.delete(id))).toEqual({ archived: false })
      expect(yield* Effect.flip(as(account)(agents.get({ id })))).toMatchObject({ _tag: "AgentNotFound" })
      expect(yield* Effect.flip(as(account)(agents.delete(id)))).toMatchObject({ _tag: "AgentNotFound" })
      yield* as(other)(agents.create(body({ phoneNumber: number })))
    })
  )

  test(
    "is archived with a call or a calendar event: it is still shown, frees its number and takes no change (D-AGENT-3, D-AGENT-4)",
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(later(5)))
      const [agents, store] = [yield* Agents, yield* AgentStore]
      const [account, other] = [yield* makeAccount(), yield* makeAccount()]
      const called = yield* as(account)(agents.create(body({ phoneNumber: number })))
      const booked = yield* as(account)(agents.create(body({ assistantId: "asst_booked" })))
      const kept = yield* as(account)(agents.create(body({ assistantId: "asst_kept" })))
      yield* makeCall(other.id, called)
      yield* makeCalendarEvent(other.id, { aiAgent: ref(booked) })
      for (const { id } of [called, booked]) {
        expect(yield* as(account)(agents.delete(id))).toEqual({ archived: true })
      }
      const archived = { ...called, phoneNumber: null, archivedAt: later(5) }
      expect(yield* as(account)(agents.get({ assistantId: "asst_bo" }))).toEqual(archived)
      expect(yield* as(account)(agents.list())).toEqual([kept])
      expect(yield* as(account)(agents.list({ archived: false }))).toEqual([kept])
      expect(yield* as(account)(agents.list({ archived: true }))).toEqual([
        archived,
        { ...booked, archivedAt: later(5) }
      ])
      expect(yield* store.listByPhoneNumber(number, 10)).toEqual([])
      for (const change of [agents.patch(called.id, { name: "X" }), agents.put(called.id, body())]) {
        expect(yield* Effect.flip(as(account)(change))).toMatchObject({ _tag: "AgentArchived", agentId: called.id })
      }
      const refused = yield* Effect.flip(as(account)(agents.getActive({ id: called.id })))
      expect(refused).toMatchObject({ _tag: "AgentArchived", agentId: called.id })
      expect(yield* Effect.flip(as(other)(agents.create(body())))).toMatchObject(takenId)
    })
  )

  test(
    "stays archived as it was when it is deleted again, and is gone once its calls are (D-AGENT-3)",
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(later(5)))
      const [agents, calls] = [yield* Agents, yield* CallStore]
      const account = yield* makeAccount()
      const { id } = yield* as(account)(agents.create(body()))
      const ended = { status: "completed", endedAt: later(1), reconcileAt: null } as const
      yield* makeCall(account.id, yield* as(account)(agents.get({ id })), ended)
      yield* as(account)(agents.delete(id))
      yield* TestClock.adjust("1 hour")
      expect(yield* as(account)(agents.delete(id))).toEqual({ archived: true })
      expect(yield* as(account)(agents.get({ id }))).toMatchObject({ archivedAt: later(5) })
      yield* calls.sweep(later(60), { rows: 10, bytes: 1_000_000 })
      expect(yield* as(account)(agents.delete(id))).toEqual({ archived: false })
      expect(yield* Effect.flip(as(account)(agents.get({ id })))).toMatchObject({ _tag: "AgentNotFound" })
    })
  )
})
