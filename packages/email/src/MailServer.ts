import * as Redacted from "effect/Redacted"
import { isIP } from "node:net"
import { domainToASCII } from "node:url"

/** A mail server and how it is logged in to. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS; otherwise TLS begins with STARTTLS. */
  readonly isSecure: boolean
  readonly login: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

/** What {@link parse} reads, for whoever has given something else. */
export const expected =
  "smtp://USER:PASSWORD@HOST:PORT, or the same with smtps://, or without USER:PASSWORD@; in user and password all but " +
  "letters and digits is percent-encoded, # as %23"

/**
 * `smtp://USER:PASSWORD@HOST:PORT` (port 587 unless given) or the same with `smtps://` (465); undefined when it is
 * neither. User and password are left out together, and are percent-encoded.
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
