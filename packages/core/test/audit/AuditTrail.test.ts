import { describe, expect, it } from "@effect/vitest"
import { ofAccount } from "@frontdesk/core/access/Principal"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import * as Principals from "@frontdesk/core/access/Principal"
import * as AgentAudit from "@frontdesk/core/agent/AgentAudit"
import * as Acting from "@frontdesk/core/audit/Acting"
import * as AuditTrail from "@frontdesk/core/audit/AuditTrail"
import * as FieldChanges from "@frontdesk/core/audit/FieldChanges"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"

const withStorage = Effect.provide(MemoryStorage.layer)

describe("AuditTrail", () => {
  it.effect("records a change with its actor, its request, its record and its fields (D-AUD-1)", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const account = yield* Samples.makeAccount()
      const agent = yield* Samples.makeAgent(account.id)
      const principal = { ...ofAccount(account), apiKeyId: ApiKeyId.make(7) }
      yield* audit
        .changed("agents.patch", AgentAudit.kind, agent, { ...agent, name: "Zoe" })
        .pipe(
          Effect.provideService(
            Acting.CurrentActing,
            Principals.actingOf(principal, { requestId: "request-9", clientAddress: "203.0.113.7" })
          )
        )
      expect(yield* allEntriesOf(account.id)).toMatchObject([
        {
          accountId: account.id,
          actor: { type: "api_key", id: "7" },
          requestId: "request-9",
          clientAddress: "203.0.113.7",
          operation: "agents.patch",
          entity: { type: "agent", id: String(agent.id) },
          changes: [{ field: "name", before: agent.name, after: "Zoe" }],
          unlistedChanges: 0
        }
      ])
    }).pipe(withStorage)
  )

  it.effect("records nothing for a change without a difference (D-AUD-5)", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const account = yield* Samples.makeAccount()
      const agent = yield* Samples.makeAgent(account.id)
      yield* audit.changed("agents.patch", AgentAudit.kind, agent, agent)
      yield* audit.changed("agents.patch", AgentAudit.kind, agent, { ...agent, totalCalls: agent.totalCalls + 1 })
      expect(yield* allEntriesOf(account.id)).toEqual([])
    }).pipe(withStorage)
  )

  it.effect("names the account of a caller who changes a record of another one, and not its key (D-AUD-3)", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const [owner, mate] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const request = { requestId: "request-1", clientAddress: "203.0.113.7" }
      const acting = Principals.actingOf({ ...ofAccount(mate), apiKeyId: ApiKeyId.make(7) }, request)
      yield* audit
        .record("contacts.delete", { accountId: owner.id, type: "contact", id: 1 })
        .pipe(Effect.provideService(Acting.CurrentActing, acting))
      expect(yield* allEntriesOf(owner.id)).toMatchObject([
        { actor: { type: "team_mate", id: String(mate.id) }, requestId: "request-1", clientAddress: null }
      ])
      expect(yield* allEntriesOf(mate.id)).toEqual([])
    }).pipe(withStorage)
  )

  it.effect(
    "has the address of a person in the log of the person's account, and no address of the operator (D-AUD-11)",
    () =>
      Effect.gen(function* () {
        const audit = yield* AuditTrail.make
        const account = yield* Samples.makeAccount()
        const request = { requestId: "request-1", clientAddress: "203.0.113.7" }
        const change = audit.record("funds.deposit", { accountId: account.id, type: "account", id: null })
        const asPerson = Acting.by("person", "3", account.id)
        yield* asPerson(change).pipe(
          Effect.updateService(Acting.CurrentActing, (acting) => ({ ...acting, ...request }))
        )
        yield* asPerson(Acting.asOperator(change)).pipe(
          Effect.updateService(Acting.CurrentActing, (acting) => ({ ...acting, ...request }))
        )
        expect((yield* allEntriesOf(account.id)).toReversed()).toMatchObject([
          { actor: { type: "person", id: "3" }, ...request },
          { actor: { type: "operator", id: "3" }, requestId: "request-1", clientAddress: null }
        ])
      }).pipe(withStorage)
  )

  it.effect(
    "names the program outside a request, and the actor that `by` states, with the same request (D-AUD-2)",
    () =>
      Effect.gen(function* () {
        const audit = yield* AuditTrail.make
        const account = yield* Samples.makeAccount()
        const change = audit.record(
          "funds.deposit",
          { accountId: account.id, type: "account", id: null },
          FieldChanges.facts({ amount: 1.5 })
        )
        const request = { requestId: "request-1", clientAddress: "203.0.113.7" }
        yield* change
        yield* change.pipe(
          Acting.by("worker", "x".repeat(300)),
          Effect.provideService(Acting.CurrentActing, Principals.actingOf(ofAccount(account), request))
        )
        const facts = { entity: { type: "account", id: null }, changes: [{ field: "amount", after: 1.5 }] }
        expect((yield* allEntriesOf(account.id)).toReversed()).toMatchObject([
          { actor: { type: "program", id: null }, ...Acting.noRequest, ...facts },
          { actor: { type: "worker", id: "x".repeat(200) }, ...request, ...facts }
        ])
      }).pipe(withStorage)
  )
})
