import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { postgres } from "../../src/dialect/Postgres.ts"

describe("PostgreSQL", () => {
  it("parameters are numbered its way", () => {
    expect(postgres.text("SELECT ?1, ?12, ?1")).toBe("SELECT $1, $12, $1")
  })

  it("rows come in the form that row schemas know", () => {
    const body = new Uint8Array([1, 2])
    const row = { id: 7n, flag: true, other: false, at: new Date(5), tags: ["a"], none: null, text: "x", body }
    expect(postgres.rows([row])).toEqual([
      { id: 7, flag: 1, other: 0, at: 5, tags: '["a"]', none: null, text: "x", body }
    ])
  })

  it("instants are written as ISO 8601", () => {
    expect(postgres.time(DateTime.makeUnsafe(123))).toBe("1970-01-01T00:00:00.123Z")
  })
})
