import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Connector from "../src/Connector.ts"
import { Resolver } from "../src/Resolver.ts"

describe("Connector", () => {
  it.effect.each(["127.0.0.1", "10.0.0.1", "::1", "[::1]", "[::ffff:7f00:1]"])(
    "a literal address is judged too, because no lookup is made for it: %s",
    (hostname) =>
      Effect.gen(function* () {
        const connect = yield* Connector.make({ allowInsecure: false })
        const refusals: Array<Error | null> = []
        connect({ hostname, host: hostname, protocol: "https:", port: "443" }, (...[error]) => {
          refusals.push(error)
        })
        expect(refusals).toEqual([expect.any(Connector.AddressRefused)])
      }).pipe(nobodyIsAsked)
  )

  it.effect("a privileged port is judged too, however its URL came to be stored", () =>
    Effect.gen(function* () {
      const connect = yield* Connector.make({ allowInsecure: false, privilegedPorts: [24] })
      const refusals: Array<string | undefined> = []
      connect({ hostname: "hooks.example", host: "hooks.example", protocol: "https:", port: "25" }, (...[error]) => {
        refusals.push(error?.message)
      })
      expect(refusals).toEqual(["port 25 is not allowed"])
    }).pipe(nobodyIsAsked)
  )

  const nobodyIsAsked = Effect.provideService(
    Resolver,
    Resolver.of({ resolve: () => Effect.die(new Error("a literal address was resolved")) })
  )
})
