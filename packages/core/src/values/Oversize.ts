import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import { formatPath, maxProblems, tooLarge, tooMany } from "./FieldProblems.ts"
import * as JsonSize from "./JsonSize.ts"
import type { FieldProblem } from "./ValidationError.ts"

/** A value without the items of its oversized collections, and the problems to report. */
export interface Pruned {
  /** The value as it was, or a copy in which each oversized array and object is empty. */
  readonly value: unknown
  /** One problem for each oversized collection, at most {@link maxProblems}. */
  readonly problems: ReadonlyArray<FieldProblem>
}

/** Returns the value with its oversized collections emptied, and adds a problem for each of them. */
type Guard = (value: unknown, path: ReadonlyArray<PropertyKey>, problems: Array<FieldProblem>) => unknown

/**
 * Returns a function that empties the oversized collections of a schema's input before the input is decoded.
 *
 * A decoder decodes all items of a collection before it checks their number, so a huge array would cost much time. This
 * function checks the number first. It never reads the items of an array beyond its `isMaxLength`, or of an object
 * beyond its `isMaxProperties`. An object of free JSON is measured in bytes (`JsonSize.withMaxBytes`), which costs far
 * less than decoding it.
 *
 * @example
 * ```ts
 * import * as Oversize from "@frontdesk/core/values/Oversize"
 * import * as Schema from "effect/Schema"
 *
 * const prune = Oversize.compile(Schema.Struct({ tags: Schema.Array(Schema.String).check(Schema.isMaxLength(2)) }))
 * prune({ tags: ["a", "b", "c"] })
 * // { value: { tags: [] }, problems: [{ field: "tags", code: "too_many", message: "Expected at most 2 items" }] }
 * ```
 */
export const compile = (schema: { readonly ast: SchemaAST.AST }): ((value: unknown) => Pruned) => {
  const guard = guardOf(schema.ast)
  if (guard === undefined) return (value) => ({ value, problems: [] })
  return (value) => {
    const problems: Array<FieldProblem> = []
    return { value: guard(value, [], problems), problems }
  }
}

/**
 * A collection of a schema's input, with its maximum number of items and of bytes of JSON, or null without a maximum.
 */
export interface Collection {
  readonly field: string
  readonly kind: "array" | "object"
  readonly maxItems: number | null
  readonly maxBytes: number | null
}

/** Returns every array and every object with free keys that a schema's input may contain. */
export const collections = (schema: { readonly ast: SchemaAST.AST }): ReadonlyArray<Collection> => {
  const found: Array<Collection> = []
  const walk = (given: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): void => {
    const ast = encodedOf(given)
    const add = (kind: Collection["kind"]) => found.push({ field: formatPath(path), kind, ...boundsOf(ast) })
    if (SchemaAST.isUnion(ast)) for (const member of ast.types) walk(member, path)
    if (SchemaAST.isArrays(ast)) {
      if (ast.rest.length > 0) add("array")
      for (const item of [...ast.elements, ...ast.rest]) walk(item, [...path, "[]"])
    }
    if (SchemaAST.isObjects(ast)) {
      if (ast.indexSignatures.length > 0) add("object")
      for (const { name, type } of ast.propertySignatures) walk(type, [...path, name])
    }
  }
  walk(schema.ast, [])
  return found
}

/** Returns the schema of the encoded side: of the value before any transformation. */
const encodedOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const last = ast.encoding?.at(-1)
  return last === undefined ? ast : encodedOf(last.to)
}

const boundsOf = (ast: SchemaAST.AST): Pick<Collection, "maxItems" | "maxBytes"> => {
  let [maxItems, maxBytes]: [number | null, number | null] = [null, null]
  for (const { annotations } of (ast.checks ?? []).flatMap(filtersOf)) {
    const { id, payload } = annotations?.representation ?? {}
    const isCount = id === "effect/schema/isMaxLength" || id === "effect/schema/isMaxProperties"
    const [count] = isCount && Predicate.isObject(payload) ? Object.values(payload) : []
    if (typeof count === "number") maxItems = Math.min(maxItems ?? count, count)
    const bytes = annotations?.[JsonSize.annotation]
    if (typeof bytes === "number") maxBytes = Math.min(maxBytes ?? bytes, bytes)
  }
  return { maxItems, maxBytes }
}

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersOf)

/** Returns the guard of a schema, or undefined when no collection in it has a maximum. */
const guardOf = (given: SchemaAST.AST): Guard | undefined => {
  const ast = encodedOf(given)
  if (SchemaAST.isUnion(ast)) return unionGuard(ast)
  if (SchemaAST.isArrays(ast)) return arrayGuard(ast)
  if (SchemaAST.isObjects(ast)) return objectGuard(ast)
  return undefined
}

/** Returns the guard of a union's only guarded member, for example of `null | Array`. Other unions have no guard. */
const unionGuard = (ast: SchemaAST.Union): Guard | undefined => {
  const guards = ast.types.flatMap((member) => guardOf(member) ?? [])
  return guards.length === 1 ? guards[0] : undefined
}

const arrayGuard = (ast: SchemaAST.Arrays): Guard | undefined => {
  const { maxItems } = boundsOf(ast)
  const [rest] = ast.rest
  const item = ast.elements.length > 0 || rest === undefined ? undefined : guardOf(rest)
  if (maxItems === null && item === undefined) return undefined
  return (value, path, problems) => {
    if (!Array.isArray(value)) return value
    const items: ReadonlyArray<unknown> = value
    if (maxItems !== null && items.length > maxItems) return empty([], tooManyItems(maxItems), path, problems)
    return item === undefined ? items : items.map((inner, index) => item(inner, [...path, index], problems))
  }
}

const objectGuard = (ast: SchemaAST.Objects): Guard | undefined => {
  const { maxBytes, maxItems } = boundsOf(ast)
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const guard = guardOf(type)
    return guard === undefined ? [] : [{ name, guard }]
  })
  if (maxItems === null && maxBytes === null && fields.length === 0) return undefined
  return (value, path, problems) => {
    if (!Predicate.isObject(value)) return value
    if (maxItems !== null && hasMore(value, maxItems)) return empty({}, tooManyItems(maxItems), path, problems)
    if (maxBytes !== null && JsonSize.bytesOf(value) > maxBytes) {
      return empty({}, { code: tooLarge, message: JsonSize.expected(maxBytes) }, path, problems)
    }
    const changed = fields.flatMap(({ guard, name }) => {
      if (!Object.hasOwn(value, name)) return []
      const before: unknown = value[name]
      const after = guard(before, [...path, name], problems)
      return after === before ? [] : [[name, after] as const]
    })
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }
}

const tooManyItems = (max: number) => ({ code: tooMany, message: `Expected at most ${max} items` })

/** Adds a problem, and returns the empty collection. */
const empty = <A>(
  nothing: A,
  problem: Omit<FieldProblem, "field">,
  path: ReadonlyArray<PropertyKey>,
  problems: Array<FieldProblem>
): A => {
  if (problems.length < maxProblems) problems.push({ field: formatPath(path), ...problem })
  return nothing
}

/** Returns whether an object has more than `max` keys. It stops counting there. */
const hasMore = (value: object, max: number): boolean => {
  let count = 0
  for (const _key in value) if (++count > max) return true
  return false
}
