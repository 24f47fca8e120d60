import * as Result from "effect/Result"
import { type Allowed, bareHost, isAddress, isAllowedPort, isPublicAddress } from "./AddressGuard.ts"

/** The maximum length of a webhook's URL, in characters (D-HOOK-6). */
export const maxUrlLength = 2_048

/**
 * Returns the parsed URL of a webhook, or the reason why it is not allowed. The URL must be publicly reachable
 * (C-2.7-2, D-HOOK-6).
 *
 * Parsing normalises every notation of an address (`127.1`, `0x7f000001`, full-width digits) before the check. The
 * addresses of a name are checked at each connection. This function rejects only names that no public name server has:
 * names of one label, and names of machines, local networks and clusters.
 */
export const check = (text: string, allowed: Allowed): Result.Result<URL, string> => {
  const { allowInsecure } = allowed
  if (text.length > maxUrlLength) return Result.fail(`must have at most ${maxUrlLength} characters`)
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text) && !/^https?:/i.test(text)) return Result.fail("must begin with https://")
  const url = URL.parse(text)
  // The parser silently repairs white space, backslashes and missing slashes. A text that needs such repair is
  // rejected.
  if (url === null || !/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) {
    return Result.fail("must be an absolute URL")
  }
  // A valid name has no empty label, and some resolvers read `127.0.0.1..` or `localhost..` as an address.
  if (/^\.|\.\./.test(url.hostname)) return Result.fail("must be an absolute URL")
  if (url.protocol !== "https:" && !allowInsecure) return Result.fail("must begin with https://")
  // This includes an empty user name, which the parser drops but another program may read differently.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return Result.fail("must not contain credentials")
  if (text.includes("#")) return Result.fail("must not have a fragment")
  if (!allowInsecure && !isPublicHost(url.hostname)) return Result.fail("must not name a private address")
  if (!isAllowedPort(url.port, allowed)) return Result.fail("must not have a port below 1024 other than 80 and 443")
  return Result.succeed(url)
}

const isPublicHost = (hostname: string): boolean =>
  isAddress(hostname) ? isPublicAddress(bareHost(hostname)) : hasPublicName(hostname.replace(/\.$/, ""))

const hasPublicName = (name: string): boolean =>
  name.includes(".") && !/(^|\.)(localhost|localdomain|local|internal|svc|home\.arpa)$/.test(name)
