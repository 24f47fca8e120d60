import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Principal } from "../access/Principal.ts"
import { scope as scopeOf } from "../access/Scope.ts"
import type { Agent } from "../agent/Agent.ts"
import { AgentArchived, type AgentNotFound } from "../agent/AgentError.ts"
import { Agents } from "../agent/Agents.ts"
import type { Contact, ContactId } from "../contact/Contact.ts"
import { ContactNotFound } from "../contact/ContactError.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Money } from "../values/Money.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import { AgentPhoneNumberMissing, DoNotCall, InvalidPhoneNumber } from "./CallError.ts"
import { agentKey, type CreateCall, type CallVariables } from "./CallInput.ts"
import { personalize } from "./Personalization.ts"

/** A call that may be made, before `CallStartCheck` checks the number of running calls and the balance. */
export interface CallPlan {
  readonly agent: Agent
  /** The phone number of the agent. */
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  readonly contact: Contact | null
  /** The variables that the request gives for the call, rendered. */
  readonly own: CallVariables
  /** All variables of the call: of the business context, of the contact, its custom context, and the call's own. */
  readonly variables: CallVariables
  /** The names in the call's own variables that have no value. */
  readonly unresolved: ReadonlyArray<string>
  /** The amount to reserve when the call starts: the price of its first minute. */
  readonly reservation: Money
}

/** Finds the agent, the contact and the variables of a call before it is started. */
export class CallPlans extends Context.Service<
  CallPlans,
  {
    /**
     * Returns the plan of a call. It changes nothing, and does not lock the agent: the account is locked before it (D-PG-15).
     *
     * It checks in this order (D-CALL-6): the phone number, the agent, the contact, the agent's phone number, and the
     * do-not-call lists. Then it renders the variables (D-TPL-2) and fails with `ValidationError` when they are too long.
     */
    readonly make: (
      input: CreateCall
    ) => Effect.Effect<
      CallPlan,
      | InvalidPhoneNumber
      | AgentNotFound
      | AgentArchived
      | ContactNotFound
      | AgentPhoneNumberMissing
      | DoNotCall
      | ValidationError
      | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/call/CallPlans") {
  /** The service over the stores. */
  static readonly layer: Layer.Layer<CallPlans, never, Agents | BusinessContextStore | ContactStore | DoNotCallStore> =
    Layer.effect(
      CallPlans,
      Effect.gen(function* () {
        const agents = yield* Agents
        const business = yield* BusinessContextStore
        const contacts = yield* ContactStore
        const doNotCall = yield* DoNotCallStore

        const findContact = Effect.fnUntraced(function* (id: ContactId | null, to: PhoneNumber) {
          const principal = yield* Principal
          const ids = id === null ? yield* contacts.idsByNumber(principal.account.id, to) : [id]
          // With several contacts of the same number, the person who is called is unknown: the call has no contact
          // (D-CALL-4).
          const [only] = ids.length === 1 ? ids : []
          const found = only === undefined ? Option.none() : yield* contacts.find(scopeOf(principal), only)
          if (id !== null && Option.isNone(found)) return yield* new ContactNotFound({ contactId: id })
          return Option.getOrNull(found)
        })

        return CallPlans.of({
          make: Tracing.operation("CallPlans.make")(function* (input) {
            const principal = yield* Principal
            const { account } = principal
            const to = yield* Schema.decodeEffect(PhoneNumber)(input.phoneNumber).pipe(
              Effect.mapError(() => new InvalidPhoneNumber({ phoneNumber: input.phoneNumber }))
            )
            const agent = yield* agents.get(agentKey(input.agentId))
            if (agent.archivedAt !== null) return yield* new AgentArchived({ agentId: agent.id })
            const contact = yield* findContact(input.contactId ?? null, to)
            const from = agent.phoneNumber
            if (from === null) return yield* new AgentPhoneNumberMissing({ agentId: agent.id })
            if (yield* doNotCall.isBlocked(scopeOf(principal), to)) return yield* new DoNotCall({ phoneNumber: to })
            const personalization = yield* Effect.fromResult(
              personalize({
                businessContext: yield* business.values(account.id),
                contact,
                callVariables: input.variables ?? {}
              })
            )
            return { agent, from, to, contact, ...personalization, reservation: account.settings.pricePerMinute }
          })
        })
      })
    )
}
