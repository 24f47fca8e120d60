import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CallId } from "@frontdesk/core/call/Call"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { type CallFilter, CallStore, type DueCall } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `CallStore` promises. */
export const callStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: CallStore`, (it) => {
    it.effect("a new call is found by its id, its call id and the provider's", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const given = Samples.newCall(account.id, agent, {
          ...finished,
          providerCallId: Samples.unique("provider"),
          variables: { name: "Zoë", count: 3, vip: true, empty: "", ratio: -0.25 },
          metadata: { order: { id: 7, tags: ["a", null] } }
        })
        const call = yield* calls.insert(given)
        expect(call).toEqual({ ...given, id: call.id })
        for (const key of [{ id: call.id }, { callId: given.callId }, { providerCallId: given.providerCallId ?? "" }]) {
          expect(yield* calls.find(Samples.alone(account), key)).toEqual(Option.some(call))
          expect(yield* (yield* Transaction).run(calls.findForUpdate(key))).toEqual(Option.some(call))
        }
      })
    )

    it.effect("what is null stays null, and unknown names are not found", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const given = Samples.newCall(account.id, agent)
        const call = yield* calls.insert(given)
        expect(call).toEqual({ ...given, id: call.id })
        for (const key of [{ id: CallId.make(999_999_999_999) }, { callId: "none" }, { providerCallId: "none" }]) {
          expect(yield* calls.find(Samples.alone(account), key)).toEqual(Option.none())
          expect(yield* (yield* Transaction).run(calls.findForUpdate(key))).toEqual(Option.none())
        }
      })
    )

    it.effect("a call id that is taken is a duplicate", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const { callId } = yield* Samples.makeCall(account.id, agent)
        const again = Samples.newCall(account.id, agent, { callId })
        expect((yield* calls.insert(again).pipe(Effect.flip)).reason).toBe("duplicate")
      })
    )

    it.effect("agent, team and contact are shown as they are now", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const contacts = yield* ContactStore
        const { account, agent } = yield* makeCaller
        const team = yield* Samples.makeTeam("Before")
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo", email: "jo@example.com" })
        const shown = { id: contact.id, name: "Jo", email: "jo@example.com", company: null, lastCallDate: null }
        const call = yield* Samples.makeCall(account.id, agent, {
          team,
          contact: { ...shown, status: "new", stage: "lead" }
        })
        expect(call.contact).toEqual({ ...shown, status: "new", stage: "lead" })

        yield* (yield* TeamStore).rename(team.id, "After")
        yield* (yield* AgentStore).update({ ...agent, name: "Grace" })
        yield* contacts.update({ ...contact, firstName: null, lastName: "Doe", company: "Acme", stage: "won" })
        yield* contacts.touchLastCall(contact.id, Samples.later(3))
        const found = Option.getOrThrow(yield* calls.find(Samples.alone(account), { id: call.id }))
        expect(found.agent).toEqual({ id: agent.id, name: "Grace", assistantId: agent.assistantId })
        expect(found.team).toEqual({ id: team.id, name: "After" })
        expect(found.contact).toEqual({
          ...shown,
          name: "Doe",
          company: "Acme",
          status: "new",
          stage: "won",
          lastCallDate: Samples.later(3)
        })
      })
    )

    it.effect("a call outlives its contact and then shows none", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const contact = yield* Samples.makeContact(account.id)
        const shown = { id: contact.id, name: "", email: null, company: null, status: "new", stage: "lead" }
        const call = yield* Samples.makeCall(account.id, agent, { contact: { ...shown, lastCallDate: null } })
        yield* (yield* ContactStore).delete(Samples.alone(account), contact.id)
        expect(yield* calls.find(Samples.alone(account), { id: call.id })).toEqual(
          Option.some({ ...call, contact: null })
        )
      })
    )

    it.effect("own calls and those of the teams are in the scope, another tenant's never", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const other = yield* makeCaller
        const [team, elsewhere] = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
        const own = yield* Samples.makeCall(account.id, agent)
        const shared = yield* Samples.makeCall(other.account.id, other.agent, { team })
        const foreign = [
          yield* Samples.makeCall(other.account.id, other.agent),
          yield* Samples.makeCall(other.account.id, other.agent, { team: elsewhere })
        ]
        const scope = { accountId: account.id, teamIds: [team.id] }
        expect((yield* calls.list(scope, {}, page(1))).items).toEqual([shared, own])
        for (const { id, callId } of foreign) {
          expect(yield* calls.find(scope, { id })).toEqual(Option.none())
          expect(yield* calls.find(scope, { callId })).toEqual(Option.none())
        }
      })
    )

    it.effect("an update replaces everything but id, account, agent, contact and team", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const other = yield* makeCaller
        const team = yield* Samples.makeTeam()
        const call = yield* Samples.makeCall(account.id, agent)
        const next = {
          ...call,
          ...finished,
          submission: "accepted" as const,
          providerCallId: Samples.unique("provider"),
          reconcileAt: Samples.later(9),
          reconcileCount: 4,
          variables: { a: 1 },
          metadata: { b: [2] },
          updatedAt: Samples.later(8)
        }
        yield* calls.update({ ...next, accountId: other.account.id, agent: other.agent, team })
        expect(yield* calls.find(Samples.alone(account), { id: call.id })).toEqual(Option.some(next))
      })
    )

    it.effect("concurrent changes under findForUpdate lose nothing", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const transaction = yield* Transaction
        const { account, agent } = yield* makeCaller
        const { id } = yield* Samples.makeCall(account.id, agent)
        const count = transaction.run(
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* calls.findForUpdate({ id }))
            yield* Effect.yieldNow
            yield* calls.update({ ...found, reconcileCount: found.reconcileCount + 1 })
          })
        )
        yield* Effect.all(
          Array.from({ length: 12 }, () => count),
          { concurrency: "unbounded" }
        )
        const found = Option.getOrThrow(yield* calls.find(Samples.alone(account), { id }))
        expect(found.reconcileCount).toBe(12)
      })
    )

    it.effect("each filter narrows the list; the first instant is in it, the last is not", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const second = yield* Samples.makeAgent(account.id)
        const contact = yield* Samples.makeContact(account.id)
        const shown = { id: contact.id, name: "", email: null, company: null, status: "new", stage: "lead" }
        const a = yield* Samples.makeCall(account.id, agent, { createdAt: Samples.later(0) })
        const b = yield* Samples.makeCall(account.id, second, {
          createdAt: Samples.later(1),
          type: "inbound",
          contact: { ...shown, lastCallDate: null }
        })
        const c = yield* Samples.makeCall(account.id, agent, {
          createdAt: Samples.later(2),
          status: "busy",
          phoneNumber: PhoneNumber.make("+12025550222")
        })
        const ids = (filter: CallFilter) =>
          Effect.map(calls.list(Samples.alone(account), filter, page(1)), ({ items }) => items.map(({ id }) => id))

        expect(yield* ids({})).toEqual([c.id, b.id, a.id])
        expect(yield* ids({ status: "busy" })).toEqual([c.id])
        expect(yield* ids({ type: "inbound" })).toEqual([b.id])
        expect(yield* ids({ agentId: agent.id })).toEqual([c.id, a.id])
        expect(yield* ids({ contactId: contact.id })).toEqual([b.id])
        expect(yield* ids({ phoneNumber: PhoneNumber.make("+12025550222") })).toEqual([c.id])
        expect(yield* ids({ from: Samples.later(1) })).toEqual([c.id, b.id])
        expect(yield* ids({ until: Samples.later(1) })).toEqual([a.id])
        expect(yield* ids({ from: Samples.later(1), until: Samples.later(2) })).toEqual([b.id])
        expect(yield* ids({ agentId: agent.id, status: "queued", type: "inbound" })).toEqual([])
      })
    )

    it.effect("the pages of a list are the list, newest first, each call once", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const made = yield* Effect.forEach([0, 0, 5, 5, 5, 2, 9], (minutes) =>
          Samples.makeCall(account.id, agent, { createdAt: Samples.later(minutes) })
        )
        const newestFirst = made
          .toReversed()
          .toSorted((x, y) => y.createdAt.epochMilliseconds - x.createdAt.epochMilliseconds)
        const list = (request: { readonly page: number; readonly limit: number }) =>
          calls.list(Samples.alone(account), {}, request)
        for (const limit of [1, 2, 3, 100]) expect(yield* readAll(list, limit)).toEqual(newestFirst)
        expect(yield* list(page(9, 3))).toEqual({ items: [], count: 7, page: 9, limit: 3 })
      })
    )

    it.effect("a call runs until it has reached a terminal status, in its own account alone", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const other = yield* makeCaller
        for (const status of CallStatus.literals) yield* Samples.makeCall(account.id, agent, { status })
        expect(yield* calls.countRunning(account.id)).toBe(3)
        expect(yield* calls.countRunning(other.account.id)).toBe(0)
      })
    )

    it.effect("calls are due for reconciliation when their time has come, the longest due first", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* makeCaller
        const due = (minutes: number | null) =>
          Samples.makeCall(account.id, agent, { reconcileAt: minutes === null ? null : Samples.later(minutes) })
        const made = [yield* due(3), yield* due(1), yield* due(4), yield* due(null), yield* due(2)]
        const own = new Set(made.map((call) => call.id))
        const dueAt = (minutes: number, limit = 1_000) =>
          Effect.map(calls.dueForReconciliation(Samples.later(minutes), limit), (calls) =>
            calls.map(({ id }) => id).filter((id) => own.has(id))
          )
        expect(yield* dueAt(3)).toEqual([made[1]?.id, made[4]?.id, made[0]?.id])
        expect(yield* dueAt(0)).toEqual([])
        const all = yield* calls.dueForReconciliation(Samples.later(3), 1_000)
        const paged: Array<DueCall> = []
        for (let rest = true; rest;) {
          const page = yield* calls.dueForReconciliation(Samples.later(3), 2, paged.at(-1))
          expect(page.length).toBeLessThanOrEqual(2)
          paged.push(...page)
          rest = page.length > 0
        }
        expect(paged).toEqual(all)
      })
    )
  })
}

const makeCaller = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  return { account, agent: yield* Samples.makeAgent(account.id) }
})

const finished = {
  status: "completed" as const,
  startedAt: Samples.later(1),
  endedAt: Samples.later(2),
  summary: "They agreed.",
  transcript: "Zoë: hello\nAI: 👋 ".repeat(2_000),
  recordingUrl: "https://example.com/r?id=1&sig=%20",
  endedReason: "customer_ended",
  billing: {
    status: "charged" as const,
    initialCharge: Money.Money.make(100_001),
    finalCharge: Money.Money.make(-50_000),
    pricePerMinute: Money.Money.make(100_001)
  }
}
