import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonFields } from "../wire/Json.ts"
import { CallFields, identityOf, type VapiCallIdentity } from "./VapiCallIdentity.ts"

/** The values of variables, by name. */
export type VariableValues = Readonly<Record<string, string | number | boolean>>

/** What answers an inbound call. */
export type VapiAssistantAnswer =
  | {
      readonly _tag: "Accepted"
      /** The id of the assistant at Vapi. */
      readonly assistantId: string
      readonly variableValues: VariableValues
      /** Other overrides of the assistant, such as `metadata`, `server` and `serverMessages`. */
      readonly overrides?: JsonFields | undefined
    }
  | {
      readonly _tag: "Refused"
      /** What Vapi says to the caller before it hangs up. */
      readonly say: string
    }

/** The body of the answer to an `assistant-request` message. */
export type VapiAssistantResponse =
  | { readonly assistantId: string; readonly assistantOverrides: JsonFields }
  | { readonly error: string }

const decodeMessage = Schema.decodeUnknownResult(
  Schema.Struct({ message: Schema.Struct({ ...CallFields, type: Schema.Literal("assistant-request") }) })
)

/**
 * Decodes an `assistant-request` message, with which Vapi asks which assistant takes an inbound call. Vapi waits 7.5 seconds
 * for the answer. Fails with a reason when the message is of another type.
 */
export const decode = (message: unknown): Result.Result<VapiCallIdentity, string> =>
  Result.match(decodeMessage(message), {
    onFailure: () => Result.fail("the body is not an assistant-request message"),
    onSuccess: ({ message }) => Result.succeed(identityOf(message))
  })

/** Returns the body of the answer. The HTTP status is 200, also for a refusal. */
export const encode = (answer: VapiAssistantAnswer): VapiAssistantResponse =>
  answer._tag === "Refused"
    ? { error: answer.say }
    : {
        assistantId: answer.assistantId,
        assistantOverrides: { ...answer.overrides, variableValues: answer.variableValues }
      }
