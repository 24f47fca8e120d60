import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarEventError.ts"
import { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import * as Ics from "../calendar-event/Ics.ts"
import { Mailer } from "../mail/Mailer.ts"

/** Returns the functions that publish calendar events as iCalendar files. */
export const make = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const links = yield* CalendarLinks
  const mailer = yield* Mailer

  /** Returns whether an account may see an event now: as its owner, or through a team. */
  const isVisibleTo = Effect.fnUntraced(function* ({ accountId, team }: CalendarEvent, reader: AccountId) {
    if (reader === accountId) return true
    const account = yield* accounts.find(reader)
    return team !== null && Option.exists(account, ({ teamIds }) => teamIds.includes(team.id))
  })

  /** Returns the calendar file of an event, with the account that owns it as organizer. */
  const publish = Effect.fnUntraced(function* (event: CalendarEvent) {
    const owner = yield* accounts.find(event.accountId)
    const name = Option.match(owner, { onNone: () => "", onSome: (account) => account.name })
    return Ics.calendar(event, { method: "PUBLISH", organizer: { name, email: mailer.organizer } })
  })

  /**
   * Returns the calendar file for a request with the signed link of an event. Fails with `CalendarEventNotFound` for an
   * invalid signature, and for the link of a team mate that no longer sees the event (D-ICS-7).
   */
  const publishBySignature = Effect.fnUntraced(function* (event: CalendarEvent, signature: string) {
    const reader = yield* links.readerOf(event, signature)
    if (Option.isNone(reader) || !(yield* isVisibleTo(event, reader.value))) {
      return yield* new CalendarEventNotFound({ event: event.uuid })
    }
    return yield* publish(event)
  })

  return { publish, publishBySignature }
})
