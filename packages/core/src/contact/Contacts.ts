import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as ContactAudit from "./ContactAudit.ts"
import { NotOwner, type TeamAccessDenied, type TeamNotFound } from "../access/AccessError.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows, scope } from "../access/Scope.ts"
import type { AccountId } from "../access/Account.ts"
import type { TeamRef } from "../access/TeamRef.ts"
import { patchTeam, replaceTeam, requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { byName, type ContextVariable } from "../variable/ContextVariable.ts"
import { ContextVariableStore } from "../variable/ContextVariableStore.ts"
import { type Contact, type ContactContext, ContactId, ContactNumberId } from "./Contact.ts"
import { ContactNotFound, ContactNumberNotFound } from "./ContactError.ts"
import { CreateContact, PatchContact, PutContact, ContactQuery } from "./ContactInput.ts"
import * as ContactMerge from "./ContactMerge.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { ContactStore, type ContactWrite } from "./ContactStore.ts"
import * as DoNotCallAudit from "./DoNotCallAudit.ts"
import { DoNotCallStore } from "./DoNotCallStore.ts"

type TeamError = TeamNotFound | TeamAccessDenied

type UpdateError = ContactNotFound | ValidationError | TeamError | NotOwner | StorageError

/** The part of an input that may allow a number to be called again. */
type NumbersInput = Pick<PutContact, "phoneNumbers"> | Pick<PatchContact, "phoneNumbers">

const inputs: Input.Inputs<Contacts["Service"]> = {
  create: [{ input: CreateContact }],
  get: [{ id: ContactId }],
  list: [{ filter: ContactQuery }, { page: Page.PageRequest }],
  put: [{ id: ContactId }, { input: PutContact }],
  patch: [{ id: ContactId }, { patch: PatchContact }],
  deletePhoneNumber: [{ id: ContactId }, { phoneNumberId: ContactNumberId }],
  delete: [{ id: ContactId }]
}

/**
 * The contacts of the caller: those of its account and of its teams (C-1-1, D-TEAM-1).
 *
 * For a contact that the caller may not see, every method fails with `ContactNotFound`. The allowed statuses and stages
 * are those of the caller's account. A value of `customContext` must fit the contact variable of the same name, if the
 * contact's owner has one that the caller may see. It is then stored in its canonical form.
 *
 * Every account of a contact's team may change the contact. Only its owner may change its team, delete it, and remove
 * its numbers from the do-not-call list. For any other caller these fail with `NotOwner` (D-TEAM-7).
 */
export class Contacts extends Context.Service<
  Contacts,
  {
    /** Adds a contact to the caller's account, and returns it. Absent fields get their defaults. */
    readonly create: (
      input: CreateContact
    ) => Effect.Effect<Contact, ValidationError | TeamError | LimitReached | StorageError, Principal>
    /** Returns one contact. */
    readonly get: (id: ContactId) => Effect.Effect<Contact, ContactNotFound | ValidationError | StorageError, Principal>
    /** Returns a page of contacts, from the newest. */
    readonly list: (
      filter: ContactQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<Contact>, ValidationError | StorageError, Principal>
    /** Replaces the contact, and returns it. Its phone numbers are all new and have new ids (C-4.3-1 and C-4.3-3). */
    readonly put: (id: ContactId, input: PutContact) => Effect.Effect<Contact, UpdateError, Principal>
    /**
     * Changes the given fields, and returns the contact (C-4.3-2 and C-4.3-4). Without a difference `updatedAt` stays.
     * Two concurrent changes of different keys of a context are both stored.
     */
    readonly patch: (id: ContactId, patch: PatchContact) => Effect.Effect<Contact, UpdateError, Principal>
    /**
     * Removes a phone number from the contact, and returns the contact (D-CON-15). When it was the primary one, the first of the
     * others becomes primary. A number on the do-not-call list stays there, and fails with `NotOwner` for a team mate
     * (D-DNC-7).
     */
    readonly deletePhoneNumber: (
      id: ContactId,
      phoneNumberId: ContactNumberId
    ) => Effect.Effect<
      Contact,
      ContactNotFound | ContactNumberNotFound | NotOwner | ValidationError | StorageError,
      Principal
    >
    /** Deletes the contact and its numbers. Its calls and calendar events stay, without a contact. */
    readonly delete: (
      id: ContactId
    ) => Effect.Effect<void, ContactNotFound | NotOwner | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/contact/Contacts") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    Contacts,
    never,
    AuditStore | ContactStore | ContextVariableStore | DoNotCallStore | TeamStore | Transaction
  > = Layer.effect(
    Contacts,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const limits = yield* AccountLimits
      const contacts = yield* ContactStore
      const doNotCall = yield* DoNotCallStore
      const recordDoNotCall = yield* DoNotCallAudit.make
      const variables = yield* ContextVariableStore
      const teams = yield* TeamStore
      const transaction = yield* Transaction

      /** Returns the contact that a query returns, and fails with `ContactNotFound` when it returns none. */
      const found = Effect.fnUntraced(function* (
        contact: Effect.Effect<Option.Option<Contact>, StorageError>,
        id: ContactId
      ) {
        return yield* Option.match(yield* contact, {
          onNone: () => Effect.fail(new ContactNotFound({ contactId: id })),
          onSome: Effect.succeed
        })
      })

      /**
       * Returns the owner's definitions of the names in a context, without the default ones and without those that the
       * caller may not see. A value of a team mate is not checked against hidden definitions, because the error would
       * reveal them (D-CON-9).
       */
      const definitionsFor = Effect.fnUntraced(function* (
        ownerId: AccountId,
        context: ContactContext | null | undefined
      ) {
        const names = Object.keys(context ?? {})
        if (names.length === 0) return new Map<string, ContextVariable>()
        const { account } = yield* Principal
        const defined = yield* variables.listNamed(ownRows(ownerId), "contact", names)
        const isVisible = ({ teamId }: ContextVariable): boolean =>
          account.id === ownerId || (teamId !== null && account.teamIds.includes(teamId))
        return byName(
          defined.filter((variable) => !variable.isDefault && isVisible(variable)),
          ownerId
        )
      })

      /**
       * Returns the contact that a rule makes with the team that the input names. It fails with an invalid field first,
       * and with a failure of the team only when all fields are valid (D-CON-14).
       *
       * @param named finds the team that the input names
       * @param unnamed the team with which the rule runs when `named` fails
       */
      const merge = Effect.fnUntraced(function* <A, E>(
        named: Effect.Effect<TeamRef | null, E, Principal | TeamStore>,
        unnamed: TeamRef | null,
        ownerId: AccountId,
        input: Pick<PutContact, "customContext">,
        rule: (context: ContactMerge.MergeContext) => Result.Result<A, ValidationError>
      ) {
        const { account } = yield* Principal
        const foundTeam = yield* Effect.result(Effect.provideService(named, TeamStore, teams))
        const team = Result.getOrElse(foundTeam, () => unnamed)
        const now = yield* DateTime.now
        const definitions = yield* definitionsFor(ownerId, input.customContext)
        const merged = yield* Effect.fromResult(rule({ now, definitions, settings: account.settings, team }))
        yield* Effect.fromResult(foundTeam)
        return merged
      })

      /** Removes numbers from the do-not-call list of the caller's account, and records it. */
      const lift = (owner: AccountId, numbers: ReadonlyArray<PhoneNumber>) =>
        Effect.flatMap(doNotCall.remove(owner, numbers), (removed) =>
          recordDoNotCall("doNotCall.remove", owner, removed)
        )

      /**
       * Stores the contact. When the owner sends an explicit `do_not_call: false`, it removes the number from the owner's
       * do-not-call list (D-DNC-3).
       *
       * Fails with `NotOwner` when a team mate sends `do_not_call: false` for a number on the list. Fails also when a
       * team mate removes a listed number from the contact. Without the contact, the list would not keep the team from
       * calling the number (D-DNC-7).
       */
      const update = Effect.fnUntraced(function* (
        operation: "contacts.put" | "contacts.patch" | "contacts.deletePhoneNumber",
        current: Contact,
        contact: ContactWrite,
        input: NumbersInput
      ) {
        const { account } = yield* Principal
        const allowed = allowedNumbers(input)
        const isOwner = contact.accountId === account.id
        if (!isOwner && removesListedNumber(current, contact))
          return yield* new NotOwner({ action: "lift_do_not_call" })
        if (isOwner) yield* lift(account.id, allowed)
        const updated = yield* contacts.update(contact)
        if (updated.phoneNumbers.some((number) => number.doNotCall && allowed.includes(number.phoneNumber))) {
          return yield* new NotOwner({ action: "lift_do_not_call" })
        }
        yield* audit.changed(operation, ContactAudit.kind, current, updated)
        return updated
      })

      return Input.service(Contacts, inputs, {
        create: Tracing.operation("Contacts.create")(function* (input) {
          const { account } = yield* Principal
          const team = input.teamId ? requireTeam(input.teamId) : Effect.succeed(null)
          const made = yield* merge(team, null, account.id, input, (context) =>
            ContactMerge.create(input, account.id, context)
          )
          yield* requireCapacity(limits, "contacts", contacts.list(ownRows(account.id), {}, Page.onlyCount))
          yield* lift(account.id, allowedNumbers(input))
          const created = yield* contacts.insert(made)
          yield* audit.created("contacts.create", ContactAudit.kind, created)
          return created
        }, transaction.run),
        get: Tracing.operation("Contacts.get")(function* (id) {
          return yield* found(contacts.find(scope(yield* Principal), id), id)
        }),
        list: Tracing.operation("Contacts.list")(function* (filter, page) {
          return yield* contacts.list(scope(yield* Principal), filter, page)
        }),
        put: Tracing.operation("Contacts.put")(function* (id, input) {
          const current = yield* found(contacts.findForUpdate(scope(yield* Principal), id), id)
          const team = replaceTeam(current, input.teamId)
          const merged = yield* merge(team, null, current.accountId, input, (context) =>
            ContactMerge.put(input, current, context)
          )
          return yield* update("contacts.put", current, merged, input)
        }, transaction.run),
        patch: Tracing.operation("Contacts.patch")(function* (id, patch) {
          const current = yield* found(contacts.findForUpdate(scope(yield* Principal), id), id)
          const team = patchTeam(current, patch.teamId)
          const merged = yield* merge(team, current.team, current.accountId, patch, (context) =>
            ContactMerge.patch(current, patch, context)
          )
          return merged === current ? current : yield* update("contacts.patch", current, merged, patch)
        }, transaction.run),
        deletePhoneNumber: Tracing.operation("Contacts.deletePhoneNumber")(function* (id, phoneNumberId) {
          const current = yield* found(contacts.findForUpdate(scope(yield* Principal), id), id)
          const phoneNumbers = PhoneNumbers.without(current.phoneNumbers, phoneNumberId)
          if (phoneNumbers === null) return yield* new ContactNumberNotFound({ phoneNumberId })
          const without = { ...current, phoneNumbers, updatedAt: yield* DateTime.now }
          return yield* update("contacts.deletePhoneNumber", current, without, {})
        }, transaction.run),
        delete: Tracing.operation("Contacts.delete")(function* (id) {
          const principal = yield* Principal
          const accountId = principal.account.id
          if (yield* contacts.delete(ownRows(accountId), id)) {
            return yield* audit.record("contacts.delete", { accountId, type: "contact", id })
          }
          yield* found(contacts.find(scope(principal), id), id)
          return yield* new NotOwner({ action: "delete" })
        }, transaction.run)
      })
    })
  )
}

/** Returns the numbers that the input allows to call: those with an explicit `do_not_call: false`. */
const allowedNumbers = (input: NumbersInput): ReadonlyArray<PhoneNumber> =>
  (input.phoneNumbers ?? []).flatMap(({ doNotCall, phoneNumber }) => (doNotCall === false ? [phoneNumber] : []))

/** Returns whether a change removes a number from the contact that is on a do-not-call list. */
const removesListedNumber = (before: Contact, after: ContactWrite): boolean => {
  const remaining = new Set(after.phoneNumbers.map(({ phoneNumber }) => phoneNumber))
  return before.phoneNumbers.some(({ doNotCall, phoneNumber }) => doNotCall && !remaining.has(phoneNumber))
}
