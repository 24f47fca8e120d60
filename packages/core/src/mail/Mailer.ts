import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Check } from "../values/Check.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import { CalendarEvent, CalendarEventCustomer } from "../calendar-event/CalendarEvent.ts"
import { PreviousValues } from "../calendar-event/MailFields.ts"

const event = CalendarEvent.fields

/**
 * A mail that shows the calendar event as it is when the mail is sent. It stores only what decides whether the mail is
 * still valid then, and the values that the change replaced (D-MAIL-6).
 */
const CurrentNotification = Schema.Struct({
  kind: Schema.Literals(["created", "updated", "cancelled", "reminder"]),
  event: Schema.Struct({
    id: event.id,
    accountId: event.accountId,
    startTime: event.startTime,
    /** The address of the customer after the change. */
    customer: Schema.Struct({ email: CalendarEventCustomer.fields.email })
  }),
  /** For `updated`, the values before the change. Absent in tasks that an older version stored. */
  previous: Schema.optionalKey(PreviousValues)
})

/**
 * The cancellation for an address that the calendar event no longer has. It stores everything that its mail shows, as
 * the recipient last knew it (D-MAIL-12). The event may have another customer when the mail is sent.
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
    /** The revision of the change. It is higher than the one that the recipient has. */
    sequence: event.sequence,
    updatedAt: event.updatedAt
  })
})

/** A mail that waits in the outbox. */
export const Notification = Schema.Union([CurrentNotification, Withdrawal])

/** A mail that waits in the outbox. */
export type Notification = typeof Notification.Type

/**
 * The kind of a mail.
 *
 * - `created`: invites an address to the calendar event, also one that a later change gave the event.
 * - `updated`: reports that something a mail shows has changed.
 * - `cancelled`: reports that the calendar event is cancelled.
 * - `withdrawn`: cancels the calendar event for an address that the event no longer has.
 * - `reminder`: reminds the customer shortly before the calendar event begins.
 */
export const NotificationKind = Schema.Literals([...CurrentNotification.fields.kind.literals, "withdrawn"])

/** The kind of a mail. */
export type NotificationKind = Notification["kind"]

/** The kind of a mail with a sign-in link: the member asked for it, or was invited to the account. */
export const SignInMailKind = Schema.Literals(["sign_in", "invitation"])

/** The kind of a mail with a sign-in link. */
export type SignInMailKind = typeof SignInMailKind.Type

/** A mail with a link with which a member signs in to the dashboard. */
export interface SignInMessage {
  readonly kind: SignInMailKind
  /** The id of the link. Each mail has another one. */
  readonly linkId: number
  /** The address and the name of the member. */
  readonly email: string
  readonly name: string
  readonly accountName: string
  /** The link. Every person who opens it can sign in as the member. */
  readonly url: Redacted.Redacted<string>
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** The zone of the time in the mail. */
  readonly timeZone: TimeZone
}

/** A mail as it is sent. */
export interface Message {
  readonly kind: NotificationKind
  /** The calendar event as the mail shows it. */
  readonly event: CalendarEvent
  /** For `updated`, the changed values as the last mail showed them. Empty for every other kind, and if unknown. */
  readonly previous: PreviousValues
  /** The account in whose name the mail is sent. */
  readonly account: {
    readonly name: string
    /** The zone of the times in the mail. */
    readonly timeZone: TimeZone
  }
}

/**
 * Returns a text that identifies a message: repeats of the message have the same text, and no other message has
 * (D-MAIL-1). It is made from the calendar event, its revision, the recipient, the kind and the changed values. It has
 * personal data, so send only a digest of it.
 */
export const identityOf = ({ event, kind, previous }: Message): string =>
  JSON.stringify([
    event.uuid,
    event.sequence,
    DateTime.toEpochMillis(event.updatedAt),
    kind,
    event.customer.email,
    // When two changes wait together, both mails show the same state. They differ only in the values before.
    ...Object.entries(previous).toSorted(([a], [b]) => (a < b ? -1 : 1))
  ])

/**
 * The error of every mailer.
 *
 * - `invalid`: the mail server will never accept the message or its recipient.
 * - `unauthorized`: the mail server refuses the credentials.
 * - `transport`: the mail server cannot be reached, or refuses the message for now.
 */
export class MailerError extends Schema.TaggedError<MailerError>("@frontdesk/core/mail/MailerError")("MailerError", {
  reason: Schema.Literals(["invalid", "unauthorized", "transport"]),
  /** True when the message was certainly not sent: it did not reach the server, or the server refused it. */
  isUnsent: Schema.optionalKey(Schema.Boolean),
  cause: Schema.Defect()
}) {
  /** Returns whether the recipient may have the message although sending it failed. */
  get mayHaveArrived(): boolean {
    return this.reason === "transport" && this.isUnsent !== true
  }

  /** Returns whether sending the same message may succeed later. */
  get isRetryable(): boolean {
    return this.reason === "transport"
  }
}

/**
 * Port: mails customers about their calendar events, and members their sign-in links. A repeat of a message has the same
 * {@link identityOf}.
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether this server sends mail. When it is false, no mail is added to the outbox (D-MAIL-8). */
    readonly enabled: boolean
    /**
     * The address of the organizer in invitations and calendar files. Null when there is none, as in an installation
     * without mail.
     */
    readonly organizer: string | null
    /** Sends one message. */
    readonly send: (message: Message) => Effect.Effect<void, MailerError>
    /**
     * Sends a member a link with which to sign in. Messages with different link ids are different mails. Absent in a mailer that
     * sends no such mails: then members are not mailed.
     */
    readonly sendSignIn?: (message: SignInMessage) => Effect.Effect<void, MailerError>
    /** Checks whether messages can be sent with the current settings. It sends none. */
    readonly check: Effect.Effect<Check>
  }
>()("@frontdesk/core/mail/Mailer") {
  /** The mailer of an installation without mail. */
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
