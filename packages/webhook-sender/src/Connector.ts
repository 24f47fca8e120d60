import { isIPv4, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import { buildConnector } from "undici"
import { type Allowed, bareHost, isAddress, isAllowedPort, isPublicAddress } from "./AddressGuard.ts"
import { Resolver } from "./Resolver.ts"

/** A connection was not made, because it would have led to an address or a port that is not allowed. */
export class AddressRefused extends Error {
  readonly code = "ADDRESS_REFUSED"
}

/** How connections are made. */
export interface ConnectorOptions extends Allowed {
  /** Certificates in PEM form to trust instead of those that come with Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
}

/**
 * The one place where connections to receivers are made.
 *
 * A literal address is judged here, because a lookup hook never sees one. A name is resolved once, every answer is
 * judged, and a single bad one refuses the lot; the socket then chooses among these very addresses, while the
 * certificate is checked for, and the request names, the host of the URL. So a name server that changes its answer
 * between the check and the connection gains nothing.
 */
export const make = Effect.fnUntraced(function* (
  options: ConnectorOptions
): Effect.fn.Return<buildConnector.connector, never, Resolver> {
  const resolver = yield* Resolver
  const run = Effect.runForkWith(yield* Effect.context())
  const isAllowed = (address: string): boolean => options.allowInsecure || isPublicAddress(address)

  const notFound = () => Object.assign(new Error("the name was not found"), { code: "ENOTFOUND" })

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const settle = Effect.match(resolver.resolve(hostname), {
      onFailure: () => callback(notFound(), []),
      onSuccess: (addresses) => {
        const refused = addresses.find((address) => !isAllowed(address))
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

  const connect = buildConnector({
    allowH2: false,
    autoSelectFamily: true,
    // One address after the other; a far receiver needs more than the quarter of a second that is the default.
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup,
    ...(options.certificateAuthorities === undefined ? {} : { ca: [...options.certificateAuthorities] })
  })

  return (target, callback) => {
    if (isAddress(target.hostname) && !isAllowed(bareHost(target.hostname))) {
      return callback(new AddressRefused("the address is not public"), null)
    }
    if (!isAllowedPort(target.port, options)) {
      return callback(new AddressRefused(`port ${target.port} is not allowed`), null)
    }
    return connect(target, callback)
  }
})
