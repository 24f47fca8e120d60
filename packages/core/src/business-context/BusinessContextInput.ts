import * as Schema from "effect/Schema"
import * as JsonSize from "../values/JsonSize.ts"

/** The maximum number of variables in one request (D-VAR-11). */
export const maxVariables = 500

/**
 * A change of the business context (C-4.5-1). `autoCreateVariables` is false by default (C-4.5-2), and then no
 * definition is created.
 */
export const SetBusinessContext = Schema.Struct({
  variables: Schema.Record(Schema.String, Schema.Json).check(
    Schema.isMaxProperties(maxVariables, { expected: `at most ${maxVariables} variables` }),
    JsonSize.withMaxBytes(JsonSize.maxStoredBytes)
  ),
  autoCreateVariables: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** A change of the business context. */
export type SetBusinessContext = typeof SetBusinessContext.Type
