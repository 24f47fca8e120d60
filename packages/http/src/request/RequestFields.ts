import * as Oversize from "@frontdesk/core/values/Oversize"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Input from "@frontdesk/core/values/Input"
import { type FieldProblem, MissingParameter, ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import type { ErrorCode } from "../ErrorCode.ts"
import { structParser } from "../Parameters.ts"
import type { JsonObject } from "./Body.ts"
import { InvalidFields } from "./RequestError.ts"

/** The fields of a request are invalid. */
export type FieldError = InvalidFields | MissingParameter | ValidationError

/** The error code of each field that has a code of its own, by the field's JSON name. */
export type Codes = { readonly [field: string]: ErrorCode }

/** Decodes one part of a request, or fails with the problems of all its fields. */
export type Decoder<in Part> = (part: Part) => Result.Result<unknown, FieldError>

type Codec = Schema.ConstraintDecoder<unknown>

const attempt = (schema: Codec, onExcessProperty: "error" | "ignore" = "ignore") => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty })
  const remember = Input.rememberer(schema)
  return (value: unknown) => Result.map(decode(value), remember)
}

/** Returns the decoder for the values in a path. It fails with `invalid_parameter` (D-ERR-5). */
export const pathDecoder = (schema: Codec & Schema.Top): Decoder<Readonly<Record<string, string | undefined>>> => {
  const parse = structParser(schema)
  const decode = attempt(schema)
  return (values) => {
    const parsed = parse?.(values)
    return parsed === undefined
      ? Result.mapError(decode(values), ({ issue }) => invalidParameters(issue, {}))
      : Result.succeed(parsed)
  }
}

/**
 * Returns the decoder for a query. It fails when a key is repeated, also one that the endpoint does not have (D-ERR-5).
 * The first wrong field, in the order of the schema, decides the code (D-HTTP-17).
 */
export const queryDecoder = (schema: Codec, codes: Codes): Decoder<string> => {
  const decode = attempt(schema)
  return (query) =>
    Result.flatMap(parseQuery(query), (values) =>
      Result.mapError(decode(values), ({ issue }) => invalidParameters(issue, codes))
    )
}

/**
 * Returns the decoder for a body.
 *
 * When required fields are absent, it fails with `MissingParameter` that names all of them, whatever else is wrong. When
 * every wrong field has a code of its own, the code of the first is used (D-HTTP-17). The items of a collection with too
 * many items are not decoded (D-HTTP-18).
 *
 * @param isStrict whether an unknown field is a problem. Otherwise it is ignored (D-HTTP-2)
 */
export const bodyDecoder = (schema: Codec, codes: Codes, isStrict: boolean): Decoder<JsonObject> => {
  const decode = attempt(schema, isStrict ? "error" : "ignore")
  const prune = Oversize.compile(schema)
  return (body) => {
    const { problems, value } = prune(body)
    const decoded = decode(value)
    if (problems.length === 0 && Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    const others = Result.isSuccess(decoded) ? [] : FieldProblems.fromIssue(decoded.failure.issue)
    return Result.fail(bodyError(FieldProblems.merge(problems, others), codes, body))
  }
}

/** Returns the keys and values of a query. Fails with `InvalidFields` when a key is repeated. */
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
          problems: [
            { field: repeated[0].slice(0, 100), code: "duplicate", message: "This parameter must not be repeated" }
          ]
        })
      )
}

const invalidParameters = (issue: SchemaIssue.Issue, codes: Codes): InvalidFields => {
  const problems = nonEmpty(FieldProblems.fromIssue(issue))
  return new InvalidFields({ code: codes[problems[0].field] ?? "invalid_parameter", problems })
}

/** Returns `MissingParameter` when required fields are absent (C-7-4), whatever else is wrong; otherwise the fields that are wrong. */
const bodyError = (problems: ReadonlyArray<FieldProblem>, codes: Codes, body: JsonObject): FieldError => {
  const absent = problems.flatMap(({ code, field }) =>
    code === FieldProblems.missing && !(field in body) && isTop(field) ? [field] : []
  )
  if (Arr.isReadonlyArrayNonEmpty(absent)) return new MissingParameter({ fields: absent })
  const wrong = nonEmpty(problems)
  // For null the field's own code is not used, because the value breaks the rule about null and not the rule of the
  // field.
  const codeOf = (field: string) => (body[field] === null || !Object.hasOwn(codes, field) ? undefined : codes[field])
  const own = wrong.map(({ field }) => codeOf(topOf(field)))
  const [first] = own
  return first !== undefined && !own.includes(undefined)
    ? new InvalidFields({ code: first, problems: wrong })
    : new ValidationError({ problems: wrong })
}

const topOf = (field: string): string => /^[^.[]*/.exec(field)?.[0] ?? field

const isTop = (field: string): boolean => topOf(field) === field

const whole: FieldProblem = { field: "", code: FieldProblems.invalid, message: "The value is invalid" }

const nonEmpty = (problems: ReadonlyArray<FieldProblem>): Arr.NonEmptyReadonlyArray<FieldProblem> =>
  Arr.isReadonlyArrayNonEmpty(problems) ? problems : [whole]
