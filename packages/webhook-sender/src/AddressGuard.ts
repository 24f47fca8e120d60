import { BlockList, isIPv4, isIPv6 } from "node:net"
import * as Result from "effect/Result"

/** The longest URL a webhook may have, in characters (D-HOOK-6). */
export const maxUrlLength = 2_048

/** What a URL may lead to beside the public addresses of the web. */
export interface Allowed {
  /** `http:`, addresses that are not public, and every port: for development. */
  readonly allowInsecure: boolean
  /** Ports below 1024, beside 80 and 443. */
  readonly privilegedPorts?: ReadonlyArray<number> | undefined
}

/** The IPv4 blocks that are not public, by what they are for. */
const blockedV4 = {
  "this network": ["0.0.0.0/8"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  "carrier-grade": ["100.64.0.0/10"],
  loopback: ["127.0.0.0/8"],
  "link-local": ["169.254.0.0/16"],
  "protocol assignments": ["192.0.0.0/24"],
  documentation: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"],
  "6to4 relays": ["192.88.99.0/24"],
  benchmark: ["198.18.0.0/15"],
  multicast: ["224.0.0.0/4"],
  reserved: ["240.0.0.0/4"],
  // An address of the cloud Azure that answers only its own machines; others are in the blocks above.
  metadata: ["168.63.129.16/32"]
}

/** The blocks inside the public IPv6 range `2000::/3` that are not public. */
const blockedV6 = {
  // Teredo, benchmark, ORCHID and the like.
  "protocol assignments": ["2001::/23"],
  documentation: ["2001:db8::/32", "3fff::/20"],
  "6to4": ["2002::/16"]
}

/**
 * Returns whether an address may be connected to: a public unicast address, and none of a private, loopback, link-local,
 * carrier-grade, documentation, benchmark, multicast, reserved or metadata range.
 *
 * `address` is a literal as name servers and sockets write it. An IPv6 address that stands for an IPv4 one (mapped, or
 * behind NAT64) is judged as that. What is no address, or names an interface (`fe80::1%eth0`), is not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !blocked.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return reachable.check(address, "ipv6") && !blocked.check(address, "ipv6")
}

/**
 * Whether a port may be connected to: 80, 443, every port from 1024 on, and the privileged ports that are allowed. Behind
 * the other ports below 1024 are mail servers, name servers and the like, which must not be spoken to in a webhook's name.
 *
 * `port` is as a URL has it: empty where it is that of the protocol.
 */
export const isAllowedPort = (port: string, { allowInsecure, privilegedPorts = [] }: Allowed): boolean =>
  allowInsecure || port === "" || Number(port) >= 1024 || [80, 443, ...privilegedPorts].includes(Number(port))

/**
 * The URL of a webhook as it will be requested, or the reason why it may not be (D-HOOK-6).
 *
 * Parsing makes every written form of an address plain (`127.1`, `0x7f000001`, full-width digits) before it is judged.
 * A name is judged by what it resolves to, when it is connected to; refused here are only names that no public name
 * server has: those of one label, and those of machines, local networks and clusters.
 */
export const checkUrl = (text: string, allowed: Allowed): Result.Result<URL, string> => {
  const { allowInsecure } = allowed
  if (text.length > maxUrlLength) return Result.fail(`must have at most ${maxUrlLength} characters`)
  const url = URL.parse(text)
  // The parser repairs white space, backslashes and missing slashes; what needs repair is not an absolute URL.
  if (url === null || !/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) {
    return Result.fail("must be an absolute URL")
  }
  // No name has an empty part, and `127.0.0.1..` or `localhost..` may be an address to somebody.
  if (/^\.|\.\./.test(url.hostname)) return Result.fail("must be an absolute URL")
  if (url.protocol !== "https:" && !allowInsecure) return Result.fail("must begin with https://")
  // Also an empty user name, which the parser drops but another program may read differently.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return Result.fail("must not contain credentials")
  if (text.includes("#")) return Result.fail("must not have a fragment")
  if (!allowInsecure && !isPublicHost(url.hostname)) return Result.fail("must not name a private address")
  if (!isAllowedPort(url.port, allowed)) return Result.fail("must not have a port below 1024 other than 80 and 443")
  return Result.succeed(url)
}

/** The host of a URL as a connection names it: an IPv6 address without its brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1")

/** Whether a host of a URL is an address, in the plain form that parsing gives it. */
export const isAddress = (hostname: string): boolean => isIPv4(hostname) || isIPv6(bareHost(hostname))

const isPublicHost = (hostname: string): boolean =>
  isAddress(hostname) ? isPublicAddress(bareHost(hostname)) : hasPublicName(hostname.replace(/\.$/, ""))

const hasPublicName = (name: string): boolean =>
  name.includes(".") && !/(^|\.)(localhost|localdomain|local|internal|svc|home\.arpa)$/.test(name)

/** Returns the subnet that stands for an IPv4 subnet behind NAT64 (RFC 6052). */
const behindNat64 = (subnet: string): string => {
  const [address = "", bits] = subnet.split("/")
  return `64:ff9b::${address}/${96 + Number(bits)}`
}

const listOf = (subnets: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/")
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6")
  }
  return list
}

const subnetsV4 = Object.values(blockedV4).flat()

/** Every subnet that is not public. `BlockList` judges a mapped IPv4 address (`::ffff:10.0.0.1`) by the IPv4 subnets. */
const blocked = listOf([...subnetsV4, ...subnetsV4.map(behindNat64), ...Object.values(blockedV6).flat()])

/** Every IPv6 address that may be public: global unicast, mapped IPv4, and IPv4 behind NAT64. */
const reachable = listOf(["2000::/3", "::ffff:0:0/96", "64:ff9b::/96"])
