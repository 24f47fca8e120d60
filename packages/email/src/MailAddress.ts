import { domainToASCII } from "node:url"

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
const localPart = new RegExp(`^${atom}+(?:\\.+${atom}+)*\\.*$`)
const label = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/

/**
 * An address as SMTP carries it (RFC 5321 4.1.2): the domain in ASCII (RFC 5890). Undefined when it cannot be carried:
 * quoted or empty parts, a length past the limits, or characters before the `@` that need SMTPUTF8 (RFC 6531), which a
 * server on the way may lack.
 */
export const onTheWire = (address: string): string | undefined => {
  const at = address.lastIndexOf("@")
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  const isDomain = domain.length <= 253 && domain.split(".").every((part) => part.length <= 63 && label.test(part))
  const carried = `${local}@${domain}`
  return at > 0 && local.length <= 64 && localPart.test(local) && isDomain && carried.length <= 254
    ? carried
    : undefined
}

/** What follows the `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)
