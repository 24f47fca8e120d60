import { Appointments } from "@frontdesk/core/booking/Appointments"
import { Bookings } from "@frontdesk/core/booking/Bookings"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventNotFound } from "@frontdesk/core/calendar-event/CalendarEventError"
import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"
import type { Call } from "@frontdesk/core/call/Call"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import * as ContactAccess from "@frontdesk/core/call/ContactAccess"
import { isAnonymous } from "@frontdesk/core/call/InboundNumber"
import { contactNames } from "@frontdesk/core/variable/DefaultVariables"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Speech from "../speech/Speech.ts"
import type { Refusal } from "../tool/ToolAnswers.ts"
import type * as Toolbox from "../tool/Toolbox.ts"
import type { ArgumentsByName } from "../tool/Tools.ts"
import * as BookedEvent from "./BookedEvent.ts"
import { recordingOf, storedAnswer } from "./BookingTools.ts"
import * as ToldContact from "./ToldContact.ts"
import type { Act, ToolUser, Voice } from "./ToolUser.ts"

/**
 * Returns the function that makes the runners of the tools that act for the person on the telephone. Who that is follows from
 * the call alone. No argument of a tool names a person.
 */
export const make = Effect.gen(function* () {
  const appointments = yield* Appointments
  const bookings = yield* Bookings
  const contacts = yield* Contacts
  const doNotCall = yield* DoNotCallLists
  const sessions = yield* CallSessions

  /** Returns the contact of a call as far as the agent may tell it, or null. */
  const toldContact = Effect.fnUntraced(function* (call: Call, { principal }: ToolUser) {
    if (call.contact === null) return null
    const access = ContactAccess.of(call, principal.account.settings)
    return yield* contacts.get(call.contact.id).pipe(
      Effect.map((contact) => ContactAccess.disclosed(access, contact)),
      // It was deleted during the call.
      Effect.catchTag("ContactNotFound", () => Effect.succeed(null))
    )
  })

  const runnersOf = (call: Call, user: ToolUser, act: Act) => {
    const { principal, texts } = user
    const { settings } = principal.account
    const notAllowed: Refusal = { say: texts.notAllowed, error: "not_allowed" }
    const contactNotFound: Refusal = { say: texts.contactNotFound, error: "contact_not_found" }
    const mayChange = ContactAccess.of(call, settings) === "all"

    const nameOf = (voice: Voice, event: CalendarEvent): string =>
      Speech.moment(voice, DateTime.toEpochMillis(event.startTime))

    /** Returns an appointment of the person. Fails with `CalendarEventNotFound` for any other event. */
    const theirs = Effect.fnUntraced(function* (eventId: number | string) {
      const key = CalendarEventKey.parse(String(eventId))
      if (Option.isNone(key)) return yield* new CalendarEventNotFound({ event: eventId })
      yield* appointments.get(call, key.value)
      return key.value
    })

    const my_appointments = () =>
      act(
        Effect.fnUntraced(function* (voice) {
          const events = yield* appointments.list(call)
          return {
            say: texts.appointments(events.map((event) => nameOf(voice, event))),
            events: events.map((event) => BookedEvent.answerOf(event, voice.zone))
          }
        })
      )

    const move = ({ eventId, slotId }: ArgumentsByName["move"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const key = yield* theirs(eventId)
          const recording = recordingOf(user, voice, "move", { event_id: eventId, slot_id: slotId }, texts.moved)
          return yield* storedAnswer(yield* bookings.move(recording, key, slotId))
        })
      )

    const cancel = ({ eventId, reason }: ArgumentsByName["cancel"]) =>
      act(
        Effect.fnUntraced(function* (voice) {
          const key = yield* theirs(eventId)
          const given = { event_id: eventId, ...(reason !== undefined && { reason }) }
          const recording = recordingOf(user, voice, "cancel", given, texts.cancelled)
          return yield* storedAnswer(yield* bookings.cancel(recording, key, reason ?? null))
        })
      )

    const get_contact = () =>
      act(
        Effect.fnUntraced(function* () {
          if (!mayChange) return notAllowed
          const contact = yield* toldContact(call, user)
          if (contact === null) return contactNotFound
          return { say: texts.contact(ToldContact.nameOf(contact)), contact: ToldContact.fieldsOf(contact) }
        })
      )

    const update_contact = (fields: ArgumentsByName["update_contact"]) =>
      act(
        Effect.fnUntraced(function* () {
          if (!mayChange) return notAllowed
          if (call.contact === null) return contactNotFound
          const refused = ToldContact.namesOf(fields).filter((name) => !settings.agentContactFields.includes(name))
          if (refused.length > 0) return { ...notAllowed, fields: refused }
          yield* contacts.patch(call.contact.id, fields)
          return { say: texts.contactUpdated }
        })
      )

    const set_variables = ({ variables }: ArgumentsByName["set_variables"]) =>
      act(
        Effect.fnUntraced(function* () {
          // A variable of such a name would hide the field of the contact.
          const reserved = Object.keys(variables).filter((name) => contactNames.some((field) => field === name))
          if (reserved.length > 0) return { ...notAllowed, fields: reserved }
          yield* sessions.setVariables(call, variables)
          return { say: texts.variablesSet }
        })
      )

    const opt_out = () =>
      act(
        Effect.fnUntraced(function* () {
          if (isAnonymous(call.phoneNumber)) return notAllowed
          yield* doNotCall.add([call.phoneNumber])
          return { say: texts.optedOut }
        })
      )

    return {
      my_appointments,
      move,
      cancel,
      get_contact,
      update_contact,
      set_variables,
      opt_out
    } satisfies Toolbox.Runners
  }

  return { appointments, runnersOf, toldContact }
})
