import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { postgres, toStored } from "@frontdesk/storage-sql/dialect/PostgresDialect"

describe("PostgreSQL", () => {
  it("parameters ?1 are written as $1", () => {
    expect(postgres.text("SELECT ?1, ?12, ?1")).toBe("SELECT $1, $12, $1")
  })

  it("values are converted to the form that row schemas decode", () => {
    const body = new Uint8Array([1, 2])
    const values = [7n, true, false, new Date(5), ["a"], null, "x", 1.5, body, undefined]
    expect(values.map(toStored)).toEqual([7, 1, 0, 5, '["a"]', null, "x", 1.5, body, undefined])
  })

  it.each([
    [123, "1970-01-01T00:00:00.123Z"],
    [-60_589_296_000_000, "0050-01-01T00:00:00.000Z"],
    [-62_135_596_800_000, "0001-01-01T00:00:00.000Z"],
    [-62_135_596_800_001, "0001-12-31T23:59:59.999Z BC"],
    [-63_517_820_276_544, "0044-03-15T01:02:03.456Z BC"],
    [253_402_300_799_999, "9999-12-31T23:59:59.999Z"],
    [253_402_300_800_000, "10000-01-01T00:00:00.000Z"],
    [8_640_000_000_000_000, "275760-09-13T00:00:00.000Z"],
    [-8_640_000_000_000_000, "271822-04-20T00:00:00.000Z BC"]
  ])("an instant is written with a year that PostgreSQL accepts: %d ms as %s", (millis, text) => {
    expect(postgres.time(DateTime.makeUnsafe(millis))).toBe(text)
  })
})
