import { AssertionError } from "node:assert"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { expect as own } from "@frontdesk/testing/suite/Expect"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"

const instant = (text: string) => DateTime.makeUnsafe(text)

/** Values of which no two are equal. */
const different: ReadonlyArray<unknown> = [
  null,
  0,
  -0,
  "",
  [],
  [1],
  [1, 2],
  {},
  { a: null },
  { a: 1 },
  { a: 1, b: [{ c: 1 }] },
  { a: 1, b: [{ c: 2 }] },
  Option.none(),
  Option.some(1),
  instant("2026-03-02T09:00:00.123Z"),
  instant("2026-03-02T09:00:00.124Z"),
  Redacted.make("one"),
  Redacted.make("other"),
  new Set([1]),
  new Map([["a", 1]]),
  Uint8Array.of(1),
  Uint8Array.of(2)
]

describe("expect of the suites", () => {
  it("toEqual accepts a value only for itself", () => {
    for (const one of different) {
      for (const other of different) {
        if (Object.is(one, other)) own(one).toEqual(other)
        else expect(() => own(one).toEqual(other)).toThrow(AssertionError)
      }
    }
  })

  it("toEqual ignores prototypes and properties that are undefined", () => {
    own(Object.assign(Object.create(null), { a: 1, b: undefined })).toEqual({ a: 1 })
    own(Buffer.from("a")).toEqual(Uint8Array.of(97))
  })

  it("toMatchObject compares the properties that the expected value has, also inherited ones", () => {
    const error = new StorageError({ reason: "unavailable", operation: "x", cause: "y" })
    own(error).toMatchObject({ _tag: "StorageError", isRetryable: error.isRetryable })
    expect(() => own(error).toMatchObject({ isRetryable: !error.isRetryable })).toThrow(/isRetryable/)
    own([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }])
    expect(() => own([{ a: 1 }, {}]).toMatchObject([{ a: 1 }])).toThrow(AssertionError)
    expect(() => own({}).toMatchObject({ a: 1 })).toThrow(AssertionError)
  })

  it("each of the other assertions throws for a value that does not satisfy it", () => {
    const failing = [
      () => own(1).toBe(2),
      () => own([1]).toHaveLength(2),
      () => own([1]).toContain(2),
      () => own("abc").toContain("d"),
      () => own([{ a: 1 }]).toContainEqual({ a: 2 }),
      () => own("abc").toMatch(/d/),
      () => own(0).toBeNull(),
      () => own(1).toBeGreaterThan(1),
      () => own(1).toBeGreaterThanOrEqual(2),
      () => own(1).toBeLessThan(1),
      () => own(1).toBeLessThanOrEqual(0),
      () => own(1).not.toBe(1),
      () => own({ a: 1 }).not.toEqual({ a: 1 }),
      () => own([1]).not.toContain(1)
    ]
    for (const check of failing) expect(check).toThrow(AssertionError)
  })
})
