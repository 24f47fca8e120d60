import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { SlotIds, type SlotOwner } from "@frontdesk/core/booking/SlotIds"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

const services = SlotIds.layer.pipe(Layer.provide([MemoryStorage.layer, Crypto.layerWebCrypto]))

const owner: SlotOwner = { accountId: AccountId.make(1), agentId: AgentId.make(7) }

const slot = { start: Date.UTC(2026, 5, 1, 10), end: Date.UTC(2026, 5, 1, 10, 30) }

const anySlot = fc
  .tuple(fc.integer({ min: 0, max: 8_000_000_000 }), fc.integer({ min: 1, max: 180 }))
  .map(([seconds, minutes]) => ({ start: seconds * 1_000, end: seconds * 1_000 + minutes * 60_000 }))

const anyOwner = fc.record({
  accountId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => AccountId.make(id)),
  agentId: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => AgentId.make(id)))
})

describe("SlotIds (D-AGT-1)", () => {
  it.effect("law: an id has 31 characters and returns its slot to its owner alone", () =>
    Effect.gen(function* () {
      const ids = yield* SlotIds
      yield* Property.forAll(fc.tuple(anySlot, anyOwner, anyOwner), ([slot, mine, other]) =>
        Effect.gen(function* () {
          const id = yield* ids.make(mine, slot)
          expect(id).toMatch(/^[\w-]{31}$/)
          expect(yield* ids.read(mine, id)).toEqual({ slot, isExpired: false })
          const isSame = mine.accountId === other.accountId && mine.agentId === other.agentId
          if (!isSame) expect(yield* Effect.flip(ids.read(other, id))).toMatchObject({ _tag: "InvalidSlotId" })
        })
      )
    }).pipe(Effect.provide(services))
  )

  it.effect("law: an id with another character, and any other text, is invalid", () =>
    Effect.gen(function* () {
      const ids = yield* SlotIds
      const id = yield* ids.make(owner, slot)
      const changed = fc
        .tuple(fc.nat(30), fc.constantFrom("A", "B", "Z", "a", "b", "z", "0", "9", "-", "_"))
        .map(([at, character]) => `${id.slice(0, at)}${character}${id.slice(at + 1)}`)
        .filter((text) => text !== id)
      yield* Property.forAll(fc.oneof(changed, fc.string(), fc.base64String(), fc.constant(`${id}=`)), (text) =>
        Effect.gen(function* () {
          expect(yield* Effect.flip(ids.read(owner, text))).toMatchObject({ _tag: "InvalidSlotId" })
        })
      )
    }).pipe(Effect.provide(services))
  )

  it.effect("an id expires after 15 minutes, and can still be read", () =>
    Effect.gen(function* () {
      const ids = yield* SlotIds
      const id = yield* ids.make(owner, slot)
      yield* TestClock.adjust("899 seconds")
      expect(yield* ids.read(owner, id)).toEqual({ slot, isExpired: false })
      yield* TestClock.adjust("1 second")
      expect(yield* ids.read(owner, id)).toEqual({ slot, isExpired: true })
    }).pipe(Effect.provide(services))
  )
})
