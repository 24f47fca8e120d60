import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as ContactAudit from "../contact/ContactAudit.ts"
import * as CallAudit from "./CallAudit.ts"
import { type Account, balance } from "../access/Account.ts"
import { AccountLimits } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { ownRows } from "../access/Scope.ts"
import { TeamStore } from "../access/TeamStore.ts"
import { type Agent, ref as agentRef } from "../agent/Agent.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import { ExternalBusy } from "../availability/ExternalBusy.ts"
import { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import * as ContactMerge from "../contact/ContactMerge.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Money from "../values/Money.ts"
import * as Page from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Tracing from "../values/Tracing.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { affordableSeconds, unreserved, pending } from "./Billing.ts"
import type { Call } from "./Call.ts"
import type { CallVariables } from "./CallInput.ts"
import { CallProvider, InboundNumbers, ProviderCallId, ReportedInbound } from "./CallProvider.ts"
import { isTerminal } from "./CallStatus.ts"
import { CallStore } from "./CallStore.ts"
import * as ContactAccess from "./ContactAccess.ts"
import { anonymous, isAnonymous } from "./InboundNumber.ts"
import { allVariables } from "./Personalization.ts"
import { callContact } from "./QueuedCall.ts"
import { nextAt, ReconcilePlan } from "./ReconcilePlan.ts"

/** The maximum number of agents with one number among which the agent of an inbound call is looked for. */
const maxAgents = 100

/** Why an inbound call is refused. */
export type InboundRefusal =
  /** No agent has the number, or several have it and not exactly one of them is an inbound agent. */
  | "unknown_number"
  | "insufficient_funds"
  | "concurrency_limit_reached"
  /** The call has ended already. */
  | "ended"

/** Whether an agent answers an inbound call. */
export type InboundAnswer =
  | {
      readonly _tag: "Accepted"
      readonly account: Account
      readonly agent: Agent
      /** The call, or null when the provider has not named it yet. */
      readonly call: Call | null
      /** All variables that the agent receives. */
      readonly variables: CallVariables
      /** How long the balance pays for the call, at most as long as a call may last. */
      readonly maxDurationSeconds: number
    }
  | {
      readonly _tag: "Refused"
      readonly reason: InboundRefusal
      /** The account that the call was for. Null when no agent has the number. */
      readonly account: Account | null
    }

const inputs: Input.Inputs<InboundCalls["Service"]> = {
  answer: [{ providerCallId: Schema.NullOr(ProviderCallId) }, { numbers: InboundNumbers }],
  record: [{ providerCallId: ProviderCallId }, { inbound: ReportedInbound }]
}

/**
 * Stores inbound calls, and decides whether an agent answers them (D-CALL-40).
 *
 * A call is stored by the first request of the provider that names it, whether that is the question who answers it, a report
 * or a tool call. Its `callId` follows from the provider's id. So requests in any order, repeated, and on several nodes,
 * store one call.
 */
export class InboundCalls extends Context.Service<
  InboundCalls,
  {
    /**
     * Returns which agent takes an inbound call, for the provider that asks. An accepted call is stored, and its first minute
     * is reserved. A refusal stores nothing. A repeat finds the stored call and its agent, whatever agent the number belongs
     * to meanwhile, and refuses a call that has ended.
     *
     * @param providerCallId null when the provider has not named the call. Then nothing is stored or reserved, and the
     *   first report about the call stores it.
     */
    readonly answer: (
      providerCallId: string | null,
      numbers: InboundNumbers
    ) => Effect.Effect<InboundAnswer, ValidationError | StorageError>
    /**
     * Stores an inbound call that the provider reports, unless it is stored.
     *
     * The call already runs, so it is stored whatever the balance is. When the balance does not cover the first minute, the
     * call has no reservation, and it is hung up as soon as it is answered. When the number belongs to no agent, or to
     * one of another account than the provider's assistant, the call belongs to the agent with the assistant, also to an
     * archived one (D-CALL-41). Returns none when there is no such agent either.
     */
    readonly record: (
      providerCallId: string,
      inbound: ReportedInbound
    ) => Effect.Effect<Option.Option<Call>, ValidationError | StorageError>
  }
>()("@frontdesk/core/call/InboundCalls") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    InboundCalls,
    never,
    | AccountStore
    | AgentStore
    | AuditStore
    | BusinessContextStore
    | CalendarSync
    | CallProvider
    | CallStore
    | ContactStore
    | Crypto
    | TeamStore
    | Transaction
  > = Layer.effect(
    InboundCalls,
    Effect.gen(function* () {
      const limits = yield* AccountLimits
      const accounts = yield* AccountStore
      const audit = yield* AuditTrail.make
      const agents = yield* AgentStore
      const business = yield* BusinessContextStore
      const calls = yield* CallStore
      const contacts = yield* ContactStore
      const crypto = yield* Crypto
      const externalBusy = yield* ExternalBusy
      const provider = yield* CallProvider
      const reconcilePlan = yield* ReconcilePlan
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const maxSeconds = Duration.toSeconds(reconcilePlan.maxCallDuration)

      /** Returns the identifiers of an inbound call. Our reference is the same on every node. */
      const identityOf = (providerCallId: string) =>
        Effect.map(crypto.sha256Hex(Utf8.encode(`inbound ${provider.name} ${providerCallId}`)), (digest): Identity => ({
          callId: `call_${digest.slice(0, 32)}`,
          providerCallId
        }))

      const withAccount = (agent: Agent) =>
        Effect.map(accounts.find(agent.accountId), (account) => Option.map(account, (account) => ({ account, agent })))

      /** Returns the agent that a number belongs to, and its account. */
      const called = Effect.fnUntraced(function* (number: PhoneNumber) {
        const agent = agentOf(yield* agents.listByPhoneNumber(number, maxAgents))
        return agent === undefined ? Option.none() : yield* withAccount(agent)
      })

      /**
       * Returns the agent of a call that runs: the one that its number belongs to. The one with its assistant takes precedence
       * when it belongs to another account, which pays for the assistant and whose callers these are.
       */
      const talking = Effect.fnUntraced(function* ({ assistantId, to }: ReportedInbound) {
        const byNumber = yield* called(to)
        if (assistantId === undefined) return byNumber
        const agent = yield* agents.findAnywhere({ assistantId })
        if (Option.isNone(agent)) return byNumber
        const isSameAccount = Option.exists(byNumber, ({ account }) => account.id === agent.value.accountId)
        return isSameAccount ? byNumber : yield* withAccount(agent.value)
      })

      /** Stores a contact with a number. Returns null when the account has its maximum number of contacts. */
      const createContact = Effect.fnUntraced(function* ({ id, settings }: Account, phoneNumber: PhoneNumber) {
        const { count } = yield* contacts.list(ownRows(id), {}, Page.onlyCount)
        if (count >= limits.contacts) return null
        const now = yield* DateTime.now
        const made = ContactMerge.create({ phoneNumbers: [{ phoneNumber }] }, id, { now, settings, team: null })
        // The number is the only field, and it is valid.
        const created = yield* contacts.insert(Result.getOrThrow(made))
        yield* audit.created("contacts.create", ContactAudit.kind, created)
        return created
      })

      /** Returns the contact of a person: the account's only one with the number, or a new one if the account wants it. */
      const contactOf = Effect.fnUntraced(function* (account: Account, from: PhoneNumber | null, mayCreate: boolean) {
        if (from === null || isAnonymous(from)) return null
        const ids = yield* contacts.idsByNumber(account.id, from)
        const [only] = ids
        if (only === undefined) {
          const isWanted = mayCreate && account.settings.inboundContacts === "create"
          return isWanted ? yield* createContact(account, from) : null
        }
        return ids.length === 1 ? Option.getOrNull(yield* contacts.find(ownRows(account.id), only)) : null
      })

      /** Stores a call. The account is locked by its funds, see `CallStarts`. */
      const insert = Effect.fnUntraced(function* (
        { account, agent }: Called,
        { from }: InboundNumbers,
        identity: Identity,
        isReserved: boolean
      ) {
        const now = yield* DateTime.now
        const { teamId } = agent
        const isShared = teamId !== null && account.teamIds.includes(teamId)
        const team = isShared ? yield* teams.find(teamId) : Option.none()
        const contact = yield* contactOf(account, from, isReserved)
        const price = account.settings.pricePerMinute
        const call = yield* calls.insert({
          ...identity,
          accountId: account.id,
          agent: agentRef(agent),
          status: "ringing",
          type: "inbound",
          phoneNumber: from === null || isAnonymous(from) ? anonymous : from,
          startedAt: null,
          endedAt: null,
          summary: null,
          transcript: null,
          recordingUrl: null,
          contact: contact === null ? null : callContact(contact),
          team: Option.getOrNull(team),
          billing: isReserved ? pending(price) : unreserved(price),
          endedReason: null,
          variables: {},
          metadata: null,
          submission: "accepted",
          reconcileAt: nextAt(reconcilePlan, 0, now),
          reconcileCount: 0,
          confirmedAt: null,
          reservedMinutes: isReserved ? 1 : 0,
          reserveAt: null,
          createdAt: now,
          updatedAt: now
        })
        yield* audit.created("calls.receive", CallAudit.kind, call)
        return call
      })

      /** Runs a transaction that may store the call. When another node has stored it meanwhile, it runs again and finds it. */
      const storing = <A>(work: Effect.Effect<A, StorageError>) =>
        transaction.run(work).pipe(
          Effect.catchIf(
            ({ reason }) => reason === "duplicate",
            () => transaction.run(work)
          )
        )

      const reserve = Effect.fnUntraced(function* ({ id, settings }: Account, { callId }: Identity) {
        const cause = { callId, at: yield* DateTime.now }
        return yield* accounts.changeFunds(id, { reservations: settings.pricePerMinute }, cause)
      })

      /** Stores the call, if the account can take it. Returns the call, or why the account cannot take it. */
      const admit = Effect.fnUntraced(function* (who: Called, numbers: InboundNumbers, identity: Identity | null) {
        const { id, settings } = who.account
        // The lock comes before the count, and before that of the agent, see `CallStarts`.
        const isCovered = balance(yield* accounts.lockFunds(id)) >= settings.pricePerMinute
        // The agent may have been deleted or archived since it was found.
        if (!(yield* agents.lockActive(who.agent.id))) return "unknown_number"
        if ((yield* calls.countRunning(id)) >= settings.maxRunningCalls) return "concurrency_limit_reached"
        if (!isCovered) return "insufficient_funds"
        if (identity === null) return null
        return yield* insert(who, numbers, identity, yield* reserve(who.account, identity))
      })

      /** Returns the agent of a stored call, which keeps the call when it loses its number or is archived. */
      const ownerOf = Effect.fnUntraced(function* ({ accountId, agent }: Call) {
        const found = yield* agents.find({ accountIds: [accountId], teamIds: [] }, { id: agent.id })
        return Option.isNone(found) ? Option.none() : yield* withAccount(found.value)
      })

      const answer = Effect.fnUntraced(function* (
        numbers: InboundNumbers,
        identity: Identity | null
      ): Effect.fn.Return<InboundAnswer, StorageError> {
        const known = identity === null ? Option.none() : yield* calls.findForUpdate({ callId: identity.callId })
        const found = Option.isSome(known) ? yield* ownerOf(known.value) : yield* called(numbers.to)
        if (Option.isNone(found)) return { _tag: "Refused", reason: "unknown_number", account: null }
        const who = found.value
        const { account } = who
        const refuse = (reason: InboundRefusal): InboundAnswer => ({ _tag: "Refused", reason, account })
        const call = Option.isSome(known) ? known.value : yield* admit(who, numbers, identity)
        if (typeof call === "string") return refuse(call)
        const price = call?.billing.pricePerMinute ?? account.settings.pricePerMinute
        if (call !== null && isTerminal(call.status)) return refuse("ended")
        if (call !== null && call.reservedMinutes === 0 && price > 0) return refuse("insufficient_funds")
        const reserved = Money.times(price, call?.reservedMinutes ?? 0)
        const spendable = Money.sum(balance(yield* accounts.funds(account.id)), reserved)
        const contact = yield* contactOf(account, numbers.from, false)
        const access = ContactAccess.of({ type: "inbound" }, account.settings)
        const told = contact === null ? null : ContactAccess.disclosed(access, contact)
        return {
          ...who,
          _tag: "Accepted",
          call,
          variables: allVariables({ businessContext: yield* business.values(account.id), contact: told }, {}),
          maxDurationSeconds: affordableSeconds(price, spendable, maxSeconds)
        }
      })

      return Input.service(InboundCalls, inputs, {
        answer: Tracing.operation("InboundCalls.answer")(function* (providerCallId, numbers) {
          const identity = providerCallId === null ? null : yield* identityOf(providerCallId)
          const answered = yield* storing(answer(numbers, identity))
          // The agent will soon ask for free times, and answers within two seconds.
          if (answered._tag === "Accepted") yield* externalBusy.readAhead(answered.account.id)
          return answered
        }),
        record: Tracing.operation("InboundCalls.record")(function* (providerCallId, inbound) {
          const identity = yield* identityOf(providerCallId)
          const who = yield* talking(inbound)
          if (Option.isNone(who)) return Option.none()
          const { account, agent } = who.value
          return yield* storing(
            Effect.gen(function* () {
              const known = yield* calls.findForUpdate({ callId: identity.callId })
              if (Option.isSome(known)) return known
              // It locks the account, also when the balance does not cover the minute. The agent is locked after it (D-PG-15).
              yield* accounts.lockFunds(account.id)
              const isActive = yield* agents.lockActive(agent.id)
              // The agent may have been deleted since it was found. An archived one pays for the calls that it still takes.
              if (!isActive && Option.isNone(yield* agents.findForUpdate(account.id, agent.id))) return Option.none()
              const isReserved = yield* reserve(account, identity)
              return Option.some(yield* insert(who.value, inbound, identity, isReserved))
            })
          )
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}

/** The identifiers of an inbound call. */
interface Identity {
  readonly callId: string
  readonly providerCallId: string
}

/** An account, and its agent whose number was dialled. */
interface Called {
  readonly account: Account
  readonly agent: Agent
}

/**
 * Returns the agent of a dialled number: the only one with it, or else the only inbound agent among them. Agents of several
 * accounts return none, because nothing tells to which of them the call belongs.
 */
const agentOf = (found: ReadonlyArray<Agent>): Agent | undefined => {
  if (found.length >= maxAgents || new Set(found.map(({ accountId }) => accountId)).size > 1) return undefined
  const inbound = found.filter(({ role }) => role === "inbound agent")
  const [only] = found.length === 1 ? found : inbound.length === 1 ? inbound : []
  return only
}
