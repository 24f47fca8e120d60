import type { GoogleOptions } from "./google/GoogleCalendar.ts"
import type { Registration } from "./oauth/OAuthClient.ts"
import type { OutlookOptions } from "./outlook/OutlookCalendar.ts"

/** The operator's client at a provider. */
export interface Client extends Registration {
  /** Where the provider's API and authorization are. Null: at the provider's own addresses. */
  readonly baseUrl?: string | null | undefined
}

/** The operator's clients with calendar providers. Without one no account can connect a calendar of that provider. */
export interface Clients {
  readonly google?: Client | null | undefined
  readonly outlook?: (Client & { readonly tenant?: string | undefined }) | null | undefined
}

/** Returns the options of Google Calendar for a client. */
export const googleOptions = ({ baseUrl, clientId, clientSecret }: Client): GoogleOptions => ({
  clientId,
  clientSecret,
  ...(typeof baseUrl === "string" && {
    apiUrl: `${baseUrl}/calendar/v3`,
    authorizationUrl: `${baseUrl}/o/oauth2/v2/auth`,
    tokenUrl: `${baseUrl}/token`
  })
})

/** Returns the options of Outlook for a client. */
export const outlookOptions = ({
  baseUrl,
  clientId,
  clientSecret,
  tenant = "common"
}: NonNullable<Clients["outlook"]>): OutlookOptions => ({
  clientId,
  clientSecret,
  tenant,
  ...(typeof baseUrl === "string" && {
    apiUrl: `${baseUrl}/v1.0`,
    authorizationUrl: `${baseUrl}/${tenant}/oauth2/v2.0/authorize`,
    tokenUrl: `${baseUrl}/${tenant}/oauth2/v2.0/token`
  })
})
