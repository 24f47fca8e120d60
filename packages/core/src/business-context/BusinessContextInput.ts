import * as Schema from "effect/Schema"
import * as JsonSize from "../values/JsonSize.ts"

/** How many variables one request may set. */
export const maxVariables = 500

/** The body of a change of the business context (C-4.5-1). Without `autoCreateVariables` no definition is made. */
export const SetBusinessContext = Schema.Struct({
  variables: Schema.Record(Schema.String, Schema.Json).check(
    Schema.isMaxProperties(maxVariables, { expected: `at most ${maxVariables} variables` }),
    JsonSize.withMaxBytes(JsonSize.maxStoredBytes)
  ),
  autoCreateVariables: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** The body of a change of the business context. */
export type SetBusinessContext = typeof SetBusinessContext.Type
