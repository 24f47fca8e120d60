import * as Schema from "effect/Schema"
import { expect } from "vitest"

/** Returns a matcher of texts that contain another text. */
export const containing = (text: string): unknown => expect.stringContaining(text)

const decodeFields = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

/** Returns the fields of a JSON object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => decodeFields(value)

/** Parses a JSON text. */
export const parse = (text: string): unknown => JSON.parse(text)
