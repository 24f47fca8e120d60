import { domainToASCII } from "node:url"

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
const localPart = new RegExp(`^${atom}+(?:\\.+${atom}+)*\\.*$`)
const label = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/

/**
 * Returns an address in the form that SMTP transmits (RFC 5321 4.1.2), with the domain in ASCII (RFC 5890).
 *
 * Returns undefined for an address with a quoted or empty local part, a local part that begins with a dot or needs SMTPUTF8
 * (RFC 6531), an invalid domain, or more characters than SMTP allows. Other dots in the local part may be repeated.
 */
export const smtpAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf("@")
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  const isDomain = domain.length <= 253 && domain.split(".").every((part) => part.length <= 63 && label.test(part))
  const carried = `${local}@${domain}`
  return at > 0 && local.length <= 64 && localPart.test(local) && isDomain && carried.length <= 254
    ? carried
    : undefined
}

/** Returns the domain of an address: the part after the `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)
