import * as Redacted from "effect/Redacted"
import { isIP } from "node:net"
import { domainToASCII } from "node:url"

/** A mail server and the credentials for it. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS. Otherwise TLS begins with STARTTLS. */
  readonly isSecure: boolean
  readonly login: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

/** Describes the URLs that {@link parse} accepts, for error messages. */
export const expected =
  "smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT; USER:PASSWORD@ is optional; special characters " +
  "in user and password are percent-encoded, for example # as %23"

/**
 * Parses `smtp://USER:PASSWORD@HOST:PORT` (default port 587) or the same with `smtps://` (default port 465). Returns
 * undefined for any other text. User and password are percent-encoded, and are given both or not at all.
 */
export const parse = (text: string): MailServer | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || /[\s\p{Cc}]/u.test(text)) return undefined
  const isBare = /^\/?$/.test(url.pathname) && url.search === "" && url.hash === ""
  const isSecure = url.protocol === "smtps:"
  const port = url.port === "" ? (isSecure ? 465 : 587) : Number(url.port)
  const [host, user, password] = [url.hostname, url.username, url.password].map(decoded)
  if (!isBare || port === 0 || host === undefined || user === undefined || password === undefined) return undefined
  const name = hostName(host)
  if (name === "" || (user === "") !== (password === "")) return undefined
  return { host: name, port, isSecure, login: user === "" ? undefined : { user, password: Redacted.make(password) } }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const hostName = (host: string): string => {
  const inner = host.replace(/^\[(.*)\]$/, "$1")
  return isIP(inner) === 0 ? domainToASCII(host) : inner
}
