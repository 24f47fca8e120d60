import * as IsoText from "./IsoText.ts"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as GeneratedCode from "./GeneratedCode.ts"
import { Timestamp } from "./Timestamp.ts"
import { snakeKey } from "./Wire.ts"

/** Returns a value as the JSON that a client or the endpoint of a webhook receives. */
type Encoder = (value: unknown) => unknown

const identity: Encoder = (value) => value

/**
 * Returns an encoder with the same result as `Schema.encodeUnknownSync(schema)`, several times faster.
 *
 * It is faster for the shapes of answers and payloads: structs, renamed structs (`Wire.snakeCase`), arrays, `NullOr` and
 * `Timestamp`. The schema itself encodes every other shape. Encoding is the largest part of the work for a read, so the
 * speed matters. The encoder checks nothing, because the compiler has checked the types. A part whose JSON is the value
 * itself is returned as it is, with its order of keys. Laws compare the encoder with the schema of every endpoint and of
 * every payload of a webhook event.
 */
export const compile = <S extends Schema.Top>(schema: S): ((value: S["Type"]) => unknown) => compileAst(schema.ast)

const compileAst = (ast: SchemaAST.AST): Encoder => {
  if (SchemaAST.toEncoded(ast) === ast) return identity
  if (ast === Timestamp.ast) return timestamp
  if (ast.encoding === undefined) {
    if (SchemaAST.isUnion(ast)) return nullOr(ast) ?? bySchema(ast)
    if (SchemaAST.isArrays(ast)) return array(ast) ?? bySchema(ast)
    if (SchemaAST.isObjects(ast)) return struct(ast, ast) ?? bySchema(ast)
    return bySchema(ast)
  }
  const [link, ...others] = ast.encoding
  return SchemaAST.isObjects(ast) &&
    others.length === 0 &&
    SchemaAST.isObjects(link.to) &&
    link.to.encoding === undefined
    ? (struct(ast, link.to) ?? bySchema(ast))
    : bySchema(ast)
}

const bySchema = (ast: SchemaAST.AST): Encoder =>
  Schema.encodeUnknownSync(Schema.make<Schema.Codec<unknown, unknown>>(ast), { disableChecks: true })

const timestamp: Encoder = (value) => (DateTime.isDateTime(value) ? IsoText.format(value) : value)

const nullOr = (ast: SchemaAST.Union): Encoder | undefined => {
  const [first, second, ...others] = ast.types
  if (first === undefined || second === undefined || others.length > 0 || !SchemaAST.isNull(second)) return undefined
  const encode = compileAst(first)
  return (value) => (value === null ? null : encode(value))
}

const array = (ast: SchemaAST.Arrays): Encoder | undefined => {
  const [item, ...others] = ast.rest
  if (item === undefined || others.length > 0 || ast.elements.length > 0) return undefined
  const encode = compileAst(item)
  return (value) => (Array.isArray(value) ? value.map(encode) : value)
}

interface Field {
  readonly name: string
  readonly wireName: string
  readonly optional: boolean
  readonly encode: Encoder
}

/**
 * Returns the encoder of the struct `own`, whose JSON is the struct `wire`. Returns `undefined` unless both have the same
 * number of fields, and each field of `wire` has the JSON name of the field of `own` at the same position.
 */
const struct = (own: SchemaAST.Objects, wire: SchemaAST.Objects): Encoder | undefined => {
  if (own.indexSignatures.length > 0 || wire.indexSignatures.length > 0) return undefined
  if (own.propertySignatures.length !== wire.propertySignatures.length) return undefined
  const fields: Array<Field> = []
  for (const [index, { name, type }] of wire.propertySignatures.entries()) {
    const from = own.propertySignatures[index]?.name
    if (typeof name !== "string" || typeof from !== "string") return undefined
    if (own !== wire && snakeKey(from) !== name) return undefined
    fields.push({ name: from, wireName: name, optional: SchemaAST.isOptional(type), encode: compileAst(type) })
  }
  const encode = generated(fields) ?? interpreted(fields)
  return (value) => (Predicate.isObject(value) ? encode(value) : value)
}

type EncodeStruct = (given: Readonly<Record<PropertyKey, unknown>>) => unknown

/**
 * Returns the encoder of a struct as generated code, which reads and writes each field by its name. Its results all have
 * one shape, so that `JSON.stringify` is fast too. Returns undefined where code must not be generated.
 */
const generated = (fields: ReadonlyArray<Field>): EncodeStruct | undefined => {
  if (fields.some(({ name, wireName }) => [name, wireName].includes("__proto__"))) return undefined
  const steps = fields.map(({ encode, name, optional, wireName }, at) => {
    const inner = `given[${JSON.stringify(name)}]`
    const write = `encoded[${JSON.stringify(wireName)}] = ${encode === identity ? inner : `$${at}(${inner})`}`
    return optional ? `if (${inner} !== undefined) ${write}` : write
  })
  return GeneratedCode.compile(
    "given",
    `const encoded = {}\n${steps.join("\n")}\nreturn encoded`,
    fields.map(({ encode }) => encode)
  )
}

/** Returns the same encoder as {@link generated} without generating code. */
const interpreted =
  (fields: ReadonlyArray<Field>): EncodeStruct =>
  (given) => {
    const encoded: Record<string, unknown> = {}
    for (const { encode, name, optional, wireName } of fields) {
      const inner = given[name]
      if (inner !== undefined || !optional) encoded[wireName] = encode(inner)
    }
    return encoded
  }
