import { describe, expect, it } from "@effect/vitest"
import * as FieldChanges from "@frontdesk/core/audit/FieldChanges"
import type { FieldChange } from "@frontdesk/core/audit/FieldChange"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"

interface Sample {
  readonly name: string | null
  readonly startTime: DateTime.Utc
  readonly sizes: ReadonlyArray<number>
  readonly firstName: string
  readonly key: Redacted.Redacted<string>
  readonly team: { readonly id: number; readonly name: string } | null
  readonly updatedAt: number
}

const rules: FieldChanges.FieldRules<Sample> = {
  name: "shown",
  startTime: "shown",
  sizes: "shown",
  firstName: "named",
  key: "shown",
  team: FieldChanges.idAs("team_id"),
  updatedAt: "ignored"
}

const sample: Sample = {
  name: "a",
  startTime: DateTime.makeUnsafe(0),
  sizes: [1],
  firstName: "Jo",
  key: Redacted.make("secret"),
  team: { id: 1, name: "North" },
  updatedAt: 1
}

const changesOf = (before: Sample | null, after: Sample | null) => FieldChanges.of(rules, before, after).changes

describe("FieldChanges", () => {
  it("a change has both values of a field that is shown, under its name in JSON (D-AUD-4)", () => {
    const after = { ...sample, name: null, startTime: DateTime.makeUnsafe(1), sizes: [1, 2] }
    expect(changesOf(sample, after)).toEqual([
      { field: "name", before: "a", after: null },
      { field: "start_time", before: "1970-01-01T00:00:00.000Z", after: "1970-01-01T00:00:00.001Z" },
      { field: "sizes", before: [1], after: [1, 2] }
    ])
  })

  it("a change names a field that is personal, and a secret, without its values (D-AUD-4)", () => {
    expect(changesOf(sample, { ...sample, firstName: "Zoe", key: Redacted.make("other") })).toEqual([
      { field: "first_name" },
      { field: "key" }
    ])
  })

  it("leaves out a field that is ignored, and a reference whose record was renamed (D-AUD-5)", () => {
    expect(changesOf(sample, { ...sample, updatedAt: 2, team: { id: 1, name: "South" } })).toEqual([])
    expect(changesOf(sample, { ...sample, team: null })).toEqual([{ field: "team_id", before: 1, after: null }])
  })

  it("a new record has the fields with a value, without a value before, and a deleted one those that had a value", () => {
    const made = { ...sample, name: "", sizes: [] }
    expect(changesOf(null, made)).toEqual([
      { field: "start_time", after: "1970-01-01T00:00:00.000Z" },
      { field: "first_name" },
      { field: "key" },
      { field: "team_id", after: 1 }
    ])
    expect(changesOf({ ...sample, team: null }, null)).toEqual([
      { field: "name", before: "a" },
      { field: "start_time", before: "1970-01-01T00:00:00.000Z" },
      { field: "sizes", before: [1] },
      { field: "first_name" },
      { field: "key" }
    ])
  })

  it("a value of more than maxValueBytes is left out, and so is the other value of its field", () => {
    const text = (bytes: number) => "x".repeat(bytes - 2)
    const [long, short] = [text(FieldChanges.maxValueBytes + 1), text(FieldChanges.maxValueBytes)]
    expect(changesOf(sample, { ...sample, name: long })).toEqual([{ field: "name" }])
    expect(changesOf({ ...sample, name: long }, sample)).toEqual([{ field: "name" }])
    expect(changesOf(sample, { ...sample, name: short })).toEqual([{ field: "name", before: "a", after: short }])
  })

  it("law: an entry has a maximum size, lists the first fields, and counts the others", () => {
    const change = fc.record(
      {
        field: fc.string({ maxLength: 20 }),
        before: fc.string({ maxLength: 900 }),
        after: fc.string({ maxLength: 900 })
      },
      { requiredKeys: ["field"] }
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (all: ReadonlyArray<FieldChange>) => {
        const { changes, unlistedChanges } = FieldChanges.bounded(all)
        expect(changes.length + unlistedChanges).toBe(all.length)
        expect(changes.length).toBe(Math.min(all.length, FieldChanges.maxListed))
        expect(changes.map(({ field }) => field)).toEqual(all.slice(0, changes.length).map(({ field }) => field))
        const values = changes.filter((one) => "before" in one || "after" in one)
        const bytes = values.reduce(
          (sum, { after, before }) => sum + JsonSize.bytesOf([before ?? null, after ?? null]),
          0
        )
        expect(bytes).toBeLessThanOrEqual(FieldChanges.maxBytes)
        for (const [index, one] of changes.entries()) {
          expect(one).toEqual("before" in one || "after" in one ? all[index] : { field: all[index]?.field })
        }
      })
    )
  })
})
