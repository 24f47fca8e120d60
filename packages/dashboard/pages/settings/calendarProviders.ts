import type { ExternalCalendar } from "@frontdesk/client"

/** A provider of calendars. */
export type Provider = ExternalCalendar["provider"]

const names: { readonly [P in Provider]: string } = {
  google: "Google Calendar",
  outlook: "Outlook",
  apple: "iCloud or CalDAV"
}

/** The providers, in the order of the page. */
export const providers = ["google", "outlook", "apple"] as const satisfies ReadonlyArray<Provider>

/** Returns the name of a provider as people know it. */
export const nameOf = (provider: string): string => {
  const known = providers.find((one) => one === provider)
  return known === undefined ? "The calendar" : names[known]
}
