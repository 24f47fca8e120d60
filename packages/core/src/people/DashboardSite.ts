import * as Context from "effect/Context"

/** Where people use the dashboard of this server. */
export interface DashboardSite {
  /** The public URL of the dashboard without a slash at its end, such as `https://api.example.com/dashboard`. */
  readonly url: string
  /** Whether people on other machines reach this URL. Otherwise no links to it are mailed. */
  readonly isPublic: boolean
}

/**
 * Where people use the dashboard of this server. Null, the default: the server knows no URL, so it mails no sign-in links, and
 * links that it returns have only a path.
 */
export const CurrentDashboardSite = Context.Reference<DashboardSite | null>(
  "@frontdesk/core/people/DashboardSite/CurrentDashboardSite",
  { defaultValue: () => null }
)

/** Returns the path below the dashboard at which a person signs in with a token. */
export const signInPath = (token: string): string => `/sign-in/${token}`
