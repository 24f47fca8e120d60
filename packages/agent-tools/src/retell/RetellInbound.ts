import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type JsonFields, lenient, ShortText } from "../wire/Json.ts"

/** An inbound call that Retell asks about. It has no id yet, so it creates no call. */
export interface RetellInboundCall {
  readonly agentId: string | null
  readonly fromNumber: string
  readonly toNumber: string
}

/** What answers an inbound call. */
export type RetellInboundAnswer =
  | {
      readonly _tag: "Accepted"
      /** The id of the agent at Retell. Null: the agent of the number answers. */
      readonly agentId: string | null
      readonly variables: Readonly<Record<string, string | number | boolean>>
      /** Retell sends it back with everything about the call. */
      readonly metadata?: JsonFields | undefined
    }
  /** Retell rejects the call when neither the answer nor the number names an agent. */
  | { readonly _tag: "Refused" }

/** The body of the answer to a `call_inbound` webhook. */
export interface RetellInboundResponse {
  readonly call_inbound: {
    readonly override_agent_id?: string
    readonly dynamic_variables?: Readonly<Record<string, string>>
    readonly metadata?: JsonFields
  }
}

const decodeBody = Schema.decodeUnknownResult(
  Schema.Struct({
    event: Schema.Literal("call_inbound"),
    call_inbound: Schema.Struct({ agent_id: lenient(ShortText), from_number: ShortText, to_number: ShortText })
  })
)

/**
 * Decodes the webhook `call_inbound`, with which Retell asks how to answer an inbound call. Retell waits 10 seconds. Fails
 * with a reason for any other body.
 */
export const decode = (body: unknown): Result.Result<RetellInboundCall, string> =>
  Result.match(decodeBody(body), {
    onFailure: () => Result.fail("the body is not a call_inbound webhook with from_number and to_number"),
    onSuccess: ({ call_inbound: call }) =>
      Result.succeed({ agentId: call.agent_id ?? null, fromNumber: call.from_number, toNumber: call.to_number })
  })

/** Returns the body of the answer. Retell takes variables as texts only. */
export const encode = (answer: RetellInboundAnswer): RetellInboundResponse => {
  if (answer._tag === "Refused") return { call_inbound: {} }
  const variables = Object.entries(answer.variables).map(([name, value]): [string, string] => [name, String(value)])
  return {
    call_inbound: {
      ...(answer.agentId === null ? {} : { override_agent_id: answer.agentId }),
      dynamic_variables: Object.fromEntries(variables),
      ...(answer.metadata === undefined ? {} : { metadata: answer.metadata })
    }
  }
}
