import * as Schema from "effect/Schema"
import * as JsonSize from "../values/JsonSize.ts"
import { statedRule } from "../values/StatedRule.ts"

/** The maximum number of variables in one request (D-VAR-11). */
export const maxVariables = 500

// An object or an array is an `InvalidValue` of the service.
const ScalarOrNull = Schema.Json.check(
  statedRule({ anyOf: ["string", "number", "boolean", "null"].map((type) => ({ type })) })
)

/**
 * A change of the business context (C-4.5-1). `autoCreateVariables` is false by default (C-4.5-2), and then no
 * definition is created.
 */
export const SetBusinessContext = Schema.Struct({
  variables: Schema.Record(Schema.String, ScalarOrNull).check(
    Schema.isMaxProperties(maxVariables, { expected: `at most ${maxVariables} variables` }),
    JsonSize.withMaxBytes(JsonSize.maxStoredBytes)
  ),
  autoCreateVariables: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** A change of the business context. */
export type SetBusinessContext = typeof SetBusinessContext.Type
