import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"

/**
 * Returns a check that accepts every value, and adds a rule to the JSON Schema of the value. The service checks the rule,
 * because its error has a code of its own.
 */
export const statedRule = (rule: JsonSchema.JsonSchema) =>
  Schema.makeFilter<unknown>(() => true, { toJsonSchema: () => rule })
