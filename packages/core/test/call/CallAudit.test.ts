import { describe, expect, it } from "@effect/vitest"
import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { InboundCalls } from "@frontdesk/core/call/InboundCalls"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { CallReportWorker } from "@frontdesk/core/worker/CallReportWorker"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, report, services as calls } from "./caller.ts"

const services = Layer.mergeAll(ReservationWorker.layer, InboundCalls.layer).pipe(Layer.provideMerge(calls))

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1_000)

const answered: ProviderReport = { _tag: "Answered", at: at(30) }

const ended: ProviderReport = {
  _tag: "Ended",
  status: "completed",
  answeredAt: at(30),
  endedAt: at(91),
  reason: "customer-ended-call"
}

/** Returns who has done what, oldest first. */
const steps = (entries: ReadonlyArray<AuditEntry>) =>
  entries.toReversed().map(({ actor, operation }) => `${actor.type} ${actor.id ?? ""} ${operation}`)

describe("the audit log of calls (D-AUD-6)", () => {
  it.effect("has the start and the end with its price, and no step between them", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 1, deposit: 10 })
      const fake = yield* FakeCallProvider
      yield* Effect.forkScoped((yield* CallReportWorker).run)
      const { call } = yield* caller.start()
      for (const one of [{ _tag: "Ringing" } as const, answered, ended, ended]) {
        yield* TestClock.adjust("31 seconds")
        yield* fake.report({ providerCallId: providerCallId(call.callId), ref: null, report: one })
      }
      yield* TestClock.adjust("1 second")
      const entries = yield* allEntriesOf(caller.account.id)
      expect(steps(entries)).toEqual(["program  calls.start", "provider fake calls.end"])
      expect(entries[0]).toMatchObject({
        entity: { type: "call", id: call.callId },
        changes: [
          { field: "status", before: "in_progress", after: "completed" },
          { field: "ended_at", before: null, after: "1970-01-01T00:01:31.000Z" },
          {
            field: "billing",
            before: { status: "pending", total_charge: 1 },
            after: { status: "charged", total_charge: 2 }
          },
          { field: "ended_reason", before: null, after: "customer-ended-call" }
        ]
      })
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect("names the worker that gives a call up, and has no hang-up by a worker", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 1, deposit: 1 })
      const fake = yield* FakeCallProvider
      yield* Effect.forkScoped((yield* ReservationWorker).run)
      const { call } = yield* caller.start()
      yield* report(call, { ...answered, at: at(0) })
      yield* TestClock.adjust("57 seconds")
      expect(yield* fake.hungUp).toEqual([call.callId])
      yield* fake.fetchWith(() => ({ _tag: "NotFound" }))
      yield* Effect.forkScoped((yield* CallReconciliationWorker).run)
      yield* TestClock.adjust("80 minutes")
      expect(steps(yield* allEntriesOf(caller.account.id))).toEqual([
        "program  calls.start",
        "worker call-reconciler calls.end"
      ])
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect("has an inbound call and the contact that it creates, without the number", () =>
    Effect.gen(function* () {
      const dialled = PhoneNumber.make("+12025550100")
      const from = PhoneNumber.make("+12025550111")
      const { account } = yield* makeCaller({ deposit: 1, agent: { role: "inbound agent", phoneNumber: dialled } })
      yield* (yield* AccountStore).update({ ...account, settings: { ...account.settings, inboundContacts: "create" } })
      const inbound = { from, to: dialled }
      for (let count = 0; count < 2; count++) {
        yield* (yield* Calls).applyReport({ providerCallId: "p-1", ref: null, inbound, report: { _tag: "Ringing" } })
      }
      const entries = yield* allEntriesOf(account.id)
      expect(entries.map(({ operation }) => operation)).toEqual(["calls.receive", "contacts.create"])
      expect(JSON.stringify(entries)).not.toContain(from)
      expect(entries[0]?.changes).toContainEqual({ field: "phone_number" })
      expect(entries[1]?.changes).toContainEqual({ field: "phone_numbers" })
    }).pipe(Effect.provide(Layer.fresh(services)))
  )
})
