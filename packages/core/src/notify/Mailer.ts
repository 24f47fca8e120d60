import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Check } from "../values/Check.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import { CalendarEvent } from "../calendar/CalendarEvent.ts"

/** What a customer is told of an event. */
export const NotificationKind = Schema.Literals(["created", "updated", "cancelled", "reminder"])

/** What a customer is told of an event. */
export type NotificationKind = typeof NotificationKind.Type

/** One message to a customer: the event as it was when the message became due. */
export const Notification = Schema.Struct({ kind: NotificationKind, event: CalendarEvent })

/** One message to a customer. */
export type Notification = typeof Notification.Type

/** A notification, of the event as it is when it is sent, with what its mail shows of the account it comes from. */
export interface Message extends Notification {
  readonly account: {
    readonly name: string
    /** The zone in which the customer is told times. */
    readonly timeZone: TimeZone
  }
}

/**
 * The one error of mailers.
 *
 * - `invalid`: the message or its receiver is refused for good.
 * - `unauthorized`: the mail server refuses the credentials.
 * - `transport`: it cannot be reached, or refuses for now.
 */
export class MailerError extends Schema.TaggedError<MailerError>("@frontdesk/core/notify/MailerError")("MailerError", {
  reason: Schema.Literals(["invalid", "unauthorized", "transport"]),
  cause: Schema.Defect()
}) {
  /** Whether the same message may get through later. */
  get isRetryable(): boolean {
    return this.reason === "transport"
  }
}

/** Port: tells customers of their events. A repeat of the same notification is recognisable as a repeat. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether messages are sent at all; when not, none is written to the outbox. */
    readonly enabled: boolean
    /** Sends one message. */
    readonly send: (message: Message) => Effect.Effect<void, MailerError>
    /** Whether messages can be sent as the mailer is set up; sends none. */
    readonly check: Effect.Effect<Check>
  }
>()("@frontdesk/core/notify/Mailer") {
  /** Sends nothing. */
  static readonly layerNone: Layer.Layer<Mailer> = Layer.succeed(
    Mailer,
    Mailer.of({
      enabled: false,
      send: () => Effect.void,
      check: Effect.succeed({ isUsable: true, says: "no mail is sent" })
    })
  )
}
