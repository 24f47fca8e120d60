import * as dns from "node:dns/promises"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A name has no address, or no name server replied. */
export class ResolveError extends Schema.TaggedError<ResolveError>("@frontdesk/webhook-sender/ResolveError")(
  "ResolveError",
  { hostname: Schema.String, cause: Schema.Defect() }
) {}

/**
 * Returns the IPv4 addresses of a name, then its IPv6 addresses. Without any address the result is that of `v4`: its
 * failure, or no addresses.
 *
 * When addresses of one family have arrived, the other family has one more second. So a name server that does not reply
 * for one family does not use up the timeout of the request. Addresses that arrive later are ignored.
 */
export const resolveBothFamilies = <E>(
  v4: Effect.Effect<ReadonlyArray<string>, E>,
  v6: Effect.Effect<ReadonlyArray<string>, E>
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.gen(function* () {
    const some = yield* Latch.make(false)
    const tooLate = Effect.as(Effect.andThen(some.await, Effect.sleep(secondFamilyTimeout)), [])
    const inTime = (answer: typeof v4) =>
      answer.pipe(
        Effect.tap((addresses) => (addresses.length > 0 ? some.open : Effect.void)),
        Effect.raceFirst(tooLate),
        Effect.result
      )
    const answers = yield* Effect.all([inTime(v4), inTime(v6)], { concurrency: "unbounded" })
    const addresses = answers.flatMap(Result.getOrElse(() => []))
    return addresses.length > 0 ? addresses : yield* Effect.fromResult(answers[0])
  })

const secondFamilyTimeout = Duration.seconds(1)

/** Port: resolves a host name to addresses, once for each connection. */
export class Resolver extends Context.Service<
  Resolver,
  {
    /** Returns the addresses of a name, at least one, in the order in which to try them. */
    readonly resolve: (hostname: string) => Effect.Effect<ReadonlyArray<string>, ResolveError>
  }
>()("@frontdesk/webhook-sender/Resolver") {
  /**
   * Asks the machine's name servers for both address families at once ({@link resolveBothFamilies}).
   *
   * Unlike `layerSystem`, it does not use Node's thread pool, so a slow name server of one receiver does not delay
   * others. It does not read the hosts file, which lists no public receiver.
   */
  static readonly layer: Layer.Layer<Resolver> = Layer.sync(Resolver, () => {
    const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })
    return Resolver.of({
      resolve: Effect.fnUntraced(function* (hostname) {
        const ask = (addresses: () => Promise<ReadonlyArray<string>>) =>
          Effect.tryPromise({ try: addresses, catch: (cause) => new ResolveError({ hostname, cause }) })
        const addresses = yield* resolveBothFamilies(
          ask(() => resolver.resolve4(hostname)),
          ask(() => resolver.resolve6(hostname))
        )
        return addresses.length > 0 ? addresses : yield* new ResolveError({ hostname, cause: "no addresses" })
      })
    })
  })

  /**
   * Asks the operating system, which also reads the hosts file. For development, where receivers have private names.
   */
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
