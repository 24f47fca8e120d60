import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountStore } from "../access/AccountStore.ts"
import { ofAccount, Principal } from "../access/Principal.ts"
import { ownRows } from "../access/Scope.ts"
import type { TeamStore } from "../access/TeamStore.ts"
import type { AllowedTools } from "../agent/AgentTool.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import type { ContactNotFound } from "../contact/ContactError.ts"
import { Contacts } from "../contact/Contacts.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { tooLarge } from "../values/FieldProblems.ts"
import * as Input from "../values/Input.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import { Call } from "./Call.ts"
import { CallVariables, maxVariables } from "./CallInput.ts"
import * as CallKey from "./CallKey.ts"
import { CallProgress } from "./CallProgress.ts"
import { type CallProvider, ProviderCall, ProviderCallId } from "./CallProvider.ts"
import { CallStore } from "./CallStore.ts"
import * as ContactAccess from "./ContactAccess.ts"
import { InboundCalls } from "./InboundCalls.ts"

/** How long after the end of a call its agent may still use tools: the report of the end may overtake the last tool call. */
export const graceTime: Duration.Duration = Duration.minutes(2)

/** A call whose agent uses tools, and for whom the tools act. */
export interface CallSession {
  readonly call: Call
  /** The tools that the agent of the call may use at present, or null for every tool (D-AGENT-9). */
  readonly allowedTools: AllowedTools | null
  readonly principal: Principal["Service"]
}

type SetVariablesError = Exclude<Effect.Error<ReturnType<Contacts["Service"]["patch"]>>, ContactNotFound>

const inputs: Input.Inputs<CallSessions["Service"]> = {
  ofProvider: [{ call: ProviderCall }],
  ofCaller: [{ id: Schema.String }],
  setVariables: [{ call: Call }, { variables: CallVariables }]
}

/**
 * Finds the call in which an agent uses tools (D-AGT-6). Who is on the telephone follows from the call alone, never from
 * what a model says.
 */
export class CallSessions extends Context.Service<
  CallSessions,
  {
    /**
     * Returns the session of the call that a verified request of the provider names. It acts for the call's account with
     * every permission. An unknown inbound call is stored first. Returns none for a call that is not known, or that ended
     * longer than {@link graceTime} ago.
     */
    readonly ofProvider: (
      call: ProviderCall
    ) => Effect.Effect<Option.Option<CallSession>, ValidationError | StorageError>
    /**
     * Returns the session of a call of the caller's account, by its database id, by the service's id or by the provider's.
     * It acts for the caller. Returns none for a call of another account, or that ended longer than {@link graceTime} ago.
     */
    readonly ofCaller: (
      id: string
    ) => Effect.Effect<Option.Option<CallSession>, ValidationError | StorageError, Principal>
    /**
     * Adds variables to those of the call, and to the custom context of its contact if the agent may change the contact. A
     * value of the contact must fit the contact variable of its name. Fails with `ValidationError` also when the call would
     * have more than 50 variables.
     */
    readonly setVariables: (call: Call, variables: CallVariables) => Effect.Effect<void, SetVariablesError, Principal>
  }
>()("@frontdesk/core/call/CallSessions") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    CallSessions,
    never,
    | AccountStore
    | AgentStore
    | AuditStore
    | BusinessContextStore
    | CalendarSync
    | CallProvider
    | CallStore
    | Contacts
    | ContactStore
    | Crypto
    | TeamStore
    | Transaction
    | WebhookEventPublisher
  > = Layer.effect(
    CallSessions,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* AgentStore
      const calls = yield* CallStore
      const contacts = yield* Contacts
      const progress = yield* CallProgress
      const inboundCalls = yield* InboundCalls
      const transaction = yield* Transaction

      const named = Effect.fnUntraced(function* ({ inbound, providerCallId, ref }: ProviderCall) {
        const key = ref === null ? { providerCallId } : { callId: ref }
        if (!isProviderCallId(ref ?? providerCallId)) return Option.none()
        const found = yield* calls.findAnywhere(key)
        if (Option.isSome(found)) {
          // A reference alone does not name a call: any assistant of the provider's account can repeat it.
          return Option.filter(found, (call) => (call.providerCallId ?? providerCallId) === providerCallId)
        }
        return inbound !== undefined && isProviderCallId(providerCallId)
          ? yield* inboundCalls.record(providerCallId, inbound)
          : Option.none()
      })

      /** Returns the session of a call, or none when the call ended longer than {@link graceTime} ago. */
      const sessionOf = Effect.fnUntraced(function* (call: Call, principal: Principal["Service"]) {
        const { agent, endedAt } = call
        if (endedAt !== null && DateTime.isLessThan(Timestamp.after(endedAt, graceTime), yield* DateTime.now))
          return Option.none()
        const found = yield* agents.findAnywhere({ id: agent.id })
        // The call comes from the storage, so no service decodes it again.
        return Option.map(found, ({ allowedTools }): CallSession => ({
          call: Input.remember(Call, call),
          allowedTools,
          principal
        }))
      })

      return Input.service(CallSessions, inputs, {
        ofProvider: Tracing.operation("CallSessions.ofProvider")(function* (providerCall) {
          const call = yield* named(providerCall)
          if (Option.isNone(call)) return Option.none()
          const account = yield* accounts.find(call.value.accountId)
          return Option.isNone(account) ? Option.none() : yield* sessionOf(call.value, ofAccount(account.value))
        }),
        ofCaller: Tracing.operation("CallSessions.ofCaller")(function* (id) {
          const principal = yield* Principal
          const scope = ownRows(principal.account.id)
          const keys = CallKey.parse(id)
          for (const key of [...keys, ...(keys.length > 0 ? [{ providerCallId: id }] : [])]) {
            const call = yield* calls.find(scope, key)
            if (Option.isSome(call)) return yield* sessionOf(call.value, principal)
          }
          return Option.none()
        }),
        setVariables: Tracing.operation("CallSessions.setVariables")(function* (call, variables) {
          const { account } = yield* Principal
          const changed = yield* progress.change({ id: call.id }, (stored) => {
            const merged = { ...stored.variables, ...variables }
            const isAllowed = stored.accountId === account.id && isCallVariables(merged)
            return { call: isAllowed ? { ...stored, variables: merged } : stored, reports: [] }
          })
          const has = ({ variables: stored }: Call): boolean =>
            Object.entries(variables).every(([name, value]) => stored[name] === value)
          if (!Option.exists(changed, has)) {
            const message = `Expected at most ${maxVariables} variables in the call`
            return yield* new ValidationError({ problems: [{ field: "variables", code: tooLarge, message }] })
          }
          if (call.contact === null || ContactAccess.of(call, account.settings) !== "all") return
          // The contact may have been deleted during the call.
          yield* contacts
            .patch(call.contact.id, { customContext: variables })
            .pipe(Effect.catchTag("ContactNotFound", () => Effect.void))
        }, transaction.run)
      })
    })
  ).pipe(Layer.provide([CallProgress.layer, InboundCalls.layer]))
}

const isCallVariables = Schema.is(CallVariables)

const isProviderCallId = Schema.is(ProviderCallId)
