import { Mailer } from "@frontdesk/core/mail/Mailer"
import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const empty = Layer.succeed(
  Mailer,
  Mailer.of({
    enabled: true,
    organizer: null,
    send: () => Effect.void,
    check: Effect.succeed({ isUsable: true, says: "nothing is sent yet" })
  })
)

mailerSuite("our mail service", empty, { received: Effect.succeed([]) })
