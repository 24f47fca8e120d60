import { child, type Node, text, unwrapped } from "./Syntax.ts"

/** One small change of a program. */
export interface Change {
  /** The kind of change, as the report names it. */
  readonly operator: string
  /** The source that replaces the node. */
  readonly replacement: string
}

/** A node and its place in the tree. */
export interface Place {
  readonly node: Node
  readonly parent: Node | undefined
  readonly grandparent: Node | undefined
  /** The property of the parent that holds the node. */
  readonly key: string
  readonly source: string
}

const boundaries = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"]
])

const equalities = new Set(["===", "!==", "==", "!=", "instanceof", "in"])

const arithmetic = new Map([
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["%", "*"],
  ["**", "*"],
  ["&", "|"],
  ["|", "&"],
  ["^", "&"],
  ["<<", ">>"],
  [">>", "<<"],
  [">>>", "<<"]
])

const assignments = new Map([
  ["+=", "-="],
  ["-=", "+="],
  ["*=", "/="],
  ["/=", "*="]
])

const methods = new Map([
  ["every", "some"],
  ["some", "every"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["trunc", "ceil"],
  ["toUpperCase", "toLowerCase"],
  ["toLowerCase", "toUpperCase"],
  ["isLessThan", "isLessThanOrEqualTo"],
  ["isLessThanOrEqualTo", "isLessThan"],
  ["isGreaterThan", "isGreaterThanOrEqualTo"],
  ["isGreaterThanOrEqualTo", "isGreaterThan"]
])

/** Methods whose call is replaced by the object it is called on. */
const transparent = new Set(["filter", "slice", "toSorted", "toReversed", "trim", "normalize"])

const slice = (source: string, node: Node): string => source.slice(node.start, node.end)

/** Returns whether only the truth of the node matters, because it is a condition or an operand of one. */
const isCondition = ({ key, parent }: Place): boolean => {
  if (parent === undefined) return false
  if (parent.type === "LogicalExpression") return text(parent, "operator") !== "??"
  return key === "test" && parent.type !== "SwitchCase"
}

const isComparison = (node: Node): boolean =>
  node.type === "BinaryExpression" && (boundaries.has(text(node, "operator")) || equalities.has(text(node, "operator")))

/**
 * Returns the changes that make a condition always false or always true. The condition of a loop becomes only false,
 * because a condition that is always true would make the loop endless.
 */
const forced = ({ parent }: Place): ReadonlyArray<Change> => {
  if (parent?.type === "LogicalExpression") return []
  const loop =
    parent?.type === "WhileStatement" || parent?.type === "ForStatement" || parent?.type === "DoWhileStatement"
  const skipped = { operator: "condition", replacement: "false" }
  return loop ? [skipped] : [skipped, { operator: "condition", replacement: "true" }]
}

const isText = (node: Node | undefined): boolean =>
  node !== undefined &&
  (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string"))

const ofBinary = (place: Place): ReadonlyArray<Change> => {
  const { node, source } = place
  const left = child(node, "left")
  const right = child(node, "right")
  if (left === undefined || right === undefined) return []
  const operator = text(node, "operator")
  const swapped = (other: string): string => `${slice(source, left)} ${other} ${slice(source, right)}`
  const boundary = boundaries.get(operator)
  if (boundary !== undefined) {
    return [{ operator: "comparison", replacement: swapped(boundary) }, ...forced(place)]
  }
  if (isComparison(node)) return forced(place)
  const other = arithmetic.get(operator)
  if (other === undefined || isText(unwrapped(left)) || isText(unwrapped(right))) return []
  return [{ operator: "arithmetic", replacement: swapped(other) }]
}

const ofLogical = (place: Place): ReadonlyArray<Change> => {
  const { node, source } = place
  const operands = [child(node, "left"), child(node, "right")].filter((operand) => operand !== undefined)
  const alone = operands.map((operand) => ({ operator: "operand", replacement: slice(source, operand) }))
  if (text(node, "operator") === "??" || !isCondition(place)) return alone
  return [...alone, ...forced(place)]
}

const ofUnary = (place: Place): ReadonlyArray<Change> => {
  const operand = child(place.node, "argument")
  const operator = text(place.node, "operator")
  if (operand === undefined || (operator !== "!" && operator !== "-")) return []
  const alone = { operator: operator === "!" ? "boolean" : "arithmetic", replacement: slice(place.source, operand) }
  return operator === "!" && isCondition(place) ? forced(place) : [alone]
}

const ofLiteral = ({ key, node, parent, source }: Place): ReadonlyArray<Change> => {
  const value = node["value"]
  const compared = parent !== undefined && isComparison(parent)
  if (typeof value === "boolean") return [{ operator: "boolean", replacement: String(!value) }]
  if (typeof value === "number" && !compared) return [{ operator: "number", replacement: String(value + 1) }]
  if (typeof value === "bigint" && !compared) return [{ operator: "number", replacement: `${value + 1n}n` }]
  if (typeof value === "string" && !compared && parent?.type !== "ArrayExpression") {
    // Only a computed key is changed, because another key is a name.
    if ((key === "key" && parent?.["computed"] !== true) || isSentence(value)) return []
    return [{ operator: "text", replacement: value === "" ? '"changed"' : '""' }]
  }
  return node["regex"] === undefined || node["regex"] === null ? [] : ofPattern(slice(source, node))
}

/** Returns the changes of a regular expression: without an anchor, without a quantifier, with another number. */
const ofPattern = (pattern: string): ReadonlyArray<Change> => {
  const end = pattern.lastIndexOf("/")
  const body = pattern.slice(1, end)
  const flags = pattern.slice(end)
  const bodies = [
    body.startsWith("^") ? body.slice(1) : body,
    body.endsWith("$") && !body.endsWith("\\$") ? body.slice(0, -1) : body,
    ...Array.from(body.matchAll(/(?<=[\])\w])[+*]/g), ({ index }) => body.slice(0, index) + body.slice(index + 1)),
    ...Array.from(body.matchAll(/(?<=\{|,)\d+(?=[,}])/g), ({ 0: digits, index }) =>
      [body.slice(0, index), Number(digits) + 1, body.slice(index + digits.length)].join("")
    )
  ]
  return [...new Set(bodies)]
    .filter((changed) => changed !== body && isPattern(changed, flags.slice(1)))
    .map((changed) => ({ operator: "pattern", replacement: `/${changed}${flags}` }))
}

const isPattern = (body: string, flags: string): boolean => {
  try {
    return new RegExp(body, flags) instanceof RegExp
  } catch {
    return false
  }
}

const ofCall = ({ node, source }: Place): ReadonlyArray<Change> => {
  const callee = child(node, "callee")
  if (callee?.type !== "MemberExpression" || callee["computed"] === true) return []
  const object = child(callee, "object")
  const property = child(callee, "property")
  if (object === undefined || property === undefined) return []
  const name = text(property, "name")
  const other = methods.get(name)
  const changes: Array<Change> = []
  if (other !== undefined) {
    const replacement = source.slice(node.start, property.start) + other + source.slice(property.end, node.end)
    changes.push({ operator: "method", replacement })
  }
  if (transparent.has(name) && /^[a-z]|[)\]]$/.test(slice(source, object))) {
    changes.push({ operator: "method", replacement: slice(source, object) })
  }
  return changes
}

/** Returns a change for each `?.` of a chain: `a?.b` becomes `a.b`. */
const ofChain = ({ node, source }: Place): ReadonlyArray<Change> => {
  const marks: Array<number> = []
  const visit = (inner: Node): void => {
    const target = child(inner, "object") ?? child(inner, "callee")
    if (target !== undefined && inner["optional"] === true) marks.push(source.indexOf("?.", target.end))
    if (target !== undefined) visit(target)
  }
  const expression = child(node, "expression")
  if (expression !== undefined) visit(expression)
  return marks.map((mark) => {
    const rest = source.slice(mark + 2, node.end)
    const replacement = source.slice(node.start, mark) + (/^[[(]/.test(rest) ? rest : `.${rest}`)
    return { operator: "optional", replacement }
  })
}

const ofConditionOnly = (place: Place): ReadonlyArray<Change> => (isCondition(place) ? forced(place) : [])

const ofExpression: Readonly<Partial<Record<string, (place: Place) => ReadonlyArray<Change>>>> = {
  BinaryExpression: ofBinary,
  LogicalExpression: ofLogical,
  UnaryExpression: ofUnary,
  Literal: ofLiteral,
  TemplateLiteral: ({ node, parent, source }) =>
    parent?.type === "TaggedTemplateExpression" || isSentence(slice(source, node))
      ? []
      : [{ operator: "text", replacement: '""' }],
  CallExpression: (place) => [...ofCall(place), ...ofConditionOnly(place)],
  ChainExpression: (place) => [...ofChain(place), ...ofConditionOnly(place)],
  Identifier: ofConditionOnly,
  MemberExpression: ofConditionOnly,
  UpdateExpression: ({ node, source }) => {
    const changed = slice(source, node).replace(/\+\+|--/, (operator) => (operator === "++" ? "--" : "++"))
    return [{ operator: "arithmetic", replacement: changed }]
  },
  AssignmentExpression: ({ node, source }) => {
    const left = child(node, "left")
    const right = child(node, "right")
    const other = assignments.get(text(node, "operator"))
    if (left === undefined || right === undefined || other === undefined) return []
    return [{ operator: "arithmetic", replacement: `${slice(source, left)} ${other} ${slice(source, right)}` }]
  }
}

/** Names of properties that hold sentences for people. Tests do not assert their words, so they are not changed. */
const prose = new Set(["message", "description", "title", "identifier", "expected", "examples", "documentation"])

/** Returns whether a text is a sentence, with three words or more. Tests do not assert the words of sentences. */
const isSentence = (source: string): boolean => /\w[,:;]? [^ ]+ [^ ]/.test(source.replaceAll(/\$\{[^}]*\}/g, "x"))

/** Functions whose texts name something for traces, types and errors. */
const naming =
  /^(Effect\.fn|Schema\.brand|Schema\.(Tagged)?(Class|ErrorClass|Error)|Context\.(Service|Reference)|Data\.Tagged\w+)/

/** Functions that declare a type. A missing field or literal of a type is found by the type checker. */
const declaring = /^Schema\.(Struct|TaggedStruct|Literals?|(Tagged)?(Error)?Class)\b/

const isDeclaration = (node: Node | undefined, source: string): boolean =>
  node?.type === "CallExpression" && declaring.test(slice(source, node))

/** Returns whether a node and its children are not changed, because they are types, names or sentences for people. */
export const isLeftAlone = ({ key, node, parent, source }: Place): boolean => {
  if (["typeAnnotation", "returnType", "typeParameters", "typeArguments", "superTypeArguments"].includes(key))
    return true
  if (
    node.type.startsWith("TS") &&
    !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type)
  ) {
    return true
  }
  if (node.type === "ArrayExpression" && key === "arguments" && isDeclaration(parent, source)) return true
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return true
  if (key === "source" || (key === "key" && parent?.["computed"] !== true)) return true
  if (key === "property" && parent?.["computed"] !== true) return true
  if (key === "expression" && parent?.["directive"] !== undefined && parent["directive"] !== null) return true
  if (node.type === "Property" && node["kind"] === "init") {
    const name = child(node, "key")
    return name !== undefined && prose.has(text(name, "name"))
  }
  if (isText(node) && parent?.type === "CallExpression" && key === "arguments") {
    return naming.test(source.slice(parent.start, node.start))
  }
  return false
}

/** Returns whether an expression may be put in parentheses at its place without a change of meaning. */
const isWrappable = ({ key, node, parent }: Place): boolean => {
  if (parent === undefined) return false
  if (key === "left" && (parent.type === "AssignmentExpression" || parent.type.endsWith("Pattern"))) return false
  if (parent.type === "UpdateExpression" || parent.type === "ChainExpression") return false
  // Parentheses are possible around a whole chain, not around a part of it.
  return !((key === "object" || key === "callee") && isWithinChain(node))
}

const isWithinChain = (node: Node): boolean => {
  if (node["optional"] === true) return true
  const target = child(node, "object") ?? child(node, "callee")
  return target !== undefined && isWithinChain(target)
}

/** Returns every change of one node, without those of its children. */
export const changes = (place: Place): ReadonlyArray<Change> =>
  isWrappable(place) ? (ofExpression[place.node.type]?.(place) ?? []) : []

/** Returns source that omits the node while the condition `removed` is true, and is `kept` otherwise. */
export type Removal = (removed: string, kept: string) => string

/** Returns how the node is removed, or undefined when it cannot be, or when another change has the same effect. */
export const removal = ({ grandparent, key, node, parent, source }: Place): Removal | undefined => {
  if (key === "expression" && parent?.type === "ExpressionStatement") {
    return removable.has(node.type) ? (removed, kept) => `(${removed} ? undefined : (${kept}))` : undefined
  }
  if (node.type === "SpreadElement") {
    const nothing = parent?.type === "ObjectExpression" ? "{}" : "[]"
    return (removed, kept) => `...(${removed} ? ${nothing} : (${kept.slice(3)}))`
  }
  if (key === "elements" && parent?.type === "ArrayExpression") {
    return (removed, kept) => `...(${removed} ? [] : [${kept}])`
  }
  if (node.type === "Property" && parent?.type === "ObjectExpression") {
    if (isDeclaration(grandparent, source)) return undefined
    // A changed literal has the same effect as a missing one.
    const value = child(node, "value")
    if (value?.type === "Literal" && value["value"] !== null) return undefined
    return (removed, kept) => `...(${removed} ? {} : { ${kept} })`
  }
  return undefined
}

const removable = new Set(["CallExpression", "AssignmentExpression", "UpdateExpression", "YieldExpression"])
