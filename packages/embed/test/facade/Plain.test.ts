import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import * as Plain from "../../src/facade/Plain.ts"

it("a value of the core becomes plain data", () => {
  const at = DateTime.makeUnsafe("2026-03-02T10:00:00Z")
  expect(
    Plain.of({
      at,
      secret: Redacted.make("whsec_1"),
      grace: Duration.seconds(1),
      rows: [Option.some({ at }), Option.none()],
      permissions: new Set(["can_read_calls"])
    })
  ).toEqual({
    at: "2026-03-02T10:00:00.000Z",
    secret: "whsec_1",
    grace: 1_000,
    rows: [{ at: "2026-03-02T10:00:00.000Z" }, null],
    permissions: ["can_read_calls"]
  })
})

it("an object that imitates a value of Effect stays as it is", () => {
  const imitation = { "~effect/DateTime": "~effect/DateTime", _tag: "None", "~effect/data/Option": {} }
  expect(Plain.of({ customContext: imitation })).toEqual({ customContext: imitation })
})

it("a key that is the name of the prototype stays a key", () => {
  const json: unknown = JSON.parse('{"__proto__": {"id": [1]}}')
  expect(JSON.stringify(Plain.of(json))).toBe('{"__proto__":{"id":[1]}}')
})

it("a copy shares no object with the value", () => {
  const value = { list: [{ a: 1 }], inner: { b: 2 } }
  const copied = Plain.of(value)
  expect(copied).toEqual(value)
  value.list.length = 0
  value.inner.b = 3
  expect(copied).toEqual({ list: [{ a: 1 }], inner: { b: 2 } })
})
