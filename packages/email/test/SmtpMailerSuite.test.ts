import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Inbox, mailer } from "./Inbox.ts"

const received = Effect.flatMap(Inbox, ({ mails }) =>
  Effect.map(mails, (all) => all.map(({ messageId }) => messageId ?? ""))
)

mailerSuite("SMTP with STARTTLS and a login", Layer.provideMerge(mailer(), Inbox.layer), { received })

mailerSuite(
  "SMTP with TLS from the start",
  Layer.provideMerge(
    mailer({}, (port) => `smtps://desk:s3cret%2F%40%3A@127.0.0.1:${port}`),
    Inbox.layerWith({ secure: true })
  ),
  { received }
)
