import { MailServer } from "@frontdesk/email"
import * as Redacted from "effect/Redacted"
import type { CalendarsChoice } from "./CalendarSettings.ts"
import type { CallProviderChoice } from "./CallProviderSettings.ts"
import type { MailChoice } from "./MailSettings.ts"
import type { ExternalServices } from "./ExternalServices.ts"

/** Returns the name of the call provider, `Twilio` or `Vapi at http://127.0.0.1:8792`; null if calls are simulated. */
export const callProvider = (choice: CallProviderChoice): string | null => {
  if (choice._tag === "Simulated") return null
  const { baseUrl } = choice.options
  return baseUrl === undefined ? choice._tag : `${choice._tag} at ${baseUrl.origin}`
}

/** Returns the mail server, `smtp.example.com:465`; null if no mail is sent. */
export const mailServer = (choice: MailChoice): string | null => {
  const server = choice === null ? undefined : MailServer.parse(Redacted.value(choice.url))
  return server === undefined ? null : `${server.host}:${server.port}`
}

const calendars = ({ google, outlook }: CalendarsChoice): string =>
  [...(google === null ? [] : ["Google"]), ...(outlook === null ? [] : ["Outlook"]), "CalDAV"].join(", ")

/** Returns one line for the log that names the external services, without credentials. */
export const describe = (services: ExternalServices): string => {
  const [provider, server] = [callProvider(services.callProvider), mailServer(services.mail)]
  return [
    provider === null ? "Calls are simulated" : `Calls are placed by ${provider}`,
    server === null ? "no mail is sent" : `mail is sent through ${server}`,
    `accounts may connect calendars of ${calendars(services.calendars)}`
  ].join("; ")
}
