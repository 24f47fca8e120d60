import { describe, expect, it } from "@effect/vitest"
import * as Keyset from "@frontdesk/core/values/Keyset"
import * as Effect from "effect/Effect"

describe("Keyset.readAll", () => {
  it.effect("asks for at most 500 rows behind the last row until none is left", () =>
    Effect.gen(function* () {
      const asked: Array<readonly [number | null, number]> = []
      const pages = [[1, 2], [3], []]
      const rows = yield* Keyset.readAll((after: number | null, limit) => {
        asked.push([after, limit])
        return Effect.succeed(pages[asked.length - 1] ?? [])
      })
      expect(rows).toEqual([1, 2, 3])
      expect(asked).toEqual([
        [null, 500],
        [2, 500],
        [3, 500]
      ])
    })
  )
})
