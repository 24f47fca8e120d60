import * as JsonText from "@frontdesk/http/request/JsonText"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("the JSON text of an answer", () => {
  it("law: equals the text of JSON.stringify", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.string(),
            fc.oneof(
              fc.constant(undefined),
              fc.jsonValue(),
              fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { minLength: 9, maxLength: 14 })
            )
          )
        ),
        async (value) => {
          expect(await Effect.runPromise(JsonText.stringify(value))).toBe(JSON.stringify(value))
        }
      )
    ))

  it("is written in parts for a large page, so that other fibers run in between", async () => {
    const page = { items: Array.from({ length: 40 }, () => ({ text: "x".repeat(30_000) })), count: 40 }
    let turns = 0
    const other = Effect.forever(
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => (turns += 1))
      )
    )
    const text = await Effect.runPromise(Effect.raceFirst(JsonText.stringify(page), other))
    expect(text).toBe(JSON.stringify(page))
    expect(turns).toBeGreaterThanOrEqual(5)
  })
})
