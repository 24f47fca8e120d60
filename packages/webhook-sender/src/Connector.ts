import { isIPv4, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import type { buildConnector } from "undici"
import { type Allowed, bareHost, isAddress, isAllowedPort, isPublicAddress } from "./AddressGuard.ts"
import { Resolver } from "./Resolver.ts"

/** A connection was not opened, because its address or port is not allowed. */
export class AddressRefused extends Error {
  readonly code = "ADDRESS_REFUSED"
}

/** Options of the connector. */
export interface ConnectorOptions extends Allowed {
  /**
   * Hosts of URLs that may have any address and any port, in lower case and without the brackets of an IPv6 address.
   * Default: none.
   */
  readonly privateHosts?: ReadonlyArray<string> | undefined
  /** Certificates in PEM format to trust instead of those of Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
}

/**
 * Returns the connector that opens every connection to a receiver.
 *
 * It checks a literal address itself, because a lookup hook never receives one. It resolves a name once and checks
 * every address; one address that is not allowed rejects the connection. The socket connects to one of the checked
 * addresses, while certificate and `Host` header use the host of the URL. A name server that changes its reply between
 * the check and the connection therefore has no effect.
 */
export const make = Effect.fnUntraced(function* (
  options: ConnectorOptions
): Effect.fn.Return<buildConnector.connector, never, Resolver> {
  const resolver = yield* Resolver
  const privateHosts = new Set(options.privateHosts)
  const run = Effect.runForkWith(yield* Effect.context())
  const isExempt = (host: string): boolean => options.allowInsecure || privateHosts.has(host)

  const notFound = () => Object.assign(new Error("the name was not found"), { code: "ENOTFOUND" })

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const settle = Effect.match(resolver.resolve(hostname), {
      onFailure: () => callback(notFound(), []),
      onSuccess: (addresses) => {
        const refused = isExempt(hostname) ? undefined : addresses.find((address) => !isPublicAddress(address))
        if (refused !== undefined) {
          return callback(new AddressRefused(`the name resolves to ${refused}, which is not public`), [])
        }
        const answers = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
        const [first] = answers
        if (first === undefined) return callback(notFound(), [])
        return all === true ? callback(null, answers) : callback(null, first.address, first.family)
      }
    })
    run(settle)
  }

  const undici = yield* Effect.promise(() => import("undici"))
  const connect = undici.buildConnector({
    allowH2: false,
    autoSelectFamily: true,
    // Addresses are tried one after the other. A distant receiver needs longer than the default of 250 ms.
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup,
    ...(options.certificateAuthorities === undefined ? {} : { ca: [...options.certificateAuthorities] })
  })

  return (target, callback) => {
    const host = bareHost(target.hostname)
    if (isExempt(host)) return connect(target, callback)
    if (isAddress(target.hostname) && !isPublicAddress(host)) {
      return callback(new AddressRefused("the address is not public"), null)
    }
    if (!isAllowedPort(target.port, options)) {
      return callback(new AddressRefused(`port ${target.port} is not allowed`), null)
    }
    return connect(target, callback)
  }
})
