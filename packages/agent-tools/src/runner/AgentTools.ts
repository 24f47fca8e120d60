import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import type { Principal } from "@frontdesk/core/access/Principal"
import { isAllowed } from "@frontdesk/core/agent/AgentTool"
import type { Appointments } from "@frontdesk/core/booking/Appointments"
import type { Availability } from "@frontdesk/core/availability/Availability"
import type { Bookings } from "@frontdesk/core/booking/Bookings"
import * as Conversation from "@frontdesk/core/call/Conversation"
import type { SlotIds } from "@frontdesk/core/booking/SlotIds"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { allVariables } from "@frontdesk/core/call/Personalization"
import type { Call } from "@frontdesk/core/call/Call"
import type { CallSession, CallSessions } from "@frontdesk/core/call/CallSessions"
import type { Contacts } from "@frontdesk/core/contact/Contacts"
import type { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import { ToolCalls } from "@frontdesk/core/call/ToolCalls"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { english } from "../speech/English.ts"
import { Languages, textsOf } from "../speech/Languages.ts"
import * as Speech from "../speech/Speech.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as BookedEvent from "./BookedEvent.ts"
import * as BookingTools from "./BookingTools.ts"
import * as PersonTools from "./PersonTools.ts"
import * as RecordedToolCall from "./RecordedToolCall.ts"
import * as ToldContact from "./ToldContact.ts"
import { act, type ToolUser } from "./ToolUser.ts"

/** Makes the tools of Frontdesk for a user. They speak the language of the account, see {@link Languages}. */
export class AgentTools extends Context.Service<
  AgentTools,
  {
    /**
     * Returns the tools for a caller without a call: `get_context`, `find_slots`, `hold_slot`, `book` and `request_callback`,
     * as far as the caller has the permissions. A booking is for the customer whom the arguments name.
     */
    readonly ofCaller: (principal: Principal["Service"], conversation: Conversation.Conversation) => Toolbox.Toolbox
    /**
     * Returns the tools for the agent of a call. They act for the person on the telephone, as the call names that person, and
     * every tool call is stored with the call. They are those that the agent may use (D-AGENT-9).
     */
    readonly ofCall: (session: CallSession) => Toolbox.Toolbox
  }
>()("@frontdesk/agent-tools/runner/AgentTools") {
  /** Needs the services of core. */
  static readonly layer: Layer.Layer<
    AgentTools,
    never,
    | Appointments
    | Availability
    | Bookings
    | BusinessContext
    | CallSessions
    | Contacts
    | DoNotCallLists
    | SlotIds
    | ToolCalls
  > = Layer.effect(
    AgentTools,
    Effect.gen(function* () {
      const business = yield* BusinessContext
      const languages = yield* Languages
      const toolCalls = yield* ToolCalls
      const booking = yield* BookingTools.make
      const person = yield* PersonTools.make

      /** Stores a tool call with its call, unless core has stored it. */
      const record = (call: Call, toolCall: Toolbox.ToolCall) =>
        RecordedToolCall.isStored(toolCall)
          ? Effect.void
          : toolCalls
              .record(call, RecordedToolCall.of(toolCall))
              .pipe(Effect.catch((error) => Effect.logWarning("A tool call could not be stored with its call", error)))

      /** Returns what is known of the person on the telephone, as far as the agent may use the tools that tell it (D-AGENT-9). */
      const personOf = Effect.fnUntraced(function* (user: ToolUser, speaker: Speech.Speaker) {
        const { allowedTools, call, principal } = user
        if (call === null) return { contact: null, appointments: [], variables: {} }
        const may = (operation: Operation) => principal.permissions.has(permissions[operation])
        const appointments = isAllowed(allowedTools, "my_appointments") ? yield* person.appointments.list(call) : []
        const contact =
          may("contacts.get") && isAllowed(allowedTools, "get_contact") ? yield* person.toldContact(call, user) : null
        const businessContext = may("business.get") ? yield* business.get : {}
        return {
          contact: contact === null ? null : ToldContact.fieldsOf(contact),
          appointments: appointments.map((event) => BookedEvent.answerOf(event, speaker.zone)),
          variables: ToldContact.shortened(allVariables({ businessContext, contact }, call.variables))
        }
      })

      const toolboxOf = (user: ToolUser): Toolbox.Toolbox => {
        const { allowedTools, call, principal, texts } = user
        const acting = act(user, booking.offers)
        const get_context = () =>
          acting(
            Effect.fnUntraced(function* (voice) {
              return {
                say: Speech.present(voice),
                now: formatOffset(voice.now, voice.zone),
                time_zone: voice.zone,
                days: Speech.nextDays(voice),
                ...(yield* personOf(user, voice))
              }
            })
          )
        return Toolbox.make({
          permissions: principal.permissions,
          allowedTools,
          hasCall: call !== null,
          runners: {
            get_context,
            ...booking.runnersOf(user, acting),
            ...(call !== null && person.runnersOf(call, user, acting))
          },
          texts
        })
      }

      return AgentTools.of({
        ofCaller: (principal, conversation) =>
          toolboxOf({
            principal,
            conversation,
            call: null,
            allowedTools: null,
            texts: textsOf(languages, principal.account)
          }),
        ofCall: ({ allowedTools, call, principal }) => {
          const conversation = Conversation.ofCall(call.id, call.agent.id)
          const texts = textsOf(languages, principal.account)
          const toolbox = toolboxOf({ principal, conversation, call, allowedTools, texts })
          return Toolbox.observed(toolbox, (toolCall) => record(call, toolCall))
        }
      })
    })
  )
}

const unknownCall = Toolbox.refusing({ say: english.notAllowed, error: "unknown_call" })

/** Returns the tools for the agent of a call. When the call is not known, every tool call is refused. */
export const ofSession = (tools: AgentTools["Service"], session: Option.Option<CallSession>): Toolbox.Toolbox =>
  Option.match(session, { onNone: () => unknownCall, onSome: tools.ofCall })
