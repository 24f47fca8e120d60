// An adapter of our own: it implements the port `Mailer` by printing each message.
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Prints one line for each message to a customer. */
export const layer = Layer.succeed(
  Mailer,
  Mailer.of({
    enabled: true,
    organizer: null,
    send: ({ kind, event }) =>
      Console.log(
        `mail to ${event.customer.email}: ${kind} "${event.title}" at ${DateTime.formatIso(event.startTime)}`
      ),
    check: Effect.succeed({ isUsable: true, says: "mail is printed" })
  })
)
