import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Predicate from "effect/Predicate"
import type { Answer } from "./Exchange.ts"

/** The most bytes that an answer has under its idempotency key: 64 KiB. */
export const maxStoredAnswerBytes = JsonSize.maxStoredBytes

/** A field with more bytes of JSON is left out of an answer that is too large to store. */
const maxFieldBytes = 1_024

/** The most bytes of an answer of an account that has stored many large ones: 2 KiB. */
export const maxReducedBytes = 2_048

/** A field with more bytes of JSON is left out of a reduced answer. Ids and statuses have fewer. */
const maxReducedFieldBytes = 128

const withoutSecret = "This is a replay, which never shows the secret. Rotate it if it was lost"

/**
 * Returns the answer as it is stored for a replay: each of these fields, which show a secret, is null, and the message
 * says so. An answer with more than {@link maxStoredAnswerBytes} is stored with its large fields empty, and names them in
 * `truncated`. A reduced one is stored so when it has more than {@link maxReducedBytes}.
 */
export const storedForm =
  (secrets: ReadonlyArray<string>) =>
  (answer: Answer, isReduced = false): Answer => {
    const maxBytes = isReduced ? maxReducedBytes : maxStoredAnswerBytes
    if (secrets.length === 0 && answer.body.length * 3 <= maxBytes) return answer
    const parsed: unknown = answer.contentType === undefined ? JSON.parse(answer.body) : null
    if (!Predicate.isObject(parsed)) return answer
    let fields: Readonly<Record<string, unknown>> = parsed
    const shown = secrets.filter((name) => typeof fields[name] === "string")
    if (shown.length > 0) {
      const nothing = Object.fromEntries(shown.map((name) => [name, null]))
      fields = { ...fields, ...nothing, message: withoutSecret }
    }
    return {
      ...answer,
      body: JSON.stringify(
        JsonSize.bytesOf(fields) > maxBytes ? reduced(fields, isReduced ? maxReducedFieldBytes : maxFieldBytes) : fields
      )
    }
  }

const reduced = (fields: Readonly<Record<string, unknown>>, maxField: number): Readonly<Record<string, unknown>> => {
  const truncated = Object.keys(fields).filter((name) => JsonSize.bytesOf(fields[name]) > maxField)
  const emptied = truncated.map((name) => [name, emptyOf(fields[name])] as const)
  return { ...fields, ...Object.fromEntries(emptied), truncated }
}

const emptyOf = (value: unknown): unknown => (Array.isArray(value) ? [] : Predicate.isObject(value) ? {} : null)
