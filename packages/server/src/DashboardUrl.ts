import type { DashboardSite } from "@frontdesk/core/people/DashboardSite"
import { baseOf } from "@frontdesk/core/values/BasePath"
import { localUrl } from "./LocalUrl.ts"
import type { Settings } from "./settings/Settings.ts"

/** The path of the dashboard. */
export const mount = "/dashboard"

/** The settings that decide where people reach the dashboard. */
export type DashboardSettings = Pick<Settings, "host" | "port" | "publicUrl">

/**
 * Returns where people use the dashboard: below the public URL, or without one at the host and port of this machine. Null when the
 * operating system chooses the port (0), which the settings then do not know.
 */
export const siteOf = ({ host, port, publicUrl }: DashboardSettings): DashboardSite | null => {
  if (publicUrl !== null) return { url: `${baseOf(new URL(publicUrl))}${mount}`, isPublic: true }
  return port === 0 ? null : { url: `${localUrl(host, port)}${mount}`, isPublic: false }
}

/** Returns the origin of the public URL. Without a public URL browsers reach the server by any name. */
export const originOf = ({ publicUrl }: Pick<DashboardSettings, "publicUrl">): string | undefined =>
  publicUrl === null ? undefined : new URL(publicUrl).origin
