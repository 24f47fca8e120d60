import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Connector from "../src/Connector.ts"
import { Resolver } from "../src/Resolver.ts"

describe("Connector", () => {
  it.effect.each(["127.0.0.1", "10.0.0.1", "::1", "[::1]", "[::ffff:7f00:1]"])(
    "a literal address that is not public is rejected without a lookup: %s",
    (hostname) =>
      Effect.gen(function* () {
        const connect = yield* Connector.make({ allowInsecure: false })
        const errors: Array<Error | null> = []
        connect({ hostname, host: hostname, protocol: "https:", port: "443" }, (...[error]) => {
          errors.push(error)
        })
        expect(errors).toEqual([expect.any(Connector.AddressRefused)])
      }).pipe(withoutResolver)
  )

  it.effect("a connection to a port below 1024 that is not allowed is rejected without a lookup", () =>
    Effect.gen(function* () {
      const connect = yield* Connector.make({ allowInsecure: false, privilegedPorts: [24] })
      const errors: Array<string | undefined> = []
      connect({ hostname: "hooks.example", host: "hooks.example", protocol: "https:", port: "25" }, (...[error]) => {
        errors.push(error?.message)
      })
      expect(errors).toEqual(["port 25 is not allowed"])
    }).pipe(withoutResolver)
  )

  const withoutResolver = Effect.provideService(
    Resolver,
    Resolver.of({ resolve: () => Effect.die(new Error("the connector resolved a name")) })
  )
})
