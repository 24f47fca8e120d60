import * as Oversize from "@frontdesk/core/values/Oversize"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Input from "@frontdesk/core/values/Input"
import { type FieldProblem, MissingParameter, ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import type { ErrorCode } from "../ErrorCode.ts"
import type { JsonObject } from "./Body.ts"
import { InvalidFields } from "./RequestError.ts"

/** Why the fields of a request are refused. */
export type FieldError = InvalidFields | MissingParameter | ValidationError

/** Fields, by their name on the wire, whose wrong values have a code of their own. */
export type Codes = { readonly [field: string]: ErrorCode }

/** Decodes one part of a request, or says what is wrong with every field of it. */
export type Decoder<in Part> = (part: Part) => Result.Result<unknown, FieldError>

type Codec = Schema.ConstraintDecoder<unknown>

const attempt = (schema: Codec) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  const remember = Input.rememberer(schema)
  return (value: unknown) => Result.map(decode(value), remember)
}

/** Decodes the values of a path (D-ERR-5: 400 `invalid_parameter`). */
export const pathDecoder = (schema: Codec): Decoder<Readonly<Record<string, string | undefined>>> => {
  const decode = attempt(schema)
  return (values) => Result.mapError(decode(values), ({ issue }) => invalidParameters(issue, {}))
}

/**
 * Decodes a query; the same key twice is refused, also one that nobody asks for (D-ERR-5). The first wrong field, in
 * the order of the schema, decides the code.
 */
export const queryDecoder = (schema: Codec, codes: Codes): Decoder<string> => {
  const decode = attempt(schema)
  return (query) =>
    Result.flatMap(parseQuery(query), (values) =>
      Result.mapError(decode(values), ({ issue }) => invalidParameters(issue, codes))
    )
}

/**
 * Decodes a body. Required fields that are absent are told before any that are wrong, all of them; a wrong field with a
 * code of its own has that code when no other field is wrong. The items of a collection that has too many are not decoded.
 */
export const bodyDecoder = (schema: Codec, codes: Codes): Decoder<JsonObject> => {
  const decode = attempt(schema)
  const prune = Oversize.compile(schema)
  return (body) => {
    const { problems, value } = prune(body)
    const decoded = decode(value)
    if (problems.length === 0 && Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    const others = Result.isSuccess(decoded) ? [] : FieldProblems.fromIssue(decoded.failure.issue)
    return Result.fail(bodyError(FieldProblems.merge(problems, others), codes, body))
  }
}

/** The keys and values of a query. */
export const parseQuery = (query: string): Result.Result<Readonly<Record<string, string>>, InvalidFields> => {
  if (query === "") return Result.succeed({})
  const entries = [...new URLSearchParams(query)]
  const seen = new Set<string>()
  const repeated = entries.find(([key]) => seen.size === seen.add(key).size)
  return repeated === undefined
    ? Result.succeed(Object.fromEntries(entries))
    : Result.fail(
        new InvalidFields({
          code: "invalid_parameter",
          problems: [{ field: repeated[0].slice(0, 100), code: "duplicate", message: "This parameter is given twice" }]
        })
      )
}

const invalidParameters = (issue: SchemaIssue.Issue, codes: Codes): InvalidFields => {
  const problems = nonEmpty(FieldProblems.fromIssue(issue))
  return new InvalidFields({ code: codes[problems[0].field] ?? "invalid_parameter", problems })
}

const bodyError = (problems: ReadonlyArray<FieldProblem>, codes: Codes, body: JsonObject): FieldError => {
  const absent = problems.flatMap(({ code, field }) =>
    code === FieldProblems.missing && !(field in body) && isTop(field) ? [field] : []
  )
  if (Arr.isReadonlyArrayNonEmpty(absent)) return new MissingParameter({ fields: absent })
  const wrong = nonEmpty(problems)
  // Null is no attempt at a value: where it may not stand, the rule about null is what was broken.
  const own = wrong.map(({ field }) => (body[topOf(field)] === null ? undefined : codes[topOf(field)]))
  const [first] = own
  return first !== undefined && !own.includes(undefined)
    ? new InvalidFields({ code: first, problems: wrong })
    : new ValidationError({ problems: wrong })
}

const topOf = (field: string): string => /^[^.[]*/.exec(field)?.[0] ?? field

const isTop = (field: string): boolean => topOf(field) === field

const whole: FieldProblem = { field: "", code: FieldProblems.invalid, message: "This is not valid" }

const nonEmpty = (problems: ReadonlyArray<FieldProblem>): Arr.NonEmptyReadonlyArray<FieldProblem> =>
  Arr.isReadonlyArrayNonEmpty(problems) ? problems : [whole]
