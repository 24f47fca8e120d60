import { isIPv6 } from "node:net"
import type { Settings } from "./settings/Settings.ts"

/** The address to show and to give to others: the public one of the settings, else one that works on this machine. */
export const baseUrl = ({ host, publicUrl }: Pick<Settings, "host" | "publicUrl">, port: number): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return publicUrl ?? `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
