import * as Schema from "effect/Schema"

/** How many levels of objects and arrays a JSON value that is kept may have, itself included. */
export const maxDepth = 64

const isWithin = (value: Schema.Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)))

/** At most {@link maxDepth} levels: deeper data would exhaust the stack of whatever writes or reads it. */
export const shallow = Schema.makeFilter((value: Schema.JsonObject) => isWithin(value, maxDepth), {
  description: `at most ${maxDepth} levels of objects and arrays`
})
