import * as dns from "node:dns/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/** A name has no address, or nobody could be asked. */
export class ResolveError extends Schema.TaggedError<ResolveError>("@frontdesk/webhook-sender/ResolveError")(
  "ResolveError",
  { hostname: Schema.String, cause: Schema.Defect() }
) {}

/** Port: turns the name of a host into its addresses, once for each connection. */
export class Resolver extends Context.Service<
  Resolver,
  {
    /** The addresses of a name, at least one, those to be tried first before the others. */
    readonly resolve: (hostname: string) => Effect.Effect<ReadonlyArray<string>, ResolveError>
  }
>()("@frontdesk/webhook-sender/Resolver") {
  /**
   * Asks the name servers of the machine, for both kinds of address at once.
   *
   * It uses none of the few threads that `layerSystem` needs, so that slow name servers of one receiver delay no other;
   * nor does it read the machine's hosts file, in which no public receiver is.
   */
  static readonly layer: Layer.Layer<Resolver> = Layer.sync(Resolver, () => {
    const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })
    return Resolver.of({
      resolve: Effect.fnUntraced(function* (hostname) {
        const [v4, v6] = yield* Effect.promise(() =>
          Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
        )
        const addresses = [
          ...(v4.status === "fulfilled" ? v4.value : []),
          ...(v6.status === "fulfilled" ? v6.value : [])
        ]
        if (addresses.length > 0) return addresses
        const cause: unknown = v4.status === "rejected" ? v4.reason : "no addresses"
        return yield* new ResolveError({ hostname, cause })
      })
    })
  })

  /** Asks the operating system, hosts file included: for development, where receivers have private names. */
  static readonly layerSystem: Layer.Layer<Resolver> = Layer.succeed(
    Resolver,
    Resolver.of({
      resolve: (hostname) =>
        Effect.tryPromise({
          try: async () => (await dns.lookup(hostname, { all: true })).map(({ address }) => address),
          catch: (cause) => new ResolveError({ hostname, cause })
        })
    })
  )
}
