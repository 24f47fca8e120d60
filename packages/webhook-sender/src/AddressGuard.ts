import { BlockList, isIPv4, isIPv6 } from "node:net"

/** Exceptions to the rule that a URL must lead to a public address. */
export interface Allowed {
  /** Allows `http:`, addresses that are not public, and every port. For development. */
  readonly allowInsecure: boolean
  /** Ports below 1024 that are allowed in addition to 80 and 443. */
  readonly privilegedPorts?: ReadonlyArray<number> | undefined
}

/** The IPv4 blocks that are not public, by purpose. */
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
  // The metadata address of Azure. Those of other clouds are in the blocks above.
  metadata: ["168.63.129.16/32"]
}

/** The blocks of the IPv6 range `2000::/3` (global unicast) that are not public. */
const blockedV6 = {
  // Teredo, benchmark, ORCHID and the like.
  "protocol assignments": ["2001::/23"],
  documentation: ["2001:db8::/32", "3fff::/20"],
  "6to4": ["2002::/16"]
}

/**
 * Returns whether an address is a public unicast address. Private, loopback, link-local, carrier-grade, documentation,
 * benchmark, multicast, reserved and metadata ranges are not public.
 *
 * `address` is a literal in the form that name servers and sockets use. An IPv6 address that embeds an IPv4 address
 * (mapped, or NAT64) is checked as that IPv4 address. Any other text, and an address with an interface
 * (`fe80::1%eth0`), is not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !blocked.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return reachable.check(address, "ipv6") && !blocked.check(address, "ipv6")
}

/**
 * Returns whether connections to a port are allowed: 80, 443, every port from 1024 on, and the allowed privileged
 * ports. The other ports below 1024 belong to mail servers, name servers and similar services, which a webhook must not
 * reach. With `allowInsecure` every port is allowed.
 *
 * `port` has the form of `URL.port`: empty for the default port of the protocol.
 */
export const isAllowedPort = (port: string, { allowInsecure, privilegedPorts = [] }: Allowed): boolean =>
  allowInsecure || port === "" || Number(port) >= 1024 || [80, 443, ...privilegedPorts].includes(Number(port))

/** Returns the host of a URL without the brackets of an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1")

/** Returns whether the host of a parsed URL is an address and not a name. */
export const isAddress = (hostname: string): boolean => isIPv4(hostname) || isIPv6(bareHost(hostname))

/** Returns the NAT64 subnet that embeds an IPv4 subnet (RFC 6052). */
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

/**
 * Every subnet that is not public. `BlockList` checks a mapped IPv4 address (`::ffff:10.0.0.1`) against IPv4 subnets.
 */
const blocked = listOf([...subnetsV4, ...subnetsV4.map(behindNat64), ...Object.values(blockedV6).flat()])

/** The IPv6 subnets that can be public: global unicast, mapped IPv4, and NAT64. */
const reachable = listOf(["2000::/3", "::ffff:0:0/96", "64:ff9b::/96"])
