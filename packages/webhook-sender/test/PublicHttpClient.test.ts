import { describe, expect, it } from "@effect/vitest"
import { PublicHttpClient } from "@frontdesk/webhook-sender"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Resolver } from "../src/Resolver.ts"
import { receiver } from "./sending.ts"

/** Returns the code of the innermost cause of an error that has one. */
const codeOf = (error: unknown): unknown => {
  let code: unknown
  for (let cause = error; cause instanceof Error; cause = cause.cause) if ("code" in cause) code = cause.code
  return code
}

/** Sends a GET, and returns the status of the answer or the code of the failure. */
const ask = (url: string) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url)).pipe(
    Effect.map(({ status }): unknown => status),
    Effect.catch((error) => Effect.succeed(codeOf(error.reason)))
  )

const resolving = (addresses: () => ReadonlyArray<string>, options: PublicHttpClient.Options = {}) =>
  PublicHttpClient.layerWithResolver(options).pipe(
    Layer.provide(Layer.succeed(Resolver, Resolver.of({ resolve: () => Effect.sync(addresses) })))
  )

describe("PublicHttpClient", () => {
  it.live.each(["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1"])(
    "a request to the private address %s makes no connection",
    (host) =>
      Effect.gen(function* () {
        const { connections, port } = yield* receiver()
        expect(yield* ask(`http://${host}:${port}/`)).toBe("ADDRESS_REFUSED")
        expect(connections()).toBe(0)
      }).pipe(Effect.provide(PublicHttpClient.layer()))
  )

  it.live.each([
    { addresses: ["127.0.0.1"] },
    { addresses: ["93.184.215.14", "127.0.0.1"] },
    { addresses: ["::1"] },
    { addresses: ["fe80::1%lo"] }
  ])("a name that resolves to $addresses makes no connection", ({ addresses }) =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      expect(yield* ask(`http://rebound.example:${port}/`)).toBe("ADDRESS_REFUSED")
      expect(connections()).toBe(0)
    }).pipe(Effect.provide(resolving(() => addresses)))
  )

  it.live("a port of another service makes no connection", () =>
    Effect.gen(function* () {
      expect(yield* ask("http://93.184.215.14:24/")).toBe("ADDRESS_REFUSED")
    }).pipe(Effect.provide(PublicHttpClient.layer()))
  )

  it.live("a redirect to a private address makes no connection", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const { port } = yield* receiver({
        plan: Behaviour.answer(302, { headers: { location: `http://127.0.0.2:${target.port}/` } })
      })
      expect(yield* ask(`http://127.0.0.1:${port}/`)).toBe("ADDRESS_REFUSED")
      expect(target.connections()).toBe(0)
    }).pipe(Effect.provide(PublicHttpClient.layer({ privateHosts: ["127.0.0.1"] })))
  )

  it.live("a private host may have any address, and no other name may have it", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      expect(yield* ask(`http://calendar.internal:${port}/`)).toBe(200)
      expect(yield* ask(`http://other.internal:${port}/`)).toBe("ADDRESS_REFUSED")
    }).pipe(Effect.provide(resolving(() => ["127.0.0.1"], { privateHosts: ["calendar.internal"] })))
  )

  it.live("the operating system resolves a private host", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      expect(yield* ask(`http://localhost:${port}/`)).toBe(200)
    }).pipe(Effect.provide(PublicHttpClient.layer({ privateHosts: ["localhost"] })))
  )

  it.live("a fetch of the program does not replace the check", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      expect(yield* ask(`http://127.0.0.1:${port}/`)).toBe("ADDRESS_REFUSED")
      expect(connections()).toBe(0)
    }).pipe(Effect.provideService(FetchHttpClient.Fetch, globalThis.fetch), Effect.provide(PublicHttpClient.layer()))
  )
})
