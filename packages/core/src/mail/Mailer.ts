import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Check } from "../values/Check.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import { CalendarEvent, CalendarEventCustomer } from "../calendar-event/CalendarEvent.ts"
import { PreviousValues } from "../calendar-event/MailFields.ts"

const event = CalendarEvent.fields

/**
 * A mail that still shows the calendar event as it is when the mail is sent. It stores only what decides whether the
 * mail is still true by then, and the values that the change replaced.
 */
const CurrentNotification = Schema.Struct({
  kind: Schema.Literals(["created", "updated", "cancelled", "reminder"]),
  event: Schema.Struct({
    id: event.id,
    accountId: event.accountId,
    startTime: event.startTime,
    /** The address that the change left. */
    customer: Schema.Struct({ email: CalendarEventCustomer.fields.email })
  }),
  /** Of `updated`: the values before the change. Absent in tasks that were stored before it was introduced. */
  previous: Schema.optionalKey(PreviousValues)
})

/**
 * The cancellation for an address that the calendar event no longer has. It stores all that its mail shows, as the
 * receiver last knew it: the event may have another customer when the mail is sent.
 */
const Withdrawal = Schema.Struct({
  kind: Schema.Literal("withdrawn"),
  event: Schema.Struct({
    id: event.id,
    accountId: event.accountId,
    title: event.title,
    startTime: event.startTime,
    endTime: event.endTime,
    location: event.location,
    /** The address that the change removed. */
    customer: Schema.Struct({ email: CalendarEventCustomer.fields.email }),
    /** Of the change: higher than the one the receiver has. */
    sequence: event.sequence,
    updatedAt: event.updatedAt
  })
})

/** A mail that waits in the outbox. */
export const Notification = Schema.Union([CurrentNotification, Withdrawal])

/** A mail that waits in the outbox. */
export type Notification = typeof Notification.Type

/**
 * What a mail tells the customer.
 *
 * - `created`: an invitation, also of an address that the calendar event has got since it was made.
 * - `updated`: something that a mail shows has changed.
 * - `cancelled`: the calendar event is cancelled.
 * - `withdrawn`: the calendar event takes place, without this address.
 * - `reminder`: the calendar event is about to begin.
 */
export type NotificationKind = Notification["kind"]

/** A mail as it is sent. */
export interface Message {
  readonly kind: NotificationKind
  /** The calendar event as the mail shows it. */
  readonly event: CalendarEvent
  /** Of `updated`: what the values that have changed were before. Empty for every other kind. */
  readonly previous: PreviousValues
  /** The account in whose name the mail is sent. */
  readonly account: {
    readonly name: string
    /** The zone of the times in the mail. */
    readonly timeZone: TimeZone
  }
}

/**
 * Returns a text that repeats of a message share and other messages do not. It follows from the calendar event, its
 * revision, the receiver, the kind, and what has changed. It holds personal data: send a digest of it.
 */
export const identityOf = ({ event, kind, previous }: Message): string =>
  JSON.stringify([
    event.uuid,
    event.sequence,
    DateTime.toEpochMillis(event.updatedAt),
    kind,
    event.customer.email,
    // Two changes that wait together show the same state, and differ in what was before.
    ...Object.entries(previous).toSorted(([a], [b]) => (a < b ? -1 : 1))
  ])

/**
 * The one error of mailers.
 *
 * - `invalid`: the message or its receiver is refused for good.
 * - `unauthorized`: the mail server refuses the credentials.
 * - `transport`: it cannot be reached, or refuses for now.
 */
export class MailerError extends Schema.TaggedError<MailerError>("@frontdesk/core/mail/MailerError")("MailerError", {
  reason: Schema.Literals(["invalid", "unauthorized", "transport"]),
  /** True when the message certainly did not get to the server, or was refused by it. Without it that is not known. */
  isUnsent: Schema.optionalKey(Schema.Boolean),
  cause: Schema.Defect()
}) {
  /** Whether the receiver may have got the message although its sending has failed. */
  get mayHaveArrived(): boolean {
    return this.reason === "transport" && this.isUnsent !== true
  }

  /** Whether the same message may get through later. */
  get isRetryable(): boolean {
    return this.reason === "transport"
  }
}

/** Port: tells customers of their events. A repeat of the same message is recognisable by `identityOf`. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether messages are sent at all; when not, none is written to the outbox. */
    readonly enabled: boolean
    /**
     * The address that stands as the organizer in invitations and in calendar files. Null when there is none, as without
     * mail.
     */
    readonly organizer: string | null
    /** Sends one message. */
    readonly send: (message: Message) => Effect.Effect<void, MailerError>
    /** Whether messages can be sent as the mailer is set up; sends none. */
    readonly check: Effect.Effect<Check>
  }
>()("@frontdesk/core/mail/Mailer") {
  /** Sends nothing. */
  static readonly layerNone: Layer.Layer<Mailer> = Layer.succeed(
    Mailer,
    Mailer.of({
      enabled: false,
      organizer: null,
      send: () => Effect.void,
      check: Effect.succeed({ isUsable: true, says: "no mail is sent" })
    })
  )
}
