import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { CalendarEvent } from "../calendar/CalendarEvent.ts"

/** What a customer is told of an event. */
export const NotificationKind = Schema.Literals(["created", "updated", "cancelled", "reminder"])

/** What a customer is told of an event. */
export type NotificationKind = typeof NotificationKind.Type

/** One message to a customer: the event as it was when the message became due. */
export const Notification = Schema.Struct({ kind: NotificationKind, event: CalendarEvent })

/** One message to a customer. */
export type Notification = typeof Notification.Type

/** The one error of mailers. */
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
    readonly send: (notification: Notification) => Effect.Effect<void, MailerError>
  }
>()("@frontdesk/core/notify/Mailer") {
  /** Sends nothing. */
  static readonly layerNone: Layer.Layer<Mailer> = Layer.succeed(
    Mailer,
    Mailer.of({ enabled: false, send: () => Effect.void })
  )
}
