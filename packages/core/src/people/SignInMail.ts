import type { Mailer } from "../mail/Mailer.ts"
import type { DashboardSite } from "./DashboardSite.ts"

/** Returns whether a server mails sign-in links: its mailer sends them, and it knows the public URL of its dashboard (D-MEM-9). */
export const isOffered = ({ enabled, sendSignIn }: Mailer["Service"], site: DashboardSite | null): boolean =>
  enabled && sendSignIn !== undefined && site !== null && site.isPublic
