import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Answer from "../tool/Answer.ts"
import type { Toolbox } from "../tool/Toolbox.ts"
import { lenient, ShortText } from "../wire/Json.ts"
import { runCall } from "../wire/RunCall.ts"

/** Which call a request of Retell is about. Only a signed request proves it. */
export interface RetellCallIdentity {
  /** The id of the call at Retell. */
  readonly providerCallId: string
  readonly agentId: string | null
  readonly fromNumber: string | null
  readonly toNumber: string | null
  readonly direction: "inbound" | "outbound" | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A decoded request of a custom function. */
export interface RetellFunctionCall {
  readonly name: string
  readonly args: unknown
  readonly call: RetellCallIdentity
}

const decodeBody = Schema.decodeUnknownResult(
  Schema.Struct({
    name: ShortText,
    args: Schema.optionalKey(Schema.Unknown),
    call: Schema.Struct({
      call_id: ShortText,
      agent_id: lenient(ShortText),
      from_number: lenient(ShortText),
      to_number: lenient(ShortText),
      direction: lenient(Schema.Literals(["inbound", "outbound"])),
      metadata: lenient(Schema.Record(Schema.String, Schema.Unknown))
    })
  })
)

/**
 * Decodes the body with which Retell calls a custom function: `{ name, args, call }`. Fails with a reason for any other body.
 * The function must be set up to send the call, and not its arguments alone.
 */
export const decode = (body: unknown): Result.Result<RetellFunctionCall, string> =>
  Result.match(decodeBody(body), {
    onFailure: () => Result.fail("the body needs name, args and call with call_id; turn off args only at Retell"),
    onSuccess: ({ args, call, name }) =>
      Result.succeed({
        name,
        args: args ?? {},
        call: {
          providerCallId: call.call_id,
          agentId: call.agent_id ?? null,
          fromNumber: call.from_number ?? null,
          toNumber: call.to_number ?? null,
          direction: call.direction ?? null,
          metadata: call.metadata ?? {}
        }
      })
  })

/**
 * Carries out a custom function, and returns the body of the answer: one line of JSON, `say` first. The HTTP status is always
 * 200, because Retell repeats a request after any other one.
 *
 * The time of `toolboxOf` counts towards the limit of the tool.
 */
export const run = <R = never, R1 = never>(
  { args, call, name }: RetellFunctionCall,
  toolboxOf: (call: RetellCallIdentity) => Effect.Effect<Toolbox<R>, never, R1>
): Effect.Effect<string, never, R | R1> =>
  Effect.map(
    runCall(
      Effect.suspend(() => toolboxOf(call)),
      (toolbox) => toolbox.call(name, args)
    ),
    Answer.toLine
  )
