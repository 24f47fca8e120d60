import { Principal } from "@frontdesk/core/access/Principal"
import * as Acting from "@frontdesk/core/audit/Acting"
import type { AllowedTools } from "@frontdesk/core/agent/AgentTool"
import { CurrentSlotHolder } from "@frontdesk/core/availability/BusyTimes"
import { CurrentMaxWait } from "@frontdesk/core/availability/ExternalBusy"
import type { Conversation } from "@frontdesk/core/call/Conversation"
import { SlotUnavailable } from "@frontdesk/core/calendar-event/CalendarEventError"
import type { Call } from "@frontdesk/core/call/Call"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Speech from "../speech/Speech.ts"
import type { Texts } from "../speech/Texts.ts"
import type { Refusal } from "../tool/ToolAnswers.ts"
import * as Refusals from "./Refusals.ts"
import type { SlotOffers } from "./SlotOffers.ts"

/** The user of tools: a caller of the API in a conversation. */
export interface ToolUser {
  /** The account, and the permissions with which the tools are used. */
  readonly principal: Principal["Service"]
  readonly conversation: Conversation
  /** The call of the conversation, or null without one. */
  readonly call: Call | null
  /** The tools that the agent of the call may use. Null allows every tool. */
  readonly allowedTools: AllowedTools | null
  readonly texts: Texts
}

/** How long a tool waits for an external calendar. The rest of its two seconds is for the answer. */
const maxWait = Duration.millis(1_500)

/** The speaker of an answer, with the texts that it uses. */
export type Voice = Speech.Speaker & { readonly texts: Texts }

/** Runs a tool as its user, and answers its errors. */
export type Act = <A, E extends { readonly _tag: string }>(
  run: (voice: Voice) => Effect.Effect<A, E, Principal>
) => Effect.Effect<A | Refusal>

const isSlotUnavailable = Schema.is(SlotUnavailable)

/** Returns the function that runs tools as a user. */
export const act =
  ({ conversation, principal, texts }: ToolUser, { refused }: SlotOffers): Act =>
  (run) =>
    Effect.gen(function* () {
      const zone = principal.account.settings.timeZone
      const voice = { zone, now: yield* Clock.currentTimeMillis, texts }
      return yield* run(voice).pipe(
        Effect.catch((error) =>
          isSlotUnavailable(error) ? refused(error, conversation, voice) : Refusals.answerOf(error, texts)
        ),
        Effect.provideService(CurrentSlotHolder, conversation.holder),
        Effect.provideService(CurrentMaxWait, maxWait),
        Effect.provideService(Principal, principal),
        Acting.by("agent_tool", conversation.holder, principal.account.id)
      )
    })
