import type { InboundDecision, StartCall } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/BasePath"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import { refName } from "../request/Reference.ts"

/** Options of Retell. */
export interface Options {
  /** An API key of the workspace. */
  readonly apiKey: Redacted.Redacted<string>
  /** The API key with which Retell signs its requests. The dashboard marks it with "webhook". Default: `apiKey`. */
  readonly webhookKey?: Redacted.Redacted<string> | undefined
  /** The URL under which Retell reaches this server. */
  readonly publicUrl: URL
  /** The URL of Retell's API. Default: `https://api.retellai.com`. */
  readonly baseUrl?: URL | undefined
  /** The timeout of one request. Default: 10 seconds. A start has twice this time. */
  readonly timeout?: Duration.Input | undefined
}

/** Returns the API key with which Retell signs its requests. */
export const webhookKeyOf = ({ apiKey, webhookKey }: Options): Redacted.Redacted<string> => webhookKey ?? apiKey

type AcceptedCall = Extract<InboundDecision, { readonly _tag: "Accepted" }>

/** The shortest and the longest maximum duration of a call that Retell accepts. */
const [minSeconds, maxSeconds] = [60, 7_200]

/**
 * Returns the body that creates a call (docs.retellai.com, `POST /v2/create-phone-call`). Retell sends the webhooks of this
 * call to this server, and not to the address of the agent or the workspace.
 */
export const startBody = (options: Options, command: StartCall) => ({
  from_number: command.from,
  to_number: command.to,
  override_agent_id: command.assistantId,
  retell_llm_dynamic_variables: textsOf(command.variables),
  metadata: { [refName]: command.ref },
  agent_override: agentOverride(options, command)
})

/**
 * Returns the body that answers the webhook `call_inbound` (docs.retellai.com, Inbound webhook). A refusal names no agent.
 * Retell says nothing to the caller then, and rejects the call unless the number itself has an agent.
 */
export const inboundBody = (options: Options, decision: InboundDecision) => ({
  call_inbound:
    decision._tag === "Refused"
      ? {}
      : {
          override_agent_id: decision.assistantId,
          dynamic_variables: textsOf(decision.variables),
          ...(decision.ref === null ? {} : { metadata: { [refName]: decision.ref } }),
          agent_override: agentOverride(options, decision)
        }
})

const agentOverride = ({ publicUrl }: Options, { maxDurationSeconds }: Pick<AcceptedCall, "maxDurationSeconds">) => ({
  agent: {
    webhook_url: `${baseOf(publicUrl)}/providers/retell/webhook`,
    webhook_events: ["call_started", "call_ended", "call_analyzed"],
    max_call_duration_ms: Math.min(Math.max(maxDurationSeconds, minSeconds), maxSeconds) * 1_000
  }
})

/** Returns variables as Retell takes them: as texts. */
const textsOf = (variables: AcceptedCall["variables"]): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))
