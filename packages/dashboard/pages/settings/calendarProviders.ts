import type { ExternalCalendar } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import type { Tone } from "../ui/Badge.tsx"

/** A provider of calendars. */
export type Provider = ExternalCalendar["provider"]

const names: { readonly [P in Provider]: string } = {
  google: "Google Calendar",
  outlook: "Outlook",
  apple: "iCloud or CalDAV"
}

/** The providers, in the order of the page. */
export const providers = ["google", "outlook", "apple"] as const satisfies ReadonlyArray<Provider>

/** What the state of a connection is called. */
export const connectionStates: { readonly [S in ExternalCalendar["status"]]: readonly [Tone, string] } = {
  connected: ["good", "Connected"],
  credentials_lost: ["bad", "Access lost"],
  not_set_up: ["warn", "Not available"]
}

/** The external calendars of the account, and the providers that the server offers. */
export const useExternalCalendars = (isEnabled = true) =>
  useQuery({
    queryKey: ["externalCalendars"],
    queryFn: ({ signal }) => api.externalCalendars.list({ signal }),
    enabled: isEnabled
  })

/** Returns the name of a provider as people know it. */
export const nameOf = (provider: string): string => {
  const known = providers.find((one) => one === provider)
  return known === undefined ? "The calendar" : names[known]
}
