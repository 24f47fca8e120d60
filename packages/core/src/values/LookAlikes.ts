import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import { foreign } from "./PlainCopy.ts"

type Replace = (value: unknown) => unknown

/** The schemas that accept every object with the key by which Effect recognises a value of its own. */
const byKey: ReadonlySet<string | undefined> = new Set([
  "effect/schema/DateTimeUtc",
  "effect/schema/Duration",
  "effect/schema/Redacted"
])

/**
 * Returns the id by which Effect names a schema of its own, such as `effect/schema/DateTimeUtc`. Checks of the schema do
 * not change it.
 */
export const idOf = ({ annotations }: SchemaAST.Declaration): string | undefined => {
  const representation: unknown = annotations?.["representation"]
  return Predicate.hasProperty(representation, "id") && typeof representation.id === "string"
    ? representation.id
    : undefined
}

/**
 * Returns a function that replaces look-alikes in a plain copy (`PlainCopy.copy`) before a schema decodes it (D-VAL-5).
 *
 * A look-alike is a plain object where the schema expects a value of Effect. It becomes `PlainCopy.foreign`, which the
 * schema rejects. Elsewhere, for example in free JSON, plain objects stay. The function changes the copy itself.
 *
 * Without it a schema would accept `{ "~effect/DateTime": 1, _tag: "Utc", epochMilliseconds: null }` as an instant.
 */
export const compile = (schema: { readonly ast: SchemaAST.AST }): Replace => replaceOf(schema.ast) ?? ((value) => value)

const replaceOf = (ast: SchemaAST.AST): Replace | undefined => {
  if (SchemaAST.isDeclaration(ast)) {
    return byKey.has(idOf(ast)) ? (value) => (isPlain(value) ? foreign : value) : undefined
  }
  if (SchemaAST.isUnion(ast)) {
    const all = ast.types.flatMap((member) => replaceOf(member) ?? [])
    return all.length === 0 ? undefined : (value) => all.reduce((replaced, replace) => replace(replaced), value)
  }
  if (SchemaAST.isArrays(ast)) {
    const [rest] = ast.rest
    const replace = rest === undefined ? undefined : replaceOf(rest)
    return replace === undefined
      ? undefined
      : (value) => (Array.isArray(value) ? value.map((item: unknown) => replace(item)) : value)
  }
  if (SchemaAST.isObjects(ast)) {
    const fields = ast.propertySignatures.flatMap(({ name, type }) => {
      const replace = replaceOf(type)
      return replace === undefined ? [] : [{ name, replace }]
    })
    return fields.length === 0
      ? undefined
      : (value) => {
          if (!isPlain(value)) return value
          for (const { name, replace } of fields) {
            if (Object.hasOwn(value, name)) Reflect.set(value, name, replace(Reflect.get(value, name)))
          }
          return value
        }
  }
  return undefined
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
