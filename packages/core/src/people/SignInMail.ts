import type { Mailer } from "../mail/Mailer.ts"
import type { DashboardSite } from "./DashboardSite.ts"

/**
 * Returns how a server mails sign-in links: its mailer sends them, and it knows the public URL of its dashboard (D-MEM-9).
 * Returns null for a server that mails none.
 */
export const offered = ({ enabled, sendSignIn }: Mailer["Service"], site: DashboardSite | null) =>
  enabled && sendSignIn !== undefined && site !== null && site.isPublic ? { send: sendSignIn, url: site.url } : null
