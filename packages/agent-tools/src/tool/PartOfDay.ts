import * as Schema from "effect/Schema"

/** A part of the day in which a person wants an appointment. */
export const PartOfDay = Schema.Literals(["morning", "afternoon", "evening"])

/** A part of the day in which a person wants an appointment. */
export type PartOfDay = typeof PartOfDay.Type

/**
 * The wall times of each part, in minutes from 00:00. A slot is in a part when it starts at `from` or later, and before
 * `to`.
 */
export const minutes: { readonly [P in PartOfDay]: { readonly from: number; readonly to: number } } = {
  morning: { from: 0, to: 12 * 60 },
  afternoon: { from: 12 * 60, to: 17 * 60 },
  evening: { from: 17 * 60, to: 24 * 60 }
}
