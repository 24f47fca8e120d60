import { MailServer } from "@frontdesk/email"
import * as Redacted from "effect/Redacted"
import type { CalendarsChoice } from "./CalendarSettings.ts"
import type { CallProviderChoice } from "./CallProviderSettings.ts"
import type { MailChoice } from "./MailSettings.ts"
import type { Outside } from "./ExternalServices.ts"

/** Who places the calls, `Twilio` or `Vapi at http://127.0.0.1:8792`; null: nobody, they are simulated. */
export const caller = (choice: CallProviderChoice): string | null => {
  if (choice._tag === "Simulated") return null
  const { baseUrl } = choice.options
  return baseUrl === undefined ? choice._tag : `${choice._tag} at ${baseUrl.origin}`
}

/** The mail server, `smtp.example.com:465`; null: no mail is sent. */
export const mailServer = (choice: MailChoice): string | null => {
  const server = choice === null ? undefined : MailServer.parse(Redacted.value(choice.url))
  return server === undefined ? null : `${server.host}:${server.port}`
}

const calendars = ({ google, outlook }: CalendarsChoice): string =>
  [...(google === null ? [] : ["Google"]), ...(outlook === null ? [] : ["Outlook"]), "CalDAV"].join(", ")

/** What stands behind the ports to the outside world, in a line without credentials. */
export const describe = (outside: Outside): string => {
  const [by, through] = [caller(outside.callProvider), mailServer(outside.mail)]
  return [
    by === null ? "Calls are simulated" : `Calls are placed by ${by}`,
    through === null ? "no mail is sent" : `mail is sent through ${through}`,
    `accounts may connect calendars of ${calendars(outside.calendars)}`
  ].join("; ")
}
