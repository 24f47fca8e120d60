import type { Recording } from "@frontdesk/core/booking/BookingInput"
import { Bookings } from "@frontdesk/core/booking/Bookings"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { SlotUnavailable } from "@frontdesk/core/calendar-event/CalendarEventError"
import { addDays } from "@frontdesk/core/values/CalendarDate"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Speech from "../speech/Speech.ts"
import type { Texts } from "../speech/Texts.ts"
import * as StatedTime from "../speech/StatedTime.ts"
import type { Answer } from "../tool/Answer.ts"
import type { Refusal } from "../tool/ToolAnswers.ts"
import type * as Toolbox from "../tool/Toolbox.ts"
import type { ArgumentsByName, ToolName } from "../tool/Tools.ts"
import type { JsonFields } from "../wire/Json.ts"
import * as BookedEvent from "./BookedEvent.ts"
import * as SlotOffers from "./SlotOffers.ts"
import type { Act, ToolUser, Voice } from "./ToolUser.ts"

const decodeStored = Schema.decodeUnknownEffect(BookedEvent.StoredAnswer)

/** Returns an answer of core as it was stored. */
export const storedAnswer = (answer: Schema.Json) => Effect.orDie(decodeStored(answer))

/** Returns the record of a tool call that changes an event. */
export const recordingOf = (
  { conversation }: ToolUser,
  voice: Voice,
  tool: ToolName,
  given: JsonFields,
  say: (when: string) => string
): Recording => ({
  conversation,
  tool,
  arguments: given,
  startedAt: DateTime.makeUnsafe(voice.now),
  answerOf: (event: CalendarEvent) => ({
    say: say(Speech.moment(voice, DateTime.toEpochMillis(event.startTime))),
    event: BookedEvent.answerOf(event, voice.zone)
  })
})

/** The length of a call back, in minutes. */
export const callbackMinutes = 15

/** How many times another time is chosen for a call back, when the chosen one was taken meanwhile. */
const maxRetries = 3

/** Within how many days a call back is planned when the person names no day. */
export const callbackDays = 14

/** Returns the function that makes the runners of the tools that find and book times. */
export const make = Effect.gen(function* () {
  const bookings = yield* Bookings
  const offers = yield* SlotOffers.make

  const runnersOf = (user: ToolUser, act: Act) => {
    const { conversation, principal, texts } = user
    const zone = principal.account.settings.timeZone

    const find_slots = (given: ArgumentsByName["find_slots"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const chosen = SlotOffers.choose(yield* offers.search(given), zone)
          return {
            say: texts.slots(Speech.choices(voice, startsOf(chosen))),
            slots: yield* offers.offer(chosen, conversation, voice)
          }
        })
      )

    const hold_slot = ({ slotId }: ArgumentsByName["hold_slot"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const { expiresAt, startTime } = yield* bookings.hold(conversation, slotId)
          const when = Speech.moment(voice, DateTime.toEpochMillis(startTime))
          return { say: texts.slotHeld(when), expires_at: DateTime.formatIso(expiresAt) }
        })
      )

    const book = (given: ArgumentsByName["book"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const recording = recordingOf(user, voice, "book", BookedEvent.argumentsOf(given), texts.booked)
          return yield* storedAnswer(yield* bookings.book(recording, given.slotId, BookedEvent.fieldsOf(given, user)))
        })
      )

    const request_callback = (given: ArgumentsByName["request_callback"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const period = callbackPeriod(voice, given)
          if (Result.isFailure(period)) return period.failure
          if (BookedEvent.reachableAt(given, user) === null) {
            return { say: texts.phoneNumberMissing, error: "phone_number_missing" } satisfies Refusal
          }
          const args = BookedEvent.callbackArgumentsOf(given)
          const recording = {
            ...recordingOf(user, voice, "request_callback", args, texts.callbackRequested),
            // In a call, a further request is a repeat, whatever its arguments are.
            sameAs: user.call === null ? args : {}
          }
          const first = yield* bookings.firstAnswer(recording)
          if (Option.isSome(first)) return yield* storedAnswer(first.value)
          const { partOfDay } = given
          const fields = BookedEvent.callbackFieldsOf(given, user)
          const bookFirst = Effect.gen(function* () {
            const [slot] = yield* offers.search({
              ...period.success,
              durationMinutes: callbackMinutes,
              ...(partOfDay !== undefined && { partOfDay })
            })
            if (slot === undefined) return noFreeTime(texts)
            const [offered] = yield* offers.offer([slot], conversation, voice)
            return yield* storedAnswer(yield* bookings.book(recording, offered?.slot_id ?? "", fields))
          })
          // Several conversations may choose the same time at once. The person has not chosen it, so another one does.
          return yield* Effect.retry(bookFirst, { times: maxRetries, while: isSlotUnavailable })
        })
      )

    return { find_slots, hold_slot, book, request_callback } satisfies Toolbox.Runners
  }

  return { offers, runnersOf }
})

const noFreeTime = (texts: Texts): Refusal => ({ say: texts.slots([]), error: "slot_unavailable", slots: [] })

const isSlotUnavailable = Schema.is(SlotUnavailable)

const startsOf = (slots: ReadonlyArray<{ readonly start: number }>) => slots.map(({ start }) => start)

/** Returns the days in which a call back is planned, or the refusal of a date and a weekday that disagree. */
const callbackPeriod = (
  voice: Voice,
  { date, weekday }: Pick<ArgumentsByName["request_callback"], "date" | "weekday">
): Result.Result<Pick<ArgumentsByName["find_slots"], "fromDate" | "toDate">, Answer & { readonly error: string }> => {
  const fromDate = Speech.today(voice)
  if (date === undefined) return Result.succeed({ fromDate, toDate: addDays(fromDate, callbackDays - 1) })
  return Result.match(StatedTime.checkDay(voice, { date, weekday: weekday ?? "" }), {
    onFailure: ({ code, field, say }) => Result.fail({ say, error: code, field }),
    onSuccess: (day) => Result.succeed({ fromDate: day, toDate: day })
  })
}
