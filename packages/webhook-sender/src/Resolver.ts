import * as dns from "node:dns/promises"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A name has no address, or nobody could be asked. */
export class ResolveError extends Schema.TaggedError<ResolveError>("@frontdesk/webhook-sender/ResolveError")(
  "ResolveError",
  { hostname: Schema.String, cause: Schema.Defect() }
) {}

/**
 * The addresses of both kinds, those of the first before those of the second; fails as the first when there are none.
 *
 * Once one kind has come the other has a second more, so that a name server that is silent about one of them does not
 * use up the deadline of the request. An address that comes too late is not connected to.
 */
export const ofBothKinds = <E>(
  v4: Effect.Effect<ReadonlyArray<string>, E>,
  v6: Effect.Effect<ReadonlyArray<string>, E>
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.gen(function* () {
    const some = yield* Latch.make(false)
    const tooLate = Effect.as(Effect.andThen(some.await, Effect.sleep(patience)), [])
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

const patience = Duration.seconds(1)

/** Port: turns the name of a host into its addresses, once for each connection. */
export class Resolver extends Context.Service<
  Resolver,
  {
    /** The addresses of a name, at least one, those to be tried first before the others. */
    readonly resolve: (hostname: string) => Effect.Effect<ReadonlyArray<string>, ResolveError>
  }
>()("@frontdesk/webhook-sender/Resolver") {
  /**
   * Asks the name servers of the machine, for both kinds of address at once ({@link ofBothKinds}).
   *
   * It uses none of the few threads that `layerSystem` needs, so that slow name servers of one receiver delay no other;
   * nor does it read the machine's hosts file, in which no public receiver is.
   */
  static readonly layer: Layer.Layer<Resolver> = Layer.sync(Resolver, () => {
    const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })
    return Resolver.of({
      resolve: Effect.fnUntraced(function* (hostname) {
        const ask = (addresses: () => Promise<ReadonlyArray<string>>) =>
          Effect.tryPromise({ try: addresses, catch: (cause) => new ResolveError({ hostname, cause }) })
        const addresses = yield* ofBothKinds(
          ask(() => resolver.resolve4(hostname)),
          ask(() => resolver.resolve6(hostname))
        )
        return addresses.length > 0 ? addresses : yield* new ResolveError({ hostname, cause: "no addresses" })
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
