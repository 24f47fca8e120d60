import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Column from "./Column.ts"

/** Decodes a value. Returns undefined when only the schema can decide. */
export type Decode = (value: unknown) => unknown

/** Decodes a flag, which is stored as 1 or 0. */
export const flag: Decode = (value) => (value === 1 ? true : value === 0 ? false : undefined)

/** Returns a decoder that also applies the checks of the schema. */
export const checked = (ast: SchemaAST.AST, decode: Decode): Decode => {
  if (ast === Schema.Int.ast) return (value) => (Number.isSafeInteger(value) ? value : undefined)
  const filters = filtersOf(ast.checks ?? [])
  if (filters.length === 0) return decode
  return (given) => {
    const value = decode(given)
    if (value === undefined) return undefined
    for (const filter of filters) {
      if (filter.run(value, ast, {}) !== undefined) return undefined
    }
    return value
  }
}

const filtersOf = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

/** Returns the decoder of a union of literals, or undefined for another union. */
export const literals = (ast: SchemaAST.Union): Decode | undefined => {
  const known = new Set<unknown>()
  for (const type of ast.types) {
    if (!SchemaAST.isLiteral(type) || type.encoding !== undefined || type.checks !== undefined) return undefined
    known.add(type.literal)
  }
  return (value) => (known.has(value) ? value : undefined)
}

/**
 * Returns a decoder of values that `JSON.parse` has returned. Its results are new, as those of a schema are. Returns
 * undefined for a schema that it does not support.
 */
export const compile = (ast: SchemaAST.AST): Decode | undefined => {
  if (ast === Schema.Json.ast) return jsonValue
  if (ast === Column.Flag.ast) return flag
  if (ast.encoding !== undefined) return undefined
  if (SchemaAST.isString(ast)) return checked(ast, (value) => (typeof value === "string" ? value : undefined))
  if (SchemaAST.isNumber(ast)) return checked(ast, (value) => (typeof value === "number" ? value : undefined))
  if (ast.checks !== undefined) return undefined
  if (SchemaAST.isBoolean(ast)) return (value) => (typeof value === "boolean" ? value : undefined)
  if (SchemaAST.isNull(ast)) return (value) => (value === null ? null : undefined)
  if (SchemaAST.isUnion(ast)) return literals(ast) ?? anyOf(ast)
  if (SchemaAST.isArrays(ast)) return items(ast)
  if (SchemaAST.isObjects(ast)) return ast.indexSignatures.length > 0 ? entries(ast) : fieldsOfDocument(ast)
  return undefined
}

/** Returns a JSON value, or undefined for a number that JSON cannot represent. */
const jsonValue: Decode = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (Array.isArray(value)) return each(value, () => jsonValue)
  return typeof value === "object" && value !== null ? record(value, jsonValue) : value
}

/** Returns the decoded items of an array, or undefined if one is not decoded. */
const each = (values: ReadonlyArray<unknown>, decodeAt: (index: number) => Decode | undefined): unknown => {
  const decoded: Array<unknown> = []
  for (const [index, value] of values.entries()) {
    const item = decodeAt(index)?.(value)
    if (item === undefined) return undefined
    decoded.push(item)
  }
  return decoded
}

/** Returns the decoded values of an object, or undefined if one is not decoded. */
const record = (given: object, decode: Decode): unknown => {
  const decoded: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const inner = decode(value)
    // An assignment to this key would set the prototype.
    if (inner === undefined || key === "__proto__") return undefined
    decoded[key] = inner
  }
  return decoded
}

const anyOf = (ast: SchemaAST.Union): Decode | undefined => {
  const members = ast.types.map(compile)
  if (!members.every((member) => member !== undefined)) return undefined
  return (value) => {
    for (const member of members) {
      const decoded = member(value)
      if (decoded !== undefined) return decoded
    }
    return undefined
  }
}

const items = ({ elements, rest }: SchemaAST.Arrays): Decode | undefined => {
  if (elements.some(SchemaAST.isOptional) || rest.length > 1) return undefined
  const first = elements.map(compile)
  const others = rest.map(compile)
  if (![...first, ...others].every((item) => item !== undefined)) return undefined
  const [other] = others
  return (value) =>
    Array.isArray(value) && value.length >= first.length ? each(value, (index) => first[index] ?? other) : undefined
}

const entries = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Decode | undefined => {
  const [signature, ...others] = indexSignatures
  if (signature === undefined || others.length > 0 || propertySignatures.length > 0) return undefined
  if (signature.parameter !== Schema.String.ast) return undefined
  const decode = compile(signature.type)
  return decode && ((value) => (Predicate.isObject(value) ? record(value, decode) : undefined))
}

/** A field that is not supported is only left to the schema if the document has it. */
const fieldsOfDocument = (ast: SchemaAST.Objects): Decode | undefined => {
  const fields: Array<{ readonly name: string; readonly isOptional: boolean; readonly decode: Decode }> = []
  for (const { name, type } of ast.propertySignatures) {
    if (typeof name !== "string" || name === "__proto__") return undefined
    fields.push({ name, isOptional: SchemaAST.isOptional(type), decode: compile(type) ?? unknownField })
  }
  return (value) => {
    if (!Predicate.isObject(value)) return undefined
    const decoded: Record<string, unknown> = {}
    for (const { decode, isOptional, name } of fields) {
      if (isOptional && !Object.hasOwn(value, name)) continue
      const inner = decode(value[name])
      if (inner === undefined) return undefined
      decoded[name] = inner
    }
    return decoded
  }
}

const unknownField: Decode = () => undefined
