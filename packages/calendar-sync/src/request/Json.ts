import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Answer } from "./Exchange.ts"

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

/**
 * Returns a function that decodes the JSON body of an answer.
 *
 * It fails with `transport` when the body is not JSON, because then a proxy has answered, or the body is incomplete. It
 * fails with `invalid` when the JSON differs from the provider's documentation. The error has field names, but no values.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decodeBody = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return Effect.fnUntraced(function* ({ body, requestLine, status }: Answer) {
    const failure = (reason: "invalid" | "transport", problem: string) =>
      new CalendarSyncError({ reason, cause: `${requestLine}: ${status}: ${problem}` })
    const json = yield* Effect.mapError(parse(body), () => failure("transport", "the body is not JSON"))
    return yield* Effect.mapError(decodeBody(json), ({ issue }) => {
      const problems = FieldProblems.fromIssue(issue).map(({ field, message }) => `${field} ${message}`.trim())
      return failure("invalid", `the body is not as documented: ${problems.join("; ")}`)
    })
  })
}
