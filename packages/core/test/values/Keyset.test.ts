import { describe, expect, it } from "@effect/vitest"
import * as Keyset from "@frontdesk/core/values/Keyset"
import * as Effect from "effect/Effect"

describe("Keyset.readAll", () => {
  it.effect(
    "readAll reads pages of at most 500 rows, each after the last row of the one before, until one is empty",
    () =>
      Effect.gen(function* () {
        const reads: Array<readonly [number | null, number]> = []
        const pages = [[1, 2], [3], []]
        const rows = yield* Keyset.readAll((after: number | null, limit) => {
          reads.push([after, limit])
          return Effect.succeed(pages[reads.length - 1] ?? [])
        })
        expect(rows).toEqual([1, 2, 3])
        expect(reads).toEqual([
          [null, 500],
          [2, 500],
          [3, 500]
        ])
      })
  )
})
