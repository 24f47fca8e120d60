import { isIPv6 } from "node:net"

/** The address at which a server on this host and port can be reached from this machine. */
export const local = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
