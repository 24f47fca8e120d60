import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { type Call, CallId } from "@frontdesk/core/call/Call"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { type CallFilter, CallStore } from "@frontdesk/core/call/CallStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `CallStore`. `callSnapshotSuite` verifies which agent, contact and team a call shows. */
export const callStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: CallStore`, (it) => {
    it.effect("a new call is found by its id, its call id and its provider call id, with every field as inserted", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const given = Samples.newCall(account.id, agent, {
          ...finished,
          providerCallId: Samples.unique("provider"),
          variables: { name: "Zoë", count: 3, vip: true, empty: "", ratio: -0.25 },
          metadata: { order: { id: 7, tags: ["a", null] } }
        })
        const call = yield* calls.insert(given)
        expect(call).toEqual({ ...given, id: call.id })
        for (const key of [{ id: call.id }, { callId: given.callId }, { providerCallId: given.providerCallId ?? "" }]) {
          expect(yield* calls.find(Samples.scopeOf(account), key)).toEqual(Option.some(call))
          expect(yield* (yield* Transaction).run(calls.findForUpdate(key))).toEqual(Option.some(call))
          expect(yield* calls.findAnywhere(key)).toEqual(Option.some(call))
        }
      })
    )

    it.effect("insert keeps null fields null, and find returns none for unknown ids", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const given = Samples.newCall(account.id, agent)
        const call = yield* calls.insert(given)
        expect(call).toEqual({ ...given, id: call.id })
        for (const key of [{ id: CallId.make(999_999_999_999) }, { callId: "none" }, { providerCallId: "none" }]) {
          expect(yield* calls.find(Samples.scopeOf(account), key)).toEqual(Option.none())
          expect(yield* (yield* Transaction).run(calls.findForUpdate(key))).toEqual(Option.none())
          expect(yield* calls.findAnywhere(key)).toEqual(Option.none())
        }
      })
    )

    it.effect("insert fails with duplicate when a call has the call id", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const { callId } = yield* Samples.makeCall(account.id, agent)
        const again = Samples.newCall(account.id, agent, { callId })
        expect((yield* calls.insert(again).pipe(Effect.flip)).reason).toBe("duplicate")
      })
    )

    it.effect("a scope contains the account's own calls and those of its teams, and no others", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const other = yield* Samples.makeCaller
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

    it.effect("update replaces every field of a call except id, account, agent, contact and team", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const other = yield* Samples.makeCaller
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
        expect(yield* calls.find(Samples.scopeOf(account), { id: call.id })).toEqual(Option.some(next))
      })
    )

    it.effect("concurrent transactions that read with findForUpdate lose no update", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const transaction = yield* Transaction
        const { account, agent } = yield* Samples.makeCaller
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
        const found = Option.getOrThrow(yield* calls.find(Samples.scopeOf(account), { id }))
        expect(found.reconcileCount).toBe(12)
      })
    )

    it.effect("each filter narrows the list, and the time range includes its first instant but not its last", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
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
          Effect.map(calls.list(Samples.scopeOf(account), filter, page(1)), ({ items }) => items.map(({ id }) => id))

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

    it.effect("the pages of a list contain every call once, newest first", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const made = yield* Effect.forEach([0, 0, 5, 5, 5, 2, 9], (minutes) =>
          Samples.makeCall(account.id, agent, { createdAt: Samples.later(minutes) })
        )
        const newestFirst = made
          .toReversed()
          .toSorted((x, y) => y.createdAt.epochMilliseconds - x.createdAt.epochMilliseconds)
        const list = (request: { readonly page: number; readonly limit: number }) =>
          calls.list(Samples.scopeOf(account), {}, request)
        for (const limit of [1, 2, 3, 100]) expect(yield* readAll(list, limit)).toEqual(newestFirst)
        expect(yield* list(page(9, 3))).toEqual({ items: [], count: 7, page: 9, limit: 3, truncated: [] })
      })
    )

    it.effect(
      "a page leaves out the large fields of its last rows above 2 MiB, and truncated has the ids of those rows",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const { account, agent } = yield* Samples.makeCaller
          const made = yield* Effect.forEach([3, 2, 1], (minutes) =>
            Samples.makeCall(account.id, agent, {
              createdAt: Samples.later(minutes),
              transcript: "€".repeat(300_000),
              summary: "x".repeat(100_000),
              variables: { name: "Jo" },
              metadata: { order: 7 }
            })
          )
          const { items, truncated } = yield* calls.list(Samples.scopeOf(account), {}, page(1))
          const [first, second, third] = made
          const bare = { transcript: null, summary: null, variables: {}, metadata: null }
          expect(items).toEqual([first, second, { ...third, ...bare }])
          expect(truncated).toEqual([third?.id])
          // In JSON this character takes 6 bytes.
          const control = yield* Samples.makeCall(account.id, agent, {
            createdAt: Samples.later(4),
            transcript: "\u0001".repeat(400_000)
          })
          expect((yield* calls.list(Samples.scopeOf(account), {}, page(1))).truncated).toContain(control.id)
        })
    )

    it.effect("countRunning counts the calls of one account that have no terminal status", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const other = yield* Samples.makeCaller
        for (const status of CallStatus.literals) yield* Samples.makeCall(account.id, agent, { status })
        // Queued, ringing and in progress.
        expect(yield* calls.countRunning(account.id)).toBe(3)
        expect(yield* calls.countRunning(other.account.id)).toBe(0)
      })
    )

    for (const work of ["reconcile", "reserve"] as const) {
      it.effect(`claim for ${work} returns the calls that are due, and returns them again after the lease`, () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const { account, agent } = yield* Samples.makeCaller
          const due = (minutes: number | null) => {
            const at = minutes === null ? null : Samples.later(minutes)
            const fields = work === "reconcile" ? { reconcileAt: at } : { reserveAt: at }
            return Samples.makeCall(account.id, agent, fields)
          }
          const made = [yield* due(3), yield* due(1), yield* due(4), yield* due(null), yield* due(2)]
          const own = new Set(made.map((call) => call.id))
          const claim = (minutes: number, lease: number, limit = 1_000) =>
            Effect.map(calls.claim(work, Samples.later(minutes), Samples.later(lease), limit), (ids) =>
              ids.filter((id) => own.has(id))
            )
          yield* calls.claim(work, Samples.justBefore(1), Samples.later(10), 1_000)
          expect(new Set(yield* claim(3, 10))).toEqual(new Set([made[1]?.id, made[4]?.id, made[0]?.id]))
          expect(yield* claim(9, 10)).toEqual([made[2]?.id])
          expect(yield* claim(9, 10)).toEqual([])
          expect(yield* claim(10, 11)).toHaveLength(4)
          // A long lease keeps these calls out of the claims of later tests.
          yield* calls.claim(work, Samples.later(11), Samples.later(99), 1_000)
        })
      )
    }

    it.effect("claim returns at most its limit, the longest due first, and does not lease the other kind of work", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        // Due before the calls of other tests, so that a claim with a limit returns these.
        const long = -10_000
        const made = yield* Effect.forEach([2, 0, 1], (minutes) =>
          Samples.makeCall(account.id, agent, {
            reconcileAt: Samples.later(long + minutes),
            reserveAt: Samples.later(long)
          })
        )
        const now = Samples.later(long + 5)
        const lease = Samples.later(long + 6)
        expect(new Set(yield* calls.claim("reconcile", now, lease, 2))).toEqual(new Set([made[1]?.id, made[2]?.id]))
        expect(yield* calls.claim("reconcile", now, lease, 2)).toEqual([made[0]?.id])
        expect(yield* calls.claim("reserve", now, Samples.later(99), 5)).toHaveLength(3)
        const [first] = made
        const stored = Option.getOrThrow(
          yield* calls.find(Samples.scopeOf(account), { id: first?.id ?? CallId.make(1) })
        )
        expect(stored).toEqual({ ...first, reconcileAt: lease, reserveAt: Samples.later(99) })
        yield* calls.claim("reconcile", lease, Samples.later(99), 5)
      })
    )

    it.effect("concurrent claims never return the same call", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const made = yield* Effect.forEach(Array.from({ length: 30 }), () =>
          Samples.makeCall(account.id, agent, { reconcileAt: Samples.later(1) })
        )
        const claims = yield* Effect.forEach(
          Array.from({ length: 12 }),
          () => calls.claim("reconcile", Samples.later(1), Samples.later(99), 4),
          { concurrency: "unbounded" }
        )
        const own = new Set(made.map(({ id }) => id))
        const claimed = claims.flat().filter((id) => own.has(id))
        expect(new Set(claimed).size).toBe(claimed.length)
        expect(claimed.length).toBe(30)
      })
    )

    it.effect(
      "sweep deletes calls that ended before a time, oldest first, except those that still wait for reconciliation",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const accounts = yield* AccountStore
          const agents = yield* AgentStore
          const { account, agent } = yield* Samples.makeCaller
          yield* accounts.changeFunds(
            account.id,
            { deposits: Money.Money.make(500), charges: Money.Money.make(200) },
            Samples.cause
          )
          // Before the calls of other tests, so that the sweep deletes only these.
          const long = -20_000
          const ended = (minutes: number, fields: Partial<Omit<Call, "id">> = {}) =>
            Samples.makeCall(account.id, agent, { ...finished, endedAt: Samples.later(long + minutes), ...fields })
          const [late, first, second] = [yield* ended(9), yield* ended(1), yield* ended(2)]
          const third = yield* ended(3)
          const unreconciled = yield* ended(1, { reconcileAt: Samples.later(99) })
          const running = yield* Samples.makeCall(account.id, agent)
          const [funds, counted] = [
            yield* accounts.funds(account.id),
            yield* agents.find({ accountIds: [account.id], teamIds: [] }, { id: agent.id })
          ]
          const sweep = (rows: number, bytes = 10_000_000) => calls.sweep(Samples.later(long + 9), { rows, bytes })
          const left = Effect.map(calls.list(Samples.scopeOf(account), {}, page(1)), ({ count, items }) => {
            expect(count).toBe(items.length)
            return new Set(items.map(({ id }) => id))
          })
          expect(yield* sweep(1)).toBe(1)
          expect(yield* left).toEqual(new Set([late.id, second.id, third.id, unreconciled.id, running.id]))
          expect(yield* sweep(10, 1)).toBe(1)
          expect(yield* sweep(10)).toBe(1)
          expect(yield* sweep(10)).toBe(0)
          expect(yield* left).toEqual(new Set([late.id, unreconciled.id, running.id]))
          expect(first.id).not.toBe(second.id)
          // The funds of the account and the counters of the agent must not change with the deleted calls.
          expect(yield* accounts.funds(account.id)).toEqual(funds)
          expect(yield* agents.find({ accountIds: [account.id], teamIds: [] }, { id: agent.id })).toEqual(counted)
          yield* calls.update({ ...unreconciled, reconcileAt: null })
          expect(yield* sweep(10)).toBe(1)
        })
    )

    it.effect(
      "sweepTranscripts clears transcript, summary and recording of old calls, within its limits of rows and bytes",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const { account, agent } = yield* Samples.makeCaller
          // Before the calls of other tests, so that the sweep changes only these.
          const long = -30_000
          const spoken = (fields: Partial<Omit<Call, "id">> = {}) =>
            Samples.makeCall(account.id, agent, { ...finished, endedAt: Samples.later(long), ...fields })
          const transcript = Samples.incompressibleText(4_000)
          const made = yield* Effect.forEach([1, 2, 3, 4], () => spoken({ transcript }))
          const summaryOnly = yield* spoken({ transcript: null, recordingUrl: null })
          const young = yield* spoken({ endedAt: Samples.later(long + 1) })
          const sweep = (rows: number, bytes: number) =>
            calls.sweepTranscripts(Samples.later(long + 1), { rows, bytes })
          expect(yield* sweep(10, 9_000)).toBe(2)
          expect(yield* sweep(1, 9_000)).toBe(1)
          expect(yield* sweep(10, 9_000)).toBe(2)
          expect(yield* sweep(10, 9_000)).toBe(0)
          const find = (id: Call["id"]) => Effect.map(calls.find(Samples.scopeOf(account), { id }), Option.getOrThrow)
          for (const call of [...made, summaryOnly]) {
            expect(yield* find(call.id)).toEqual({ ...call, transcript: null, summary: null, recordingUrl: null })
          }
          expect(yield* find(young.id)).toEqual(young)
          yield* calls.sweep(Samples.later(long + 3), Samples.rowLimit(100))
        })
    )
  })
}

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
