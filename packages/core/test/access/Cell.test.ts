import { describe, expect, it } from "@effect/vitest"
import * as ApiKeyValue from "@frontdesk/core/access/ApiKeyValue"
import * as Cell from "@frontdesk/core/access/Cell"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"

const cells = fc.integer({ min: 0, max: 8191 }).map((cell) => Cell.Cell.make(cell))

describe("Cell", () => {
  it("every id belongs to the cell whose range contains it, and to no other (D-STO-14)", () => {
    const withId = cells.chain((cell) => {
      const { first, last } = Cell.ids(cell)
      const edges = fc.constantFrom(first, first + 1, last - 1, last)
      return fc.tuple(fc.constant(cell), fc.oneof(edges, fc.integer({ min: first, max: last })))
    })
    fc.assert(
      fc.property(withId, ([cell, id]) => {
        expect(Cell.ofId(id)).toBe(cell)
      })
    )
  })

  it("the ranges follow each other without a gap, from 1 to the largest safe integer", () => {
    expect(Cell.ids(Cell.single).first).toBe(1)
    expect(Cell.ids(Cell.Cell.make(8191)).last).toBe(Number.MAX_SAFE_INTEGER)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8191 }), (cell) => {
        expect(Cell.ids(Cell.Cell.make(cell)).first).toBe(Cell.ids(Cell.Cell.make(cell - 1)).last + 1)
      })
    )
  })

  it.effect("a generated API key names its cell, and one of cell 0 names none (D-KEY-4)", () =>
    Effect.forEach([0, 1, 12, 345, 8191], (number) =>
      Effect.gen(function* () {
        const cell = Cell.Cell.make(number)
        const value = Redacted.value(yield* ApiKeyValue.generate("live", cell))
        expect(Cell.ofKey(value)).toBe(cell)
        expect(value).toMatch(number === 0 ? /^fd_live_[\w-]{43}$/ : new RegExp(`^fd_live_${number}_[\\w-]{43}$`))
        const { prefix } = yield* ApiKeyValue.digest(Redacted.make(value))
        // Four random characters are stored, whatever the cell is.
        expect(prefix).toBe(value.slice(0, value.length - 43 + 4))
      })
    ).pipe(Effect.provide(Crypto.layerWebCrypto))
  )

  it.each([
    "fd_test_acme_full_0123456789abcdefghijklmnop",
    `fd_live_3_${"a".repeat(42)}`,
    `fd_live_3_${"a".repeat(44)}`,
    `fd_live_03_${"a".repeat(43)}`,
    `fd_live_8192_${"a".repeat(43)}`,
    `fd_live_${"3".repeat(43)}`,
    `fd_live_3_${"a".repeat(41)}`,
    "anything"
  ])("the API key %s names no cell, so it is one of cell 0", (value) => {
    expect(Cell.ofKey(value)).toBe(Cell.single)
  })
})
