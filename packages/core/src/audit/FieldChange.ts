import * as Schema from "effect/Schema"

/**
 * The change of one field. Without `before` and `after` the values are left out, because they are personal, secret or too
 * large (D-AUD-4). A field of a new record has no `before`.
 */
export const FieldChange = Schema.Struct({
  /** The name of the field in JSON, for example `start_time`. */
  field: Schema.String,
  before: Schema.optionalKey(Schema.Json),
  after: Schema.optionalKey(Schema.Json)
})

/** The change of one field. */
export type FieldChange = typeof FieldChange.Type
