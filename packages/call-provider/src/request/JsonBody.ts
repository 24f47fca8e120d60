import type { CallbackBody, Ingested } from "@frontdesk/core/call/CallProvider"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Returns the parsed JSON body of a callback, or none when it is not JSON. */
export const parseBody = (body: Uint8Array): Option.Option<unknown> => parse(new TextDecoder().decode(body))

/** Returns the JSON body of an answer to a provider. */
export const jsonBody = (value: unknown): CallbackBody => ({
  contentType: "application/json",
  text: JSON.stringify(value)
})

/** Returns the result of reading an authentic callback that cannot be read. */
export const malformed = (reason: string): Ingested => ({ _tag: "Malformed", reason })

/** Returns {@link malformed} with the names of the fields that did not decode. Decode with `{ errors: "all" }`. */
export const differing = ({ issue }: Schema.SchemaError): Ingested => {
  const fields = FieldProblems.fromIssue(issue).map(({ field }) => field)
  return malformed(`fields differ from the documentation: ${[...new Set(fields)].join(", ")}`)
}
