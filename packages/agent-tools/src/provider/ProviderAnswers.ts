import type { CallbackBody, InboundDecision, ProviderQuestion } from "@frontdesk/core/call/CallProvider"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import { type InboundAnswer, InboundCalls } from "@frontdesk/core/call/InboundCalls"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as RetellFunction from "../retell/RetellFunction.ts"
import { AgentTools, ofSession } from "../runner/AgentTools.ts"
import { english } from "../speech/English.ts"
import { Languages, textsOf } from "../speech/Languages.ts"
import { defaultLimit, within } from "../tool/TimeLimit.ts"
import * as Answer from "../tool/Answer.ts"
import * as VapiToolCalls from "../vapi/VapiToolCalls.ts"

const json = (text: string): CallbackBody => ({ contentType: "application/json", text })

/**
 * Makes the function that answers the questions of a call provider, for `CallbackOptions.answer` of `@frontdesk/http`: which
 * agent takes an inbound call, and what the tools of an agent return. It answers within 2 seconds, whatever happens.
 */
export const make = Effect.gen(function* () {
  const inboundCalls = yield* InboundCalls
  const languages = yield* Languages
  const sessions = yield* CallSessions
  const tools = yield* AgentTools

  /** Returns the decision for the provider. A refusal has a sentence that says nothing of the account. */
  const decisionOf = (answer: InboundAnswer): InboundDecision => {
    if (answer._tag === "Accepted") {
      const { agent, call, maxDurationSeconds, variables } = answer
      return {
        _tag: "Accepted",
        ref: call?.callId ?? null,
        assistantId: agent.assistantId,
        variables,
        maxDurationSeconds
      }
    }
    const texts = answer.account === null ? english : textsOf(languages, answer.account)
    return { _tag: "Refused", say: answer.reason === "unknown_number" ? texts.unknownNumber : texts.lineBusy }
  }

  const busy: InboundDecision = { _tag: "Refused", say: english.lineBusy }

  const decide = ({ numbers, providerCallId }: Extract<ProviderQuestion, { readonly _tag: "InboundCall" }>) =>
    within(
      inboundCalls.answer(providerCallId, numbers).pipe(
        Effect.map(decisionOf),
        Effect.catchCause((cause) => Effect.as(Effect.logError("An inbound call could not be decided", cause), busy))
      ),
      defaultLimit,
      () => Effect.as(Effect.logWarning("An inbound call was refused, because it was not decided in time"), busy)
    )

  /** Returns the tools of the call that a request names. */
  const toolboxOf = (question: Extract<ProviderQuestion, { readonly _tag: "ToolCalls" }>) =>
    Effect.orDie(Effect.map(sessions.ofProvider(question.call), (session) => ofSession(tools, session)))

  const callTools = (question: Extract<ProviderQuestion, { readonly _tag: "ToolCalls" }>) => {
    const vapi = VapiToolCalls.decode(question.message)
    if (Result.isSuccess(vapi)) {
      return Effect.map(
        VapiToolCalls.run(vapi.success, () => toolboxOf(question)),
        (body) => json(JSON.stringify(body))
      )
    }
    const retell = RetellFunction.decode(question.message)
    if (Result.isSuccess(retell)) {
      return Effect.map(
        RetellFunction.run(retell.success, () => toolboxOf(question)),
        json
      )
    }
    const unread = Answer.toLine({ say: english.serverError, error: Answer.codes.serverError })
    return Effect.as(
      Effect.logWarning(`Tool calls could not be read: ${vapi.failure}, and ${retell.failure}`),
      json(unread)
    )
  }

  return (question: ProviderQuestion): Effect.Effect<CallbackBody> =>
    question._tag === "InboundCall" ? Effect.map(decide(question), question.bodyOf) : callTools(question)
})
