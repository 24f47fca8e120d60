import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountStore } from "../access/AccountStore.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import type { CallVariables } from "./CallInput.ts"
import { isTerminal } from "./CallStatus.ts"
import { CallStore } from "./CallStore.ts"
import * as ContactAccess from "./ContactAccess.ts"
import { allVariables } from "./Personalization.ts"
import * as Tracing from "../values/Tracing.ts"

/** Returns the variables of a running call, for a provider that cannot take them in the request that starts a call. */
export class ProviderVariables extends Context.Service<
  ProviderVariables,
  {
    /**
     * Returns all variables of a call by our reference (D-PROV-12). The call's own variables are as they were rendered at
     * its start; the contact and the business context are as they are now. Of the contact of an inbound call it returns what
     * `ContactAccess` allows. Returns none when no call has the reference, or the call has ended.
     */
    readonly find: (ref: string) => Effect.Effect<Option.Option<CallVariables>, StorageError>
  }
>()("@frontdesk/core/call/ProviderVariables") {
  /** The service over the stores. */
  static readonly layer: Layer.Layer<
    ProviderVariables,
    never,
    AccountStore | BusinessContextStore | CallStore | ContactStore | Transaction
  > = Layer.effect(
    ProviderVariables,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const business = yield* BusinessContextStore
      const calls = yield* CallStore
      const contacts = yield* ContactStore
      const transaction = yield* Transaction

      return ProviderVariables.of({
        find: Tracing.operation("ProviderVariables.find")(function* (ref) {
          const call = yield* calls.findForUpdate({ callId: ref })
          if (Option.isNone(call) || isTerminal(call.value.status)) return Option.none()
          const { accountId, contact, variables } = call.value
          const account = yield* accounts.find(accountId)
          if (Option.isNone(account)) return Option.none()
          const scope = { accountId, teamIds: account.value.teamIds }
          const found = contact === null ? Option.none() : yield* contacts.find(scope, contact.id)
          const access = ContactAccess.of(call.value, account.value.settings)
          const told = Option.map(found, (contact) => ContactAccess.disclosed(access, contact))
          const sources = { businessContext: yield* business.values(accountId), contact: Option.getOrNull(told) }
          return Option.some(allVariables(sources, variables))
        }, transaction.run)
      })
    })
  )
}
