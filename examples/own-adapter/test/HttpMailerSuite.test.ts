import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import * as Layer from "effect/Layer"
import { MailService, mailer, received } from "./MailService.ts"

mailerSuite("our mail service", Layer.provideMerge(mailer, MailService.layer), { received })
