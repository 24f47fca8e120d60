import type { AgentRef, CallOptions, Json, JsonObject, List, LocalDate, PageQuery, TeamRef } from "./common.ts"
import type { Delivery } from "./webhook.ts"

/** The status of a call. The last five are final. */
export type CallStatus =
  | "queued"
  | "ringing"
  | "in_progress"
  | "completed"
  | "busy"
  | "no_answer"
  | "failed"
  | "cancelled"

/** The direction of a call. */
export type CallDirection = "outbound" | "inbound"

/** A value of a variable. */
export type VariableScalar = string | number | boolean

/** The contact of a call, as the call shows it. */
export interface CallContact {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly company: string | null
  readonly status: string
  readonly stage: string
  readonly lastCallDate: string | null
}

/** The charge of a call. Amounts are whole millionths of the account's currency: 100,000 is 0.1. */
export interface Billing {
  readonly status: "pending" | "charged" | "refunded" | "waived"
  /** What was reserved when the call started: the price of the first minute. */
  readonly initialCharge: number
  /** What settlement adds. Negative when it gives money back, and 0 until the call ends. */
  readonly finalCharge: number
  /** The price of a minute when the call was made. */
  readonly pricePerMinute: number
}

/** One telephone call of an agent. */
export interface Call {
  readonly id: number
  readonly accountId: number
  /** The service's own identifier of the call. The provider receives it as our reference. */
  readonly callId: string
  /** The agent's name and assistant id as they were when the call was made. */
  readonly agent: AgentRef
  readonly status: CallStatus
  readonly type: CallDirection
  /** In E.164 form. */
  readonly phoneNumber: string
  /** When the call was answered. Null before that, and for a call that was never answered. */
  readonly startedAt: string | null
  /** When the call ended. Null while it runs. */
  readonly endedAt: string | null
  /** Null until the provider has reported one, and after retention has deleted it. */
  readonly summary: string | null
  /** Null until the provider has reported one, and after retention has deleted it. */
  readonly transcript: string | null
  /** Null until the provider has reported one, and after retention has deleted it. */
  readonly recordingUrl: string | null
  /** Null when the call has no contact, and after the contact was deleted. */
  readonly contact: CallContact | null
  /** The team that the agent had when the call was made. Null when the account was not in that team. */
  readonly team: TeamRef | null
  readonly billing: Billing
  /** Why the call ended: the provider's reason, a refusal code or `provider_timeout`. Null while the call runs. */
  readonly endedReason: string | null
  /** The variables that were given for this call, rendered. */
  readonly variables: { readonly [name: string]: VariableScalar }
  /** The JSON that was attached to the call. */
  readonly metadata: JsonObject | null
  /** Whether the provider has the call. */
  readonly submission: "intended" | "accepted" | "refused" | "unknown"
  /** The provider's id of the call. Null while it is not known. */
  readonly providerCallId: string | null
  /** When a worker next asks the provider about the call. Null when no further question is planned. */
  readonly reconcileAt: string | null
  /** How many times a worker has asked the provider since the delays last began again. */
  readonly reconcileCount: number
  /** When a worker last learned from the provider that the call was live. Null when no worker has. */
  readonly confirmedAt: string | null
  /** How many minutes of talk are reserved. */
  readonly reservedMinutes: number
  /** When a worker reserves the next minute. Null unless the call is answered, runs and has a price. */
  readonly reserveAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** One use of a tool by the agent during a call. */
export interface ToolCall {
  /** The name of the tool, such as `book`. */
  readonly name: string
  /** The arguments as the model wrote them. Null after retention has deleted them. */
  readonly arguments: Json
  /** The answer that the agent received. Null after retention has deleted it. */
  readonly answer: Json
  /** How long the answer took, in milliseconds. */
  readonly durationMs: number
  readonly at: string
}

/** A call with its tool calls. */
export interface CallDetail extends Call {
  /** The first 200 tool calls of the agent, in the order in which the agent made them. */
  readonly toolCalls: ReadonlyArray<ToolCall>
}

/** The call to start. Null counts as absent. */
export interface CreateCall {
  /** The number to call, in E.164 form. */
  readonly phoneNumber: string
  /** The agent's id, or its assistant id. */
  readonly agentId: number | string
  /** Values for this call alone, at most 50. */
  readonly variables?: { readonly [name: string]: VariableScalar } | null | undefined
  readonly contactId?: number | null | undefined
  /** Any JSON object that the caller wants to read back from the call. */
  readonly metadata?: JsonObject | null | undefined
}

/** The filters of the list of calls. Dates are days in the account's time zone, both included. */
export interface CallQuery {
  readonly startDate?: LocalDate | undefined
  readonly endDate?: LocalDate | undefined
  readonly status?: CallStatus | undefined
  readonly type?: CallDirection | undefined
  readonly agentId?: number | undefined
  readonly contactId?: number | undefined
  readonly phoneNumber?: string | undefined
  /** A part of the phone number, or of the name, the e-mail address or the company of the contact. */
  readonly search?: string | undefined
}

/** A call that was started. */
export interface StartedCall {
  readonly call: Call
  /** The names in the call's own variables that have no value. */
  readonly unresolvedVariables: ReadonlyArray<string>
}

/** The call that a dry run would have started. */
export interface CallDryRun {
  readonly agent: AgentRef
  readonly phoneNumber: string
  readonly contact: CallContact | null
  /** All variables that the agent would receive, rendered. */
  readonly variables: { readonly [name: string]: VariableScalar }
  /** The names in the call's own variables that have no value. */
  readonly unresolvedVariables: ReadonlyArray<string>
  /** What a start would reserve, in millionths of the currency: the price of the first minute. */
  readonly reservation: number
}

/** A call that was hung up. */
export interface HungUpCall {
  readonly outcome: "ends" | "had_ended"
  /** The call as it is stored now. It may still run, because the provider reports its end. */
  readonly call: Call
}

/** The calls of the caller's account. */
export interface Calls {
  /** Starts a call. */
  readonly start: (input: CreateCall, options?: CallOptions) => Promise<StartedCall>
  /** Makes all checks of a start without calling anybody, and reserves nothing. */
  readonly dryRun: (input: CreateCall, options?: CallOptions) => Promise<CallDryRun>
  /** Returns a call with its tool calls, by its id, its call id or the provider's id. */
  readonly get: (id: number | string, options?: CallOptions) => Promise<CallDetail>
  /** Lists the calls that match the filters, newest first. */
  readonly list: (query?: CallQuery & PageQuery, options?: CallOptions) => List<Call>
  /** Lists the deliveries of webhook events about a call to all webhooks of the account, newest first, at most 10,000. */
  readonly deliveries: (id: number | string, query?: PageQuery, options?: CallOptions) => List<Delivery>
  /** Ends a running call. */
  readonly hangUp: (id: number | string, options?: CallOptions) => Promise<HungUpCall>
}
