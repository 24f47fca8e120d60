import { expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as Effect from "effect/Effect"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import * as Secrets from "frontdesk/Secrets"

cryptoSuite("the primitives of Node", NodeCrypto.layer)

secretBoxSuite("the primitives of Node", Secrets.layer)

it.effect("NodeCrypto.uuidV7 takes the random bits of each id from bytes that no other id has used (D-SRV-20)", () =>
  Effect.gen(function* () {
    const { uuidV7 } = yield* Crypto
    // More ids than one pool of random bytes is enough for. The last 8 digits of an id are random.
    const ids = yield* Effect.forEach(Array.from({ length: 2_000 }), () => uuidV7)
    const random = new Set(ids.map((id) => id.slice(-8)))
    expect(random.size).toBeGreaterThan(1_990)
    expect(random).not.toContain("00000000")
    expect(ids.toSorted()).toEqual(ids)
  }).pipe(Effect.provide(NodeCrypto.layer))
)
