import { formatPath } from "@frontdesk/core/values/FieldProblems"
import type { Argument } from "@frontdesk/core/values/Input"
import { idOf } from "@frontdesk/core/values/LookAlikes"
import { copy } from "@frontdesk/core/values/PlainCopy"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as SchemaAST from "effect/SchemaAST"
import * as Failure from "../failure/Failure.ts"
import type { FrontdeskError } from "../failure/FrontdeskError.ts"
import type { TemporalLike } from "../types/common.ts"
import * as DurationText from "./DurationText.ts"

type Convert = (value: unknown) => unknown

/**
 * Returns a copy of an argument in which a `Date` and an object of `Temporal` are text. Each property is read once. Fails
 * with the field of a value that cannot be read.
 */
export const read = (given: unknown): Result.Result<unknown, FrontdeskError> =>
  typeof given === "object" || typeof given === "function"
    ? Result.mapError(copy(given, textOf), ({ message, path }) => Failure.ofField(formatPath(path), message))
    : Result.succeed(given)

const textOf = (value: unknown): unknown => {
  if (isCallback(value)) return effectful(value)
  if (typeof value !== "object" || value === null) return undefined
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  // `toString` of a `ZonedDateTime` appends the time zone in brackets, which the offset makes superfluous.
  return isTemporal(value) ? value.toString().replace(/\[.*$/s, "") : undefined
}

/**
 * Returns a function that turns what a program without Effect writes, and {@link read} has copied, into what a schema of
 * the core expects.
 *
 * - Where the schema expects an instant, text with an offset becomes one. So do text and milliseconds for a duration, and
 *   text for a secret.
 * - Where the schema expects one of several keys, such as `{ id }` or `{ uuid }`, a number or text becomes the key of its
 *   type.
 * - An absent object becomes an empty one.
 *
 * Everything else stays as it is, so that the schema rejects it with the name of its field.
 */
export const compile = ({ name, schema }: Argument): Convert => {
  // Calls are found by texts, which include their ids in digits.
  if (name === "id" && SchemaAST.isString(schema.ast)) return (id) => (typeof id === "number" ? String(id) : id)
  const convert = convertOf(schema.ast)
  const isObject = SchemaAST.isObjects(schema.ast)
  return (copied) => (copied === undefined && isObject ? {} : convert(copied))
}

const isTemporal = (value: object): value is TemporalLike =>
  Object.prototype.toString.call(value).startsWith("[object Temporal.")

const isCallback = (value: unknown): value is (...values: Array<never>) => unknown => typeof value === "function"

/** Returns the function as one that returns an effect, which the core calls. */
const effectful =
  (callback: (...values: Array<never>) => unknown): unknown =>
  (...values: ReadonlyArray<unknown>) =>
    Effect.promise(async () => {
      await Reflect.apply(callback, undefined, values)
    })

const convertOf = (ast: SchemaAST.AST): Convert => {
  if (SchemaAST.isDeclaration(ast)) return declared.get(idOf(ast) ?? "") ?? same
  if (SchemaAST.isUnion(ast)) return unionOf(ast.types)
  if (SchemaAST.isArrays(ast)) {
    const [rest] = ast.rest
    if (rest === undefined) return same
    const convert = convertOf(rest)
    return (value) => (Array.isArray(value) ? value.map((item: unknown) => convert(item)) : value)
  }
  if (SchemaAST.isObjects(ast)) {
    const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, convertOf(type)] as const))
    return (value) =>
      Predicate.isObject(value) && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype
        ? Object.fromEntries(
            Object.entries(value).map(([key, inner]: [string, unknown]) => [key, (fields.get(key) ?? same)(inner)])
          )
        : value
  }
  return same
}

const same: Convert = (value) => value

const unionOf = (members: ReadonlyArray<SchemaAST.AST>): Convert => {
  const keys = members.flatMap((member) => {
    if (!SchemaAST.isObjects(member) || member.propertySignatures.length !== 1) return []
    return member.propertySignatures.map(({ name, type }) => ({
      name,
      accepts: SchemaAST.isNumber(type) ? "number" : "string"
    }))
  })
  const all = members.map(convertOf)
  return (value) => {
    const key = keys.find(({ accepts }) => accepts === typeof value)
    return key === undefined ? all.reduce((converted, convert) => convert(converted), value) : { [key.name]: value }
  }
}

const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/i

/** The conversions of the values of Effect that the inputs of the core have, by the id of their schema. */
const declared: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  [
    "effect/schema/DateTimeUtc",
    (value) =>
      typeof value === "string" && hasOffset.test(value)
        ? Option.getOrElse(Option.map(DateTime.make(value), DateTime.toUtc), () => value)
        : value
  ],
  [
    "effect/schema/Duration",
    (value) => {
      if (typeof value === "number") return Duration.millis(value)
      return typeof value === "string" ? Option.getOrElse(DurationText.parse(value), () => value) : value
    }
  ],
  ["effect/schema/Redacted", (value) => (typeof value === "string" ? Redacted.make(value) : value)]
])
