import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Predicate from "effect/Predicate"
import type { Answer } from "./Exchange.ts"

/** The maximum size in bytes of an answer that is stored under an idempotency key: 64 KiB. */
export const maxStoredAnswerBytes = JsonSize.maxStoredBytes

/** The size in bytes of JSON above which a field is emptied in an answer that is too large to store. */
const maxFieldBytes = 1_024

/** The maximum size in bytes of a reduced answer, for an account that has stored many large ones: 2 KiB. */
export const maxReducedBytes = 2_048

/** The size in bytes of JSON above which a field is emptied in a reduced answer. Ids and statuses are smaller. */
const maxReducedFieldBytes = 128

const withoutSecret =
  "This is a replay of an earlier answer and does not contain the secret. Rotate the secret if it was lost"

/**
 * Returns the answer as it is stored for a replay.
 *
 * The fields named by `secrets` are null, and `message` explains it (D-IDEM-11). In an answer with more than
 * {@link maxStoredAnswerBytes}, large fields are emptied and named in `truncated` (D-IDEM-13). With `isReduced` that
 * happens above {@link maxReducedBytes}, and to smaller fields too (D-IDEM-14).
 */
export const storedForm =
  (secrets: ReadonlyArray<string>) =>
  (answer: Answer, isReduced = false): Answer => {
    const maxBytes = isReduced ? maxReducedBytes : maxStoredAnswerBytes
    // In UTF-8 each UTF-16 code unit of the body has at most three bytes.
    if (secrets.length === 0 && answer.body.length * 3 <= maxBytes) return answer
    const parsed: unknown = answer.contentType === undefined ? JSON.parse(answer.body) : null
    if (!Predicate.isObject(parsed)) return answer
    let fields: Readonly<Record<string, unknown>> = parsed
    const shown = secrets.filter((name) => typeof fields[name] === "string")
    if (shown.length > 0) {
      const hidden = Object.fromEntries(shown.map((name) => [name, null]))
      fields = { ...fields, ...hidden, message: withoutSecret }
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
