import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type * as Redacted from "effect/Redacted"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as AgentAudit from "../agent/AgentAudit.ts"
import { Accounts } from "../account/Accounts.ts"
import { AccountId } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { ApiKeyId } from "../access/ApiKey.ts"
import { ApiKeys } from "../access/ApiKeys.ts"
import * as Permission from "../access/Permission.ts"
import { Principal } from "../access/Principal.ts"
import { TeamId } from "../access/Team.ts"
import { TeamStore } from "../access/TeamStore.ts"
import { AgentId } from "../agent/Agent.ts"
import type { PutAgent } from "../agent/AgentInput.ts"
import * as AgentMerge from "../agent/AgentMerge.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import { ContactId } from "../contact/Contact.ts"
import type { ContactNumberId } from "../contact/Contact.ts"
import { Contacts } from "../contact/Contacts.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { formatPath } from "../values/FieldProblems.ts"
import * as ProvisioningCheck from "./ProvisioningCheck.ts"
import {
  type ProvisionedAccount,
  type ProvisionedAgent,
  type ProvisionedContact,
  type ProvisionedKey,
  ProvisioningDocument,
  settingsOf
} from "./ProvisioningDocument.ts"
import { ProvisioningError, refuseContact, refuseDuplicate, refuseKey } from "./ProvisioningError.ts"
import { ProvisioningStore } from "./ProvisioningStore.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { ProvisionedRef } from "./ProvisioningStore.ts"

/** The API key that a document created, now or at an earlier run. */
export interface ProvisionedKeyId {
  readonly id: ApiKeyId
  /** The value of the key. Absent when an earlier run created the key and the document does not give its value. */
  readonly key?: Redacted.Redacted<string>
}

/** The ids of a contact and of its phone numbers. */
export interface ProvisionedContactId {
  readonly id: ContactId
  readonly phoneNumbers: ReadonlyArray<ContactNumberId>
}

/** The ids of everything that a document names, by its refs. */
export interface Provisioned {
  readonly teams: Readonly<Record<string, TeamId>>
  readonly accounts: Readonly<Record<string, AccountId>>
  readonly apiKeys: Readonly<Record<string, ProvisionedKeyId>>
  readonly agents: Readonly<Record<string, AgentId>>
  readonly contacts: Readonly<Record<string, ProvisionedContactId>>
}

const inputs: Input.Inputs<Provisioning["Service"]> = { apply: [{ document: ProvisioningDocument }] }

/**
 * Applies provisioning documents: documents that create teams, accounts, API keys, agents and contacts.
 *
 * Every row of a document has a ref. A later document with the same ref finds the same record, so applying the same
 * document again changes nothing. Teams, accounts and agents are updated to the document. An account keeps the settings
 * that the document does not give. An archived agent is restored, and a deleted one is created again (D-AGENT-8). Keys and
 * contacts are only created, because later their owners change them. The balance is deposited only when the account is
 * created (D-SETUP-1).
 */
export class Provisioning extends Context.Service<
  Provisioning,
  {
    /**
     * Applies a document in one transaction and returns the ids by ref. Fails with `ProvisioningError` when the document
     * contradicts itself or the stored records; nothing is changed then.
     */
    readonly apply: (
      document: ProvisioningDocument
    ) => Effect.Effect<Provisioned, ProvisioningError | ValidationError | StorageError>
  }
>()("@frontdesk/core/provisioning/Provisioning") {
  /** The service over the services and stores of the records that it creates. */
  static readonly layer = Layer.effect(
    Provisioning,
    Effect.gen(function* () {
      const refs = yield* ProvisioningStore
      const teams = yield* TeamStore
      const accounts = yield* Accounts
      const accountStore = yield* AccountStore
      const apiKeys = yield* ApiKeys
      const agents = yield* AgentStore
      const audit = yield* AuditTrail.make
      const contacts = yield* Contacts
      const transaction = yield* Transaction

      /**
       * Returns the id of a ref. It updates the record of an earlier run. Without one, or when `update` returns false
       * because the record was deleted, it creates the record and stores its id.
       */
      const ensure = Effect.fnUntraced(function* <Id extends number, A extends { readonly id: Id }, E, R, E2, R2>(
        ref: ProvisionedRef,
        steps: {
          readonly id: (stored: number) => Id
          readonly create: Effect.Effect<A, E, R>
          readonly update: (id: Id) => Effect.Effect<boolean, E2, R2>
        }
      ) {
        const known = Option.map(yield* refs.find(ref), steps.id)
        if (Option.isSome(known) && (yield* steps.update(known.value))) return { id: known.value, created: null }
        const created = yield* steps.create
        yield* Option.isSome(known) ? refs.replace(ref, created.id) : refs.insert(ref, created.id)
        return { id: created.id, created }
      })

      const applyTeam = ({ ref, name }: { readonly ref: string; readonly name: string }) =>
        ensure(
          { kind: "team", accountRef: "", ref },
          {
            id: (id) => TeamId.make(id),
            create: teams.insert(name),
            update: (id) => Effect.as(teams.rename(id, name), true)
          }
        )

      const applyAccount = Effect.fnUntraced(
        function* (given: ProvisionedAccount, teamIds: ReadonlyArray<TeamId>, partnerId: AccountId | null) {
          const { name, role = "standard" } = given
          const wanted = { name, role, partnerId, teamIds }
          const { created, id } = yield* ensure(
            { kind: "account", accountRef: "", ref: given.ref },
            {
              id: (id) => AccountId.make(id),
              create: accounts.create({ ...wanted, settings: settingsOf(given) }),
              // The lock keeps a change that the account makes to itself at the same time.
              update: (id) =>
                Effect.flatMap(
                  accountStore.findForUpdate(id),
                  Option.match({
                    onNone: () => Effect.void,
                    onSome: (before) =>
                      accounts.update({ ...before, ...wanted, settings: settingsOf(given, before.settings) })
                  })
                ).pipe(Effect.as(true))
            }
          )
          if (created !== null && given.balance !== undefined) yield* accounts.deposit(id, given.balance)
          return id
        },
        Effect.catchTag(["AccountNotFound", "TeamNotFound"], (error) => Effect.die(error))
      )

      const applyKey = Effect.fnUntraced(function* (given: ProvisionedKey, at: Place) {
        const permissions = given.permissions.filter((name) => name !== "*")
        const { created, id } = yield* ensure(
          { kind: "api_key", accountRef: at.accountRef, ref: given.ref },
          {
            id: (id) => ApiKeyId.make(id),
            create: Effect.map(
              apiKeys.create({
                accountId: at.accountId,
                name: given.name ?? given.ref,
                permissions: permissions.length === given.permissions.length ? permissions : Permission.all,
                expiresAt: given.expiresAt ?? undefined,
                value: given.key
              }),
              (issued) => ({ id: issued.apiKey.id, value: issued.value })
            ),
            update: () => Effect.succeed(true)
          }
        ).pipe(
          Effect.catchTag("AccountNotFound", (error) => Effect.die(error)),
          refuseKey(at.field)
        )
        const key = given.key ?? created?.value
        return { id, ...(key === undefined ? {} : { key }) }
      })

      const applyAgent = Effect.fnUntraced(function* (given: ProvisionedAgent, teamId: TeamId | null, at: Place) {
        const wanted: PutAgent = { ...given, role: given.role ?? "outbound agent", teamId }
        const { id } = yield* ensure(
          { kind: "agent", accountRef: at.accountRef, ref: given.ref },
          {
            id: (id) => AgentId.make(id),
            create: Effect.flatMap(DateTime.now, (now) =>
              Effect.tap(agents.insert(AgentMerge.create(wanted, at.accountId, now)), (created) =>
                audit.created("agents.create", AgentAudit.kind, created)
              )
            ),
            update: (id) =>
              Effect.gen(function* () {
                const find = agents.find({ accountIds: [at.accountId], teamIds: [] }, { id })
                const before = yield* find
                if (Option.isNone(before)) return false
                // An archived agent is restored (D-AGENT-8).
                const { allowedTools = before.value.allowedTools } = given
                const after = { ...AgentMerge.put(before.value, { ...wanted, allowedTools }), archivedAt: null }
                yield* agents.update(after)
                // It may have been deleted since it was read. `findForUpdate` would prevent that, but could deadlock: a call
                // that is being started locks the agent before the account, which this transaction has locked.
                if (Option.isNone(yield* find)) return false
                yield* audit.changed("agents.put", AgentAudit.kind, before.value, after)
                return true
              })
          }
        ).pipe(refuseDuplicate(`${at.field}.assistant_id`, "Another agent has this assistant id"))
        return id
      })

      const applyContact = Effect.fnUntraced(function* (given: ProvisionedContact, at: Place) {
        const { created, id } = yield* ensure(
          { kind: "contact", accountRef: at.accountRef, ref: given.ref },
          { id: (id) => ContactId.make(id), create: contacts.create(given), update: () => Effect.succeed(true) }
        ).pipe(refuseContact(at.field))
        const contact =
          created ?? (yield* Effect.catchTag(contacts.get(id), "ContactNotFound", () => Effect.succeed(null)))
        return { id, phoneNumbers: contact?.phoneNumbers.map((number) => number.id) ?? [] }
      })

      const apply = Tracing.operation("Provisioning.apply")(function* (document: ProvisioningDocument) {
        const problems = ProvisioningCheck.check(document)
        if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new ProvisioningError({ problems })
        yield* refs.lock

        // Maps, because a ref may be `constructor`, which every object inherits.
        const teamIds = new Map<string, TeamId>()
        for (const team of document.teams ?? []) teamIds.set(team.ref, (yield* applyTeam(team)).id)

        const given = document.accounts ?? []
        const accountIds = new Map<string, AccountId>()
        // Clients come last, because a client's partner must have its id before.
        for (const account of Arr.sort(given, clientsLast)) {
          const members = (account.teams ?? []).flatMap((ref) => teamIds.get(ref) ?? [])
          const partnerId = accountIds.get(account.partner ?? "") ?? null
          accountIds.set(account.ref, yield* applyAccount(account, members, partnerId))
        }

        const rows = {
          apiKeys: new Map<string, ProvisionedKeyId>(),
          agents: new Map<string, AgentId>(),
          contacts: new Map<string, ProvisionedContactId>()
        }
        for (const [index, account] of given.entries()) {
          const accountId = accountIds.get(account.ref)
          if (accountId === undefined) continue
          const place = (list: string, position: number): Place => ({
            accountId,
            accountRef: account.ref,
            field: formatPath(["accounts", index, list, position])
          })
          const principal = yield* Effect.orDie(accounts.principal(accountId))
          for (const [position, key] of (account.apiKeys ?? []).entries()) {
            rows.apiKeys.set(key.ref, yield* applyKey(key, place("api_keys", position)))
          }
          for (const [position, agent] of (account.agents ?? []).entries()) {
            rows.agents.set(
              agent.ref,
              yield* applyAgent(agent, teamIds.get(agent.team ?? "") ?? null, place("agents", position))
            )
          }
          for (const [position, contact] of (account.contacts ?? []).entries()) {
            const applied = applyContact(contact, place("contacts", position))
            rows.contacts.set(contact.ref, yield* Effect.provideService(applied, Principal, principal))
          }
        }
        return {
          teams: Object.fromEntries(teamIds),
          accounts: Object.fromEntries(accountIds),
          apiKeys: Object.fromEntries(rows.apiKeys),
          agents: Object.fromEntries(rows.agents),
          contacts: Object.fromEntries(rows.contacts)
        }
      }, transaction.run)

      return Input.service(Provisioning, inputs, { apply })
    })
  )
}

/** The place of a row in the document. */
interface Place {
  readonly accountId: AccountId
  readonly accountRef: string
  /** The path of the row, for messages: `accounts[0].agents[1]`. */
  readonly field: string
}

const clientsLast = Order.mapInput(Order.Boolean, (account: ProvisionedAccount) => account.role === "client")
