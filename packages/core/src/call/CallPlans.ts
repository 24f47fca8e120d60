import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Principal, scope as scopeOf } from "../access/Principal.ts"
import type { Agent, AgentNotFound } from "../agent/Agent.ts"
import { Agents } from "../agent/Agents.ts"
import { type Contact, type ContactId, ContactNotFound } from "../contact/Contact.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Money } from "../values/Money.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import { AgentPhoneNumberMissing, DoNotCall, InvalidPhoneNumber } from "./CallError.ts"
import { agentKey, type CreateCall, type CallVariables } from "./CallInput.ts"
import { personalize } from "./Personalization.ts"

/** A call that could be made: everything that is known before the limits of the account are looked at. */
export interface CallPlan {
  readonly agent: Agent
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  readonly contact: Contact | null
  /** The variables of the call itself, rendered. */
  readonly own: CallVariables
  /** Everything the agent is told: business context, contact, custom context, then the call's own. */
  readonly variables: CallVariables
  /** Names the call's own variables use and nothing defines. */
  readonly unresolved: ReadonlyArray<string>
  /** What is reserved when the call starts: the price of its first minute. */
  readonly reservation: Money
}

/** Finds out what a call that is asked for would be. */
export class CallPlans extends Context.Service<
  CallPlans,
  {
    /**
     * Checks the number, the agent, the contact, the agent's number and the do-not-call lists, in this order, and renders
     * the variables (D-TPL-2), which fails when they become too long. Changes nothing.
     */
    readonly make: (
      input: CreateCall
    ) => Effect.Effect<
      CallPlan,
      | InvalidPhoneNumber
      | AgentNotFound
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
          // Two contacts with the number: nobody can say who is called.
          const [only] = ids.length === 1 ? ids : []
          const found = only === undefined ? Option.none() : yield* contacts.find(scopeOf(principal), only)
          if (id !== null && Option.isNone(found)) return yield* new ContactNotFound({ contactId: id })
          return Option.getOrNull(found)
        })

        return CallPlans.of({
          make: Effect.fn("CallPlans.make")(function* (input) {
            const principal = yield* Principal
            const { account } = principal
            const to = yield* Schema.decodeEffect(PhoneNumber)(input.phoneNumber).pipe(
              Effect.mapError(() => new InvalidPhoneNumber({ phoneNumber: input.phoneNumber }))
            )
            const agent = yield* agents.get(agentKey(input.agentId))
            const contact = yield* findContact(input.contactId ?? null, to)
            const from = agent.phoneNumber
            if (from === null) return yield* new AgentPhoneNumberMissing({ agentId: agent.id })
            if (yield* doNotCall.isBlocked(scopeOf(principal), to)) return yield* new DoNotCall({ phoneNumber: to })
            const told = yield* Effect.fromResult(
              personalize({
                businessContext: yield* business.values(account.id),
                contact,
                callVariables: input.variables ?? {}
              })
            )
            return { agent, from, to, contact, ...told, reservation: account.settings.pricePerMinute }
          })
        })
      })
    )
}
