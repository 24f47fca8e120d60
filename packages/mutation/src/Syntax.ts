import { parseSync, visitorKeys } from "oxc-parser"

/** A node of the syntax tree. `start` and `end` are offsets in the source. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value

/** Returns the nodes of a property of the tree that holds one node, several, or none. */
const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  isNode(value) ? [value] : Array.isArray(value) ? value.filter(isNode) : []

/** Returns the node of a property, or undefined when the property holds none. */
export const child = (node: Node, key: string): Node | undefined => nodesOf(node[key])[0]

/** Returns the nodes of a property that holds a list. */
export const list = (node: Node, key: string): ReadonlyArray<Node> => nodesOf(node[key])

/** Returns a property that holds text, or the empty text. */
export const text = (node: Node, key: string): string => {
  const value = node[key]
  return typeof value === "string" ? value : ""
}

/** Returns the children of a node with the name of the property that holds each, in the order of the source. */
export const children = (node: Node): ReadonlyArray<readonly [string, Node]> =>
  (visitorKeys[node.type] ?? [])
    .flatMap((key) => nodesOf(node[key]).map((child) => [key, child] as const))
    .toSorted(([, a], [, b]) => a.start - b.start)

/** Returns a node without the parentheses around it. */
export const unwrapped = (node: Node): Node => {
  const inner = node.type === "ParenthesizedExpression" ? child(node, "expression") : undefined
  return inner === undefined ? node : unwrapped(inner)
}

/** Parses a TypeScript file. Throws when the file has a syntax error. */
export const parse = (path: string, source: string): Node => {
  const { errors, program } = parseSync(path, source)
  const [error] = errors
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`)
  const root: unknown = program
  if (!isNode(root)) throw new TypeError(`${path}: the parser returned no tree`)
  return root
}

/** Returns the modules that a file imports, or exports again, at run time. Imports of types alone are left out. */
export const imports = (path: string, source: string): ReadonlyArray<string> => {
  const { module } = parseSync(path, source)
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ isType, moduleRequest }) => (moduleRequest === null || isType ? [] : [moduleRequest.value]))
  )
  return [...imported, ...exported]
}
