import { isIPv6 } from "node:net"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { bareHost } from "./AddressGuard.ts"
import * as Connector from "./Connector.ts"
import { Resolver } from "./Resolver.ts"

/** Reads a private host: a name or an address in the form of `URL.hostname`, without brackets and without a port. */
export const privateHost: TextReader<string> = (text) => {
  const url = URL.parse(`https://${isIPv6(text) ? `[${text}]` : text}/`)
  return url !== null && text !== "" && bareHost(url.host) === text
    ? Result.succeed(text)
    : Result.fail("a host in lower case without a port, such as calendar.internal or 10.0.0.5")
}

/** Options of the client. */
export interface Options {
  /**
   * Hosts that may have any address and any port, in lower case and without the brackets of an IPv6 address. Their names
   * are resolved by the operating system, so `localhost` works. Default: none.
   */
  readonly privateHosts?: ReadonlyArray<string> | undefined
  /** Certificates in PEM format to trust instead of those of Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
}

/** How long an idle connection stays open for the next request, in milliseconds. */
const maxIdleMillis = 4_000

/** Returns a `fetch` whose connections the connector opens. They close with the scope. */
const makeFetch = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<typeof globalThis.fetch, never, Resolver | Scope.Scope> {
  const undici = yield* Effect.promise(() => import("undici"))
  const connect = yield* Connector.make({ ...options, allowInsecure: false })
  const dispatcher = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new undici.Agent({
          connect,
          allowH2: false,
          keepAliveTimeout: maxIdleMillis,
          keepAliveMaxTimeout: maxIdleMillis
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- The types of undici describe the same standard with classes of their own. */
  const fetch = undici.fetch as unknown as (input: unknown, init: object) => Promise<Response>
  return (input, init) => fetch(input, { ...init, dispatcher })
})

/** The client with a `Resolver` that the program provides. */
export const layerWithResolver = (options: Options = {}): Layer.Layer<HttpClient.HttpClient, never, Resolver> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      // The first request loads undici, which takes a tenth of a second.
      const guarded = yield* makeFetch(options).pipe(
        Effect.provide(yield* Effect.context<Resolver | Scope.Scope>()),
        Effect.uninterruptible,
        Effect.cached
      )
      return HttpClient.transform(client, (response) =>
        Effect.flatMap(guarded, (fetch) => Effect.provideService(response, FetchHttpClient.Fetch, fetch))
      )
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))

/** Resolves the private hosts by the operating system, and every other name by the machine's name servers. */
const resolver = ({ privateHosts = [] }: Options): Layer.Layer<Resolver> => {
  const own = new Set(privateHosts)
  const of = (layer: Layer.Layer<Resolver>) => Effect.provide(Resolver, layer)
  return Layer.effect(
    Resolver,
    Effect.gen(function* () {
      const [system, servers] = [yield* of(Resolver.layerSystem), yield* of(Resolver.layer)]
      return Resolver.of({ resolve: (hostname) => (own.has(hostname) ? system : servers).resolve(hostname) })
    })
  )
}

/**
 * Provides an `HttpClient` that opens connections only to public addresses, for URLs that come from outside (D-SEND-1). A
 * request to another address or port fails with a `TransportError` whose cause has the code `ADDRESS_REFUSED`.
 *
 * The check applies to every connection, also after a redirect, and to the address to which the socket connects.
 */
export const layer = (options: Options = {}): Layer.Layer<HttpClient.HttpClient> =>
  layerWithResolver(options).pipe(Layer.provide(resolver(options)))
