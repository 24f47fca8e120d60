import { isIPv4, isIPv6 } from "node:net"
import * as Result from "effect/Result"

/** The longest URL a webhook may have, in characters (Decisions 8). */
export const maxUrlLength = 2_048

/** What a URL may lead to beside the public addresses of the web. */
export interface Allowed {
  /** `http:`, addresses that are not public, and every port: for development. */
  readonly allowInsecure: boolean
  /** Ports below 1024, beside 80 and 443. */
  readonly privilegedPorts?: ReadonlyArray<number> | undefined
}

/** Bytes of an address: 4 or 16. */
type Address = ReadonlyArray<number>

interface Block {
  readonly address: Address
  readonly bits: number
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
 * Whether an address may be connected to: a public unicast address, and none of a private, loopback, link-local,
 * carrier-grade, documentation, benchmark, multicast, reserved or metadata range.
 *
 * `address` is a literal as name servers and sockets write it. An IPv6 address that stands for an IPv4 one (mapped, or
 * behind NAT64) is judged as that. What is no address, or names an interface (`fe80::1%eth0`), is not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return isPublicV4(parseV4(address))
  if (!isIPv6(address) || address.includes("%")) return false
  const bytes = parseV6(address)
  if (within(mapped, bytes) || within(nat64, bytes)) return isPublicV4(bytes.slice(12))
  return within(globalUnicast, bytes) && !blocksV6.some((block) => within(block, bytes))
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
 * The URL of a webhook as it will be requested, or the reason why it may not be (Decisions 8).
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

const isPublicV4 = (bytes: Address): boolean => !blocksV4.some((block) => within(block, bytes))

const parseV4 = (address: string): Address => address.split(".").map(Number)

const parseV6 = (address: string): Address => {
  const plain = address.replace(/[\d.]+$/, (tail) => (isIPv4(tail) ? groupsOf(parseV4(tail)) : tail))
  const [head = [], tail = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const zeros = Array<string>(8 - head.length - tail.length).fill("0")
  return [...head, ...zeros, ...tail].map((group) => parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255])
}

const groupsOf = ([a = 0, b = 0, c = 0, d = 0]: Address): string =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`

const block = (cidr: string): Block => {
  const [address = "", bits] = cidr.split("/")
  return { address: isIPv4(address) ? parseV4(address) : parseV6(address), bits: Number(bits) }
}

const within = ({ address, bits }: Block, candidate: Address): boolean =>
  address.every((byte, index) => {
    const mask = (0xff << (8 - Math.min(8, Math.max(0, bits - index * 8)))) & 0xff
    return (byte & mask) === ((candidate[index] ?? 0) & mask)
  })

const blocksV4: ReadonlyArray<Block> = Object.values(blockedV4).flat().map(block)
const blocksV6: ReadonlyArray<Block> = Object.values(blockedV6).flat().map(block)
const globalUnicast = block("2000::/3")
const mapped = block("::ffff:0:0/96")
const nat64 = block("64:ff9b::/96")
