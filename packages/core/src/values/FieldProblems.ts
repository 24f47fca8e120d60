import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { invalid, missing, wrongType } from "./FieldProblemCodes.ts"
import { idOf } from "./LookAlikes.ts"
import * as Suggestion from "./Suggestion.ts"
import type { FieldProblem } from "./ValidationError.ts"

export * from "./FieldProblemCodes.ts"

/** Returns a path as text: `phone_numbers[1].phone_number`. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    ""
  )

/** The maximum number of problems in one error. It limits the size of an answer. */
export const maxProblems = 100

/**
 * Returns the problems of a value that did not decode, in the order of the fields. There is at most one for each field,
 * and there are at most {@link maxProblems}.
 *
 * Decode with `{ errors: "all" }` to get the problems of every field. A message names what was expected. It never
 * contains the value, which may be a secret.
 */
export const fromIssue = (issue: SchemaIssue.Issue): ReadonlyArray<FieldProblem> => {
  const problems = new Map<string, FieldProblem>()
  const add = (path: ReadonlyArray<PropertyKey>, code: string, message: string): void => {
    const field = formatPath(path)
    if (!problems.has(field)) problems.set(field, { field, code, message })
  }
  const walk = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>, rule: string | undefined): void => {
    if (problems.size === maxProblems) return
    switch (issue._tag) {
      case "Pointer":
        return walk(issue.issue, [...path, ...issue.path], rule)
      case "Encoding":
        return walk(issue.issue, path, rule)
      case "Filter":
        return walk(issue.issue, path, rule ?? expected(issue.filter.annotations))
      case "Composite":
        return issue.issues.forEach((inner) => walk(inner, path, rule))
      case "AnyOf": {
        // The caller meant one member of the union. Its value fits that member in type, so only that issue is reported.
        const inner = issue.issues.find(isDeep)
        return inner === undefined ? add(path, wrongType, rule ?? wanted(issue.ast)) : walk(inner, path, rule)
      }
      case "MissingKey":
        return add(path, missing, "This field is required")
      case "InvalidType":
        return add(path, wrongType, rule ?? wanted(issue.ast))
      case "UnexpectedKey":
        return add(path, invalid, unknownField(path.at(-1), issue.ast))
      default:
        return add(path, invalid, rule ?? plain(issue))
    }
  }
  walk(issue, [], undefined)
  return [...problems.values()]
}

/**
 * Returns the problems of two lists, without those of `second` about a field that `first` names. Only the first
 * {@link maxProblems} are returned.
 */
export const merge = (
  first: ReadonlyArray<FieldProblem>,
  second: ReadonlyArray<FieldProblem>
): ReadonlyArray<FieldProblem> => {
  const fields = new Set(first.map(({ field }) => field))
  return [...first, ...second.filter(({ field }) => !fields.has(field))].slice(0, maxProblems)
}

const unknownField = (name: PropertyKey | undefined, ast: SchemaAST.AST): string => {
  const known = SchemaAST.isObjects(ast) ? ast.propertySignatures.map((field) => String(field.name)) : []
  const suggestion = Suggestion.didYouMean(String(name), known)
  return suggestion === "" ? "This field is not known" : `This field is not known. ${suggestion}`
}

const expected = (annotations: Schema.Annotations.Filter | undefined): string | undefined => {
  const text = annotations?.description ?? annotations?.expected
  return typeof text === "string" ? `Expected ${text}` : undefined
}

// Describes the types that a schema accepts. Null is left out: the caller sent a value, so null would not help.
const wanted = (ast: SchemaAST.AST): string => {
  const members = membersOf(ast)
  const choices = members.flatMap((member) => (SchemaAST.isLiteral(member) ? [literalName(member)] : []))
  const types = new Set(
    members
      .filter((member) => !SchemaAST.isLiteral(member) && !SchemaAST.isNull(member) && !SchemaAST.isUndefined(member))
      .map(nameOf)
  )
  const all = [...(choices.length > 1 ? [`one of ${[...new Set(choices)].join(", ")}`] : choices), ...types]
  return `Expected ${all.length === 0 ? "null" : all.join(" or ")}`
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isSuspend(ast)) return membersOf(ast.thunk())
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]
}

const nameOf = (ast: SchemaAST.AST): string => {
  const sent = SchemaAST.toEncoded(ast)
  switch (sent._tag) {
    case "String":
      return SchemaAST.resolveDescription(ast) ?? "a string"
    case "Number":
      return SchemaAST.resolveDescription(ast) ?? (isWhole(sent) ? "a whole number" : "a number")
    case "Boolean":
      return "a boolean"
    case "Arrays":
      return "an array"
    case "Objects":
      return "an object"
    default: {
      // A secret is given as what it hides.
      const isSecret = SchemaAST.isDeclaration(sent) && idOf(sent) === "effect/schema/Redacted"
      const [hidden] = isSecret ? sent.typeParameters : []
      if (hidden !== undefined) return nameOf(hidden)
      const named = SchemaAST.resolveDescription(ast) ?? SchemaAST.resolve(ast)?.["expected"]
      return typeof named === "string" ? named : "another value"
    }
  }
}

const literalName = ({ literal }: SchemaAST.Literal): string =>
  typeof literal === "string" ? JSON.stringify(literal) : String(literal)

const isWhole = (ast: SchemaAST.AST): boolean =>
  ast.checks?.some(({ annotations }) => annotations?.representation?.id === "effect/schema/isInt") ?? false

const isDeep = (issue: SchemaIssue.Issue): boolean => {
  switch (issue._tag) {
    case "Pointer":
    case "Composite":
    case "Filter":
      return true
    case "Encoding":
      return isDeep(issue.issue)
    case "AnyOf":
      return issue.issues.some(isDeep)
    default:
      return false
  }
}

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const plain = (issue: SchemaIssue.Issue): string => formatter(issue).issues[0]?.message ?? "This value is not valid"
