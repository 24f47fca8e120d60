import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import { Money } from "../values/Money.ts"
import type { Check } from "../values/Check.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"

/** What a provider calls a call: text of 1 to 200 UTF-16 code units that every database keeps, and can index. */
export const ProviderCallId = Text.between(1, 200)

/** What a provider is asked to do. */
export interface StartCall {
  /** Our reference: the call's `callId`, the same for ever. */
  readonly ref: string
  readonly to: PhoneNumber
  readonly from: PhoneNumber
  readonly assistantId: string
  readonly variables: Readonly<Record<string, VariableScalar>>
  /** The longest the call may last: what the balance pays for. */
  readonly maxDurationSeconds: number
}

/**
 * What became of asking.
 *
 * - `Accepted`: the provider has the call; it reports under the id. An answer whose id is no {@link ProviderCallId} counts
 *   as `Unknown`, and its call is only known by our reference.
 * - `Refused`: it said no, and nothing was dialled. `retryable`: it may say yes later.
 * - `Unknown`: no answer; it may have dialled.
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
  /** When it was answered; null when it never was. */
  answeredAt: Schema.NullOr(Instant)
}

/** Why a provider does not take a call. */
export type StartRefusal = Extract<StartAnswer, { readonly _tag: "Refused" }>

/** How a call ended, whole in itself, so that it means the same in whatever order reports arrive. */
export const CallEnd = Schema.Union([Schema.Struct(completed), Schema.Struct(unsuccessful)])

/** How a call ended. */
export type CallEnd = typeof CallEnd.Type

/** What a provider reports of a call. */
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

/** What a provider reports of a call. */
export type ProviderReport = typeof ProviderReport.Type

/** A report with the call it is about. */
export const CallReport = Schema.Struct({
  providerCallId: Schema.String,
  /** Our reference, when the provider repeats it: names the call when the id is not known yet. */
  ref: Schema.NullOr(Schema.String),
  report: ProviderReport
})

/** A report with the call it is about. */
export type CallReport = typeof CallReport.Type

/** How the provider says a call stands: every report it could have made by now, or that it knows no such call. */
export type CallSnapshot =
  | { readonly _tag: "Known"; readonly providerCallId: string; readonly reports: ReadonlyArray<ProviderReport> }
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "Unreachable"; readonly cause: string }

/** What is known of a call that a provider is asked about. */
export interface KnownCall {
  readonly ref: string
  /** Null when the provider's answer to `start` was lost. */
  readonly providerCallId: string | null
  readonly to: PhoneNumber
  /** A moment before `start` was asked. */
  readonly createdAt: DateTime.Utc
}

/**
 * What became of hanging up.
 *
 * - `Ended`: the provider ends the call; its end is reported as any other.
 * - `AlreadyOver`: the call had ended.
 * - `Unknown`: no answer, or one of no use, or the provider knows no such call, which may still be on its way there; the
 *   call may go on.
 */
export type HangUpAnswer =
  | { readonly _tag: "Ended" }
  | { readonly _tag: "AlreadyOver" }
  | { readonly _tag: "Unknown"; readonly cause: string }

/** What comes of a request of the provider before its body. */
export interface CallbackHead {
  readonly method: string
  /** The exact URL that was called, by the public address of the server: signatures may be over it. */
  readonly url: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A request of the provider, as it came. */
export interface Callback extends CallbackHead {
  readonly body: Uint8Array
}

/**
 * What a request of the provider says.
 *
 * - `Reported`: it is the provider's; none is fine, for a request that says nothing of use.
 * - `BadSignature`: it is not, or that cannot be known.
 * - `Malformed`: it is the provider's and cannot be read; `reason` for the operator, without what it held.
 */
export type Ingested =
  | { readonly _tag: "Reported"; readonly reports: ReadonlyArray<CallReport> }
  | { readonly _tag: "BadSignature" }
  | { readonly _tag: "Malformed"; readonly reason: string }

/**
 * Port: places telephone calls.
 *
 * No member fails: an answer that could be lost is a value, so that nobody can throw it away. `start` never asks twice.
 */
export class CallProvider extends Context.Service<
  CallProvider,
  {
    /** The adapter's name, for settings, logs and the path of its callbacks, `/providers/{name}/…`. */
    readonly name: string
    /** The most bytes that a callback of this provider may have. */
    readonly maxCallbackBytes: number
    /**
     * Returns why the provider could not be asked for a call, by what the adapter itself knows: its settings, and what a
     * request to the provider can carry. Null when it can be asked. `start` refuses the same commands with the same
     * codes. Total and without effects.
     */
    readonly preflight: (command: StartCall) => StartRefusal | null
    /** Asks for a call. */
    readonly start: (command: StartCall) => Effect.Effect<StartAnswer>
    /** How a call stands, by our reference and, when known, the provider's id. */
    readonly fetch: (call: KnownCall) => Effect.Effect<CallSnapshot>
    /** Ends a call that waits, rings or is talked. */
    readonly hangUp: (call: KnownCall) => Effect.Effect<HangUpAnswer>
    /**
     * Whether a request may be the provider's, by what comes before its body. The body of any other is not read, and
     * `ingest` says `BadSignature` to it. Total and without effects.
     */
    readonly mayBeAuthentic: (head: CallbackHead, now: DateTime.Utc) => boolean
    /**
     * Reads a request of the provider. Total and without effects, so that the same bytes always say the same; `now` is
     * when it came.
     */
    readonly ingest: (callback: Callback, now: DateTime.Utc) => Ingested
    /**
     * Returns the reference of the call whose variables a request asks for, `GET /providers/{name}/variables`; null when
     * the request does not bear the adapter's signature. An adapter that hands all variables to the provider signs no such
     * link, and always returns null. Total and without effects.
     */
    readonly variablesOf: (head: CallbackHead) => string | null
    /**
     * What the adapter learns without being called back, in whatever order, possibly more than once, possibly never. Who
     * is called back has nothing here.
     */
    readonly reports: Stream.Stream<CallReport>
    /** Whether the provider can be used as it is set up; calls nobody. */
    readonly check: Effect.Effect<Check>
  }
>()("@frontdesk/core/call/CallProvider") {}
