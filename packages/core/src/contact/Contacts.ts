import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { TeamAccessDenied, TeamNotFound } from "../access/AccessError.ts"
import { Principal, scope } from "../access/Principal.ts"
import type { TeamId, TeamRef } from "../access/Team.ts"
import { requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { Contact, ContactId } from "./Contact.ts"
import { ContactNotFound } from "./ContactError.ts"
import type { ContactCreate, ContactPatch, ContactPut } from "./ContactInput.ts"
import * as ContactMerge from "./ContactMerge.ts"
import { type ContactFilter, ContactStore } from "./ContactStore.ts"

type TeamError = TeamNotFound | TeamAccessDenied

/**
 * The contacts of the caller: those of its account and of its teams (Contract 2.3 and 4.3, Decisions 5).
 *
 * A contact that the caller cannot see is not found. The lists of statuses and stages are those of the caller's
 * account.
 */
export class Contacts extends Context.Service<
  Contacts,
  {
    /** Adds a contact to the caller's account; what is absent gets its default. */
    readonly create: (
      input: ContactCreate
    ) => Effect.Effect<Contact, ValidationError | TeamError | StorageError, Principal>
    /** One contact. */
    readonly get: (id: ContactId) => Effect.Effect<Contact, ContactNotFound | StorageError, Principal>
    /** A page of contacts, newest first. */
    readonly list: (filter: ContactFilter, page: PageRequest) => Effect.Effect<Page<Contact>, StorageError, Principal>
    /** Replaces the contact; its numbers are deleted and made anew (Contract 4.3 rules 1 and 3). */
    readonly put: (
      id: ContactId,
      input: ContactPut
    ) => Effect.Effect<Contact, ContactNotFound | ValidationError | TeamError | StorageError, Principal>
    /**
     * Changes what is supplied (Contract 4.3 rules 2 and 4). One that changes nothing leaves `updatedAt` as it was;
     * two at once lose no key.
     */
    readonly patch: (
      id: ContactId,
      patch: ContactPatch
    ) => Effect.Effect<Contact, ContactNotFound | ValidationError | TeamError | StorageError, Principal>
    /** Deletes the contact and its numbers; its calls stay, without a contact. */
    readonly delete: (id: ContactId) => Effect.Effect<void, ContactNotFound | StorageError, Principal>
  }
>()("@frontdesk/core/contact/Contacts") {
  /** The service over the stores of one storage. */
  static readonly layer: Layer.Layer<Contacts, never, ContactStore | TeamStore | Transaction> = Layer.effect(
    Contacts,
    Effect.gen(function* () {
      const contacts = yield* ContactStore
      const teams = yield* TeamStore
      const transaction = yield* Transaction

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
       * Merges with the team that the input names. Its refusal waits for the merge: a field that is wrong is told
       * before a team that is (Decisions 2, "Order of checks").
       */
      const merge = Effect.fnUntraced(function* <A>(
        input: { readonly teamId?: TeamId | null },
        unnamed: TeamRef | null,
        rule: (context: ContactMerge.MergeContext) => Result.Result<A, ValidationError>
      ) {
        const { account } = yield* Principal
        const { teamId } = input
        const team: Result.Result<TeamRef | null, TeamError | StorageError> =
          teamId === undefined
            ? Result.succeed(unnamed)
            : teamId === null
              ? Result.succeed(null)
              : yield* Effect.result(Effect.provideService(requireTeam(teamId), TeamStore, teams))
        const now = yield* DateTime.now
        const merged = yield* Effect.fromResult(
          rule({ now, settings: account.settings, team: Result.getOrElse(team, () => unnamed) })
        )
        yield* Effect.fromResult(team)
        return merged
      })

      return Contacts.of({
        create: Effect.fn("Contacts.create")(function* (input) {
          const { account } = yield* Principal
          const made = merge(input, null, (context) => ContactMerge.create(input, account.id, context))
          return yield* transaction.run(Effect.flatMap(made, contacts.insert))
        }),
        get: Effect.fn("Contacts.get")(function* (id) {
          return yield* found(contacts.find(scope(yield* Principal), id), id)
        }),
        list: Effect.fn("Contacts.list")(function* (filter, page) {
          return yield* contacts.list(scope(yield* Principal), filter, page)
        }),
        put: Effect.fn("Contacts.put")(function* (id, input) {
          const current = yield* found(contacts.findForUpdate(scope(yield* Principal), id), id)
          return yield* contacts.update(
            yield* merge(input, null, (context) => ContactMerge.put(input, current, context))
          )
        }, transaction.run),
        patch: Effect.fn("Contacts.patch")(function* (id, patch) {
          const current = yield* found(contacts.findForUpdate(scope(yield* Principal), id), id)
          const merged = yield* merge(patch, current.team, (context) => ContactMerge.patch(current, patch, context))
          return merged === current ? current : yield* contacts.update(merged)
        }, transaction.run),
        delete: Effect.fn("Contacts.delete")(function* (id) {
          const deleted = yield* contacts.delete(scope(yield* Principal), id)
          return yield* deleted ? Effect.void : new ContactNotFound({ contactId: id })
        })
      })
    })
  )
}
