import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Answer } from "./Exchange.ts"

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

/**
 * Decodes the JSON body of an answer.
 *
 * What is no JSON did not come from the provider, or not whole: `transport`. JSON that is not as documented is
 * `invalid`; the error names the fields and never what they hold.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decodeBody = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return Effect.fnUntraced(function* ({ asked, body, status }: Answer) {
    const failure = (reason: "invalid" | "transport", says: string) =>
      new CalendarSyncError({ reason, cause: `${asked}: ${status}: ${says}` })
    const json = yield* Effect.mapError(parse(body), () => failure("transport", "the body is no JSON"))
    return yield* Effect.mapError(decodeBody(json), ({ issue }) => {
      const problems = FieldProblems.fromIssue(issue).map(({ field, message }) => `${field} ${message}`.trim())
      return failure("invalid", `the body is not as documented: ${problems.join("; ")}`)
    })
  })
}
