import { Principal } from "@frontdesk/core/access/Principal"
import type { Availability } from "@frontdesk/core/availability/Availability"
import { CurrentSlotHolder } from "@frontdesk/core/availability/BusyTimes"
import { Bookings, type Recording } from "@frontdesk/core/booking/Bookings"
import type { Conversation } from "@frontdesk/core/booking/Conversation"
import type { SlotIds } from "@frontdesk/core/booking/SlotIds"
import { SlotUnavailable } from "@frontdesk/core/calendar-event/CalendarEventError"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { english } from "../speech/English.ts"
import * as Speech from "../speech/Speech.ts"
import type { Texts } from "../speech/Texts.ts"
import type { AnswersByName, Refusal } from "../tool/ToolAnswers.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import type { ArgumentsByName } from "../tool/Tools.ts"
import * as BookedEvent from "./BookedEvent.ts"
import * as Refusals from "./Refusals.ts"
import * as SlotOffers from "./SlotOffers.ts"

/** The user of tools: a caller of the API in a conversation. */
export interface ToolUser {
  /** The account, and the permissions of its API key. */
  readonly principal: Principal["Service"]
  readonly conversation: Conversation
  /** The texts of the account. Default: {@link english}. */
  readonly texts?: Texts | undefined
}

const isSlotUnavailable = Schema.is(SlotUnavailable)

const decodeStored = Schema.decodeUnknownEffect(BookedEvent.StoredAnswer)

/** The speaker of an answer, with the texts that it uses. */
type Voice = Speech.Speaker & { readonly texts: Texts }

/** Makes the tools of Frontdesk for a user. */
export class AgentTools extends Context.Service<
  AgentTools,
  {
    /**
     * Returns the tools for an API key that is used without a call: `get_context`, `find_slots`, `hold_slot` and `book`, as
     * far as the key has the permissions. A booking is for the customer whom the arguments name.
     */
    readonly ofApiKey: (user: ToolUser) => Toolbox.Toolbox
  }
>()("@frontdesk/agent-tools/runner/AgentTools") {
  /** Needs the services of core. */
  static readonly layer: Layer.Layer<AgentTools, never, Availability | Bookings | SlotIds> = Layer.effect(
    AgentTools,
    Effect.gen(function* () {
      const bookings = yield* Bookings
      const { offer, search, taken } = yield* SlotOffers.make

      const runnersOf = ({ conversation, principal, texts = english }: ToolUser): Toolbox.Runners => {
        const zone = principal.account.settings.timeZone
        const voice = Effect.map(Clock.currentTimeMillis, (now): Voice => ({ zone, now, texts }))

        /** Runs a tool as the user, and answers its errors. */
        const running = <A, E extends { readonly _tag: string }>(
          run: (voice: Voice) => Effect.Effect<A, E, Principal>
        ): Effect.Effect<A | Refusal> =>
          Effect.flatMap(voice, (speaker) =>
            run(speaker).pipe(
              Effect.catch((error) =>
                isSlotUnavailable(error) ? taken(error, conversation, speaker) : Refusals.answerOf(error, texts)
              ),
              Effect.provideService(CurrentSlotHolder, conversation.holder),
              Effect.provideService(Principal, principal)
            )
          )

        const findSlots = (given: ArgumentsByName["find_slots"]) =>
          running(
            Effect.fnUntraced(function* (speaker) {
              const chosen = SlotOffers.choose(yield* search(given), zone)
              const starts = chosen.map(({ start }) => start)
              return {
                say: texts.slots(Speech.choices(speaker, starts)),
                slots: yield* offer(chosen, conversation, speaker)
              }
            })
          )

        const holdSlot = ({ slotId }: ArgumentsByName["hold_slot"]) =>
          running(
            Effect.fnUntraced(function* (speaker) {
              const { expiresAt, startTime } = yield* bookings.hold(conversation, slotId)
              const when = Speech.moment(speaker, DateTime.toEpochMillis(startTime))
              return { say: texts.slotHeld(when), expires_at: DateTime.formatIso(expiresAt) }
            })
          )

        const book = (given: ArgumentsByName["book"]) =>
          running(
            Effect.fnUntraced(function* (speaker) {
              const recording: Recording = {
                conversation,
                tool: "book",
                arguments: BookedEvent.argumentsOf(given),
                startedAt: DateTime.makeUnsafe(speaker.now),
                answerOf: (event) => {
                  const when = Speech.moment(speaker, DateTime.toEpochMillis(event.startTime))
                  return { say: texts.booked(when), event: BookedEvent.answerOf(event, zone) }
                }
              }
              const fields = BookedEvent.fieldsOf(given, conversation, texts)
              return yield* Effect.orDie(decodeStored(yield* bookings.book(recording, given.slotId, fields)))
            })
          )

        const context = () =>
          running((speaker) =>
            Effect.succeed<AnswersByName["get_context"]>({
              say: texts.now(Speech.moment(speaker, speaker.now)),
              now: formatOffset(speaker.now, zone),
              time_zone: zone,
              days: Speech.nextDays(speaker),
              contact: null,
              appointments: [],
              variables: {}
            })
          )

        return { get_context: context, find_slots: findSlots, hold_slot: holdSlot, book }
      }

      return AgentTools.of({
        ofApiKey: (user) =>
          Toolbox.make({
            permissions: user.principal.permissions,
            hasCall: false,
            runners: runnersOf(user),
            texts: user.texts
          })
      })
    })
  )
}
