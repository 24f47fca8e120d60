import * as Schema from "effect/Schema"
import { ContactId } from "../contact/Contact.ts"

/** The body of an erasure. The contact cannot be restored, so the request must confirm it. */
export const EraseContact = Schema.Struct({ confirm: Schema.Literal(true) })

/** The body of an erasure. */
export type EraseContact = typeof EraseContact.Type

/**
 * What an erasure leaves, because it is not the account's data alone or not stored here (D-ERASE-4).
 *
 * - `do_not_call_list`: numbers of the contact on the list, without which the person could be called again.
 * - `sent_webhooks`, `sent_mails`: what webhooks and mails have delivered before.
 * - `provider_data`: what the call provider stores, such as recordings.
 * - `external_calendars`: copies of calendar events, until the next write replaces them.
 * - `unfinished_imports`: parts of files that are not read yet, which may have the person.
 * - `shared_numbers`: calls and calendar events without a contact whose number or address another contact has too, or whose number
 *   is withheld. They may be about another person (D-ERASE-8).
 * - `team_answers`: answers to team mates about the contact that their idempotency keys store for up to 24 hours.
 * - `backups`: copies of the database, and space in its files until it is used again.
 */
export const Remaining = Schema.Literals([
  "do_not_call_list",
  "sent_webhooks",
  "sent_mails",
  "provider_data",
  "external_calendars",
  "unfinished_imports",
  "shared_numbers",
  "team_answers",
  "backups"
])

/** What an erasure has cleared or deleted, and what it leaves. Counts are those of this request. */
export const ErasureReport = Schema.Struct({
  contactId: ContactId,
  calls: Schema.Int,
  toolCalls: Schema.Int,
  calendarEvents: Schema.Int,
  /** How many of the calendar events end in the future. They stay in the calendar without the person. */
  futureCalendarEvents: Schema.Int,
  mails: Schema.Int,
  deliveries: Schema.Int,
  storedAnswers: Schema.Int,
  refusedLines: Schema.Int,
  remaining: Schema.Array(Remaining)
})

/** What an erasure has cleared or deleted, and what it leaves. */
export type ErasureReport = typeof ErasureReport.Type
