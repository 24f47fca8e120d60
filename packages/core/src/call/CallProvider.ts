import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import { Money } from "../values/Money.ts"
import type { Check } from "../values/Check.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"

/** A provider's id of a call: 1 to 200 UTF-16 code units of text that every database can store and index. */
export const ProviderCallId = Text.between(1, 200)

/** The call that a provider is asked to start. */
export interface StartCall {
  /** Our reference: the call's `callId`, which never changes. */
  readonly ref: string
  readonly to: PhoneNumber
  readonly from: PhoneNumber
  readonly assistantId: string
  readonly variables: Readonly<Record<string, VariableScalar>>
  /** How long the call may last: as long as the balance pays for. The provider ends it then, also when no worker runs. */
  readonly maxDurationSeconds: number
}

/**
 * The result of asking a provider to start a call.
 *
 * - `Accepted`: the provider has the call and reports about it under this id. An answer whose id is not a
 *   {@link ProviderCallId} counts as `Unknown`, and the call is then known by our reference alone.
 * - `Refused`: the provider refused the call and dialled nothing. `retryable` means that it may accept the call later.
 * - `Unknown`: the provider did not answer and may have dialled.
 */
export type StartAnswer =
  | { readonly _tag: "Accepted"; readonly providerCallId: string }
  | { readonly _tag: "Refused"; readonly code: string; readonly reason: string; readonly retryable: boolean }
  | { readonly _tag: "Unknown"; readonly cause: string }

const ended = { endedAt: Instant, reason: Schema.String }

const completed = { ...ended, status: Schema.Literal("completed"), answeredAt: Instant }

const unsuccessful = {
  ...ended,
  status: Schema.Literals(["busy", "no_answer", "failed", "cancelled"]),
  /** When the call was answered; null when it never was. */
  answeredAt: Schema.NullOr(Instant)
}

/** Why a provider does not start a call. */
export type StartRefusal = Extract<StartAnswer, { readonly _tag: "Refused" }>

/** The end of a call. It states by itself when the call was answered, so that reports may arrive in any order. */
export const CallEnd = Schema.Union([Schema.Struct(completed), Schema.Struct(unsuccessful)])

/** The end of a call. */
export type CallEnd = typeof CallEnd.Type

/** One thing that a provider reports about a call. */
export const ProviderReport = Schema.Union([
  Schema.TaggedStruct("Ringing", {}),
  Schema.TaggedStruct("Answered", { at: Instant }),
  Schema.TaggedStruct("Ended", completed),
  Schema.TaggedStruct("Ended", unsuccessful),
  Schema.TaggedStruct("Transcript", { text: Schema.String }),
  Schema.TaggedStruct("Recording", { url: Schema.String }),
  Schema.TaggedStruct("Summary", { text: Schema.String }),
  Schema.TaggedStruct("Cost", { amount: Money })
])

/** One thing that a provider reports about a call. */
export type ProviderReport = typeof ProviderReport.Type

/** The numbers of a call in which a person has dialled the number of an agent. */
export const InboundNumbers = Schema.Struct({
  /** The number of the person. Null when it is withheld, or is not an E.164 number. */
  from: Schema.NullOr(PhoneNumber),
  /** The number that was dialled. */
  to: PhoneNumber
})

/** The numbers of a call in which a person has dialled the number of an agent. */
export type InboundNumbers = typeof InboundNumbers.Type

/** What a provider tells of an inbound call that runs or has ended. */
export const ReportedInbound = Schema.Struct({
  ...InboundNumbers.fields,
  /** The provider's id of the assistant that has answered. Absent when the provider does not name it. */
  assistantId: Schema.optionalKey(Text.between(1, 1_000))
})

/** What a provider tells of an inbound call that runs or has ended. */
export type ReportedInbound = typeof ReportedInbound.Type

/** How a provider identifies a call in its requests. */
export const ProviderCall = Schema.Struct({
  providerCallId: Schema.String,
  /**
   * Our reference, or null when the provider does not repeat it. It identifies the call while the provider's id is not
   * known.
   */
  ref: Schema.NullOr(Schema.String),
  /** Absent for an outbound call, and when the provider does not name the dialled number. */
  inbound: Schema.optionalKey(ReportedInbound)
})

/** How a provider identifies a call in its requests. */
export type ProviderCall = typeof ProviderCall.Type

/** A provider report together with the call it is about. */
export const CallReport = Schema.Struct({ ...ProviderCall.fields, report: ProviderReport })

/** A provider report together with the call it is about. */
export type CallReport = typeof CallReport.Type

/**
 * The answer of a provider that was asked about a call.
 *
 * - `Known`: the provider has the call. `reports` has everything that it could have reported until now.
 * - `NotFound`: the provider has no such call.
 * - `Unreachable`: the provider gave no usable answer.
 */
export type CallSnapshot =
  | { readonly _tag: "Known"; readonly providerCallId: string; readonly reports: ReadonlyArray<ProviderReport> }
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "Unreachable"; readonly cause: string }

/** What an adapter knows to find a call at its provider. */
export interface KnownCall {
  readonly ref: string
  /** Null when the provider's answer to `start` was lost. */
  readonly providerCallId: string | null
  readonly to: PhoneNumber
  /** When the call was stored, just before the provider was asked to start it. */
  readonly createdAt: DateTime.Utc
}

/**
 * The result of asking a provider to hang up.
 *
 * - `Ended`: the provider ends the call. It reports that end like any other end.
 * - `AlreadyOver`: the call had ended before.
 * - `Unknown`: the call may go on. The provider gave no usable answer, or does not know the call. In the second case the
 *   request to start the call may still be on its way to the provider.
 */
export type HangUpAnswer =
  | { readonly _tag: "Ended" }
  | { readonly _tag: "AlreadyOver" }
  | { readonly _tag: "Unknown"; readonly cause: string }

/** The part of a provider's request that precedes its body. */
export interface CallbackHead {
  readonly method: string
  /** The exact URL of the request under the public address of the server. A signature may cover it (D-PROV-4). */
  readonly url: string
  /** The header values by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A request of the provider as it was received. */
export interface Callback extends CallbackHead {
  readonly body: Uint8Array
}

/**
 * The answer to a provider that asks what to do with an inbound call.
 *
 * - `Accepted`: the agent answers. `ref` is our reference of the call, or null when the provider has not named the call yet.
 * - `Refused`: the call is not answered. A provider that can speak says the sentence to the person before it hangs up.
 */
export type InboundDecision =
  | ({ readonly _tag: "Accepted"; readonly ref: string | null } & Pick<
      StartCall,
      "assistantId" | "variables" | "maxDurationSeconds"
    >)
  | { readonly _tag: "Refused"; readonly say: string }

/** The body with which a provider is answered. */
export interface CallbackBody {
  readonly contentType: string
  readonly text: string
}

/**
 * A request for whose answer the provider waits.
 *
 * - `InboundCall`: a person has dialled a number, and the provider asks which agent answers. `providerCallId` is null when
 *   the provider has not made an id yet. `bodyOf` returns the body of the answer. It must not throw.
 * - `ToolCalls`: the agent in a call uses tools. `message` is the parsed body, in the format of the provider.
 */
export type ProviderQuestion =
  | {
      readonly _tag: "InboundCall"
      readonly providerCallId: string | null
      readonly numbers: InboundNumbers
      readonly bodyOf: (decision: InboundDecision) => CallbackBody
    }
  | { readonly _tag: "ToolCalls"; readonly call: ProviderCall; readonly message: unknown }

/**
 * The result of reading a request of the provider.
 *
 * - `Reported`: the request is authentic. `reports` is empty when it reports nothing of use.
 * - `Asked`: the request is authentic, and the provider waits for an answer.
 * - `BadSignature`: the request is not proved to be the provider's.
 * - `Malformed`: the request is authentic and cannot be read. `reason` tells the operator why, without any of its content.
 */
export type Ingested =
  | { readonly _tag: "Reported"; readonly reports: ReadonlyArray<CallReport> }
  | { readonly _tag: "Asked"; readonly question: ProviderQuestion }
  | { readonly _tag: "BadSignature" }
  | { readonly _tag: "Malformed"; readonly reason: string }

/**
 * Port: places telephone calls.
 *
 * No method fails: a lost answer is a value such as `Unknown`, because core must handle it and not just pass an error on.
 */
export class CallProvider extends Context.Service<
  CallProvider,
  {
    /** The adapter's name in settings, in logs and in the path of its callbacks, `/providers/{name}/…`. */
    readonly name: string
    /** The maximum size of the body of this provider's callbacks, in bytes. */
    readonly maxCallbackBytes: number
    /**
     * Returns why the adapter could not ask its provider for a call, or null when it could (D-CALL-11). It decides from the
     * adapter's settings and from what a request to the provider can carry. `start` must refuse the same calls with the
     * same codes. It must not throw and must have no effects.
     */
    readonly preflight: (command: StartCall) => StartRefusal | null
    /** Asks the provider to start a call. It sends one request and never repeats it, so that no person is called twice. */
    readonly start: (command: StartCall) => Effect.Effect<StartAnswer>
    /** Asks the provider about a call, by our reference and by the provider's id when that is known. */
    readonly fetch: (call: KnownCall) => Effect.Effect<CallSnapshot>
    /** Asks the provider to end a call that is queued, rings or is answered. */
    readonly hangUp: (call: KnownCall) => Effect.Effect<HangUpAnswer>
    /**
     * Returns whether a request may be the provider's, from what precedes its body. When it returns false, the server does
     * not read the body, and `ingest` must return `BadSignature`. It must not throw and must have no effects.
     */
    readonly mayBeAuthentic: (head: CallbackHead, now: DateTime.Utc) => boolean
    /**
     * Reads a request of the provider, which was received at `now`. It must not throw and must have no effects, so that the
     * same request always gives the same result.
     */
    readonly ingest: (callback: Callback, now: DateTime.Utc) => Ingested
    /**
     * Returns our reference of the call whose variables the request `GET /providers/{name}/variables` reads. Returns null
     * when the request does not have the adapter's signature. An adapter that sends all variables to the provider signs no
     * such link and always returns null. It must not throw and must have no effects.
     */
    readonly variablesOf: (head: CallbackHead) => string | null
    /**
     * The reports that the adapter receives without callbacks. They may be in any order, be repeated or be missing. The
     * stream is empty for a provider that reports by callbacks.
     */
    readonly reports: Stream.Stream<CallReport>
    /** Checks whether the provider can be used with the current settings. It places no call. */
    readonly check: Effect.Effect<Check>
  }
>()("@frontdesk/core/call/CallProvider") {}
