import { isIPv6 } from "node:net"

/**
 * Returns the URL at which this machine reaches a server that listens on this host and port: `http://127.0.0.1:8787` for
 * the host `0.0.0.0`.
 */
export const localUrl = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
