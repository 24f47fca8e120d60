import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/**
 * A `Crypto` with predictable random bytes and ids. Only for golden tests: it protects nothing.
 *
 * Digests are real. Random bytes count up from 0 over all calls. UUIDs count up from
 * `00000000-0000-4000-8000-000000000001`, those of version 7 from `00000000-0001-7000-8000-000000000000`.
 */
export const layer: Layer.Layer<Crypto> = Layer.effect(
  Crypto,
  Effect.map(Crypto, (real) => {
    let bytes = 0
    let uuids = 0
    let sorted = 0
    return Crypto.of({
      ...real,
      randomBytes: (size) => Effect.sync(() => Uint8Array.from({ length: size }, () => bytes++ & 0xff)),
      uuid: Effect.sync(() => `00000000-0000-4000-8000-${hex(++uuids, 12)}`),
      uuidV7: Effect.sync(() => {
        sorted += 1
        return `${hex(Math.floor(sorted / 0x1_0000), 8)}-${hex(sorted % 0x1_0000, 4)}-7000-8000-000000000000`
      })
    })
  })
).pipe(Layer.provide(Crypto.layerWebCrypto))
