import * as Operators from "./Operators.ts"
import { child, children, list, type Node, parse, text } from "./Syntax.ts"

/** One mutant: one small change of one file. */
export interface Mutant {
  /** Counts from 0 in the order of the source. */
  readonly id: number
  readonly operator: string
  readonly line: number
  readonly column: number
  /** The source that the mutant replaces. */
  readonly original: string
  /** The source that replaces it; the empty text when it is removed. */
  readonly replacement: string
}

/** A module that contains all its mutants. At most one is active at a time. */
export interface Instrumented {
  readonly mutants: ReadonlyArray<Mutant>
  readonly code: string
  /** Whether the module has state between calls, such as a cache. */
  readonly isStateful: boolean
}

/** The name of the global object that tells the instrumented module which mutant is active. */
export const globalName = "__frontdeskMutation"

const loops = new Set(["ForStatement", "ForOfStatement", "ForInStatement", "WhileStatement", "DoWhileStatement"])

/**
 * Returns the module with every mutant in it, each behind a condition, and the list of the mutants. Lines keep their
 * numbers.
 */
export const instrument = (path: string, source: string): Instrumented => {
  const mutants: Array<Mutant> = []
  const lineStarts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)]

  const add = (node: Node, operator: string, replacement: string): string => {
    const line = lineStarts.findLastIndex((start) => start <= node.start)
    const column = node.start - (lineStarts[line] ?? 0) + 1
    const id = mutants.length
    const original = source.slice(node.start, node.end)
    mutants.push({ id, operator, line: line + 1, column, original, replacement })
    return `__mutation.isActive(${id})`
  }

  const render = (place: Operators.Place): string => {
    const { node } = place
    if (Operators.isLeftAlone(place)) return source.slice(node.start, node.end)
    const changed = Operators.changes(place).map(
      ({ operator, replacement }) => `${add(node, operator, replacement)} ? (${replacement}) : `
    )
    const remove = Operators.removal(place)
    const removed = remove === undefined ? "" : add(node, "removal", "")
    const inner = guarded(place, renderChildren(node, place.parent))
    const kept = changed.length === 0 ? inner : `(${changed.join("")}(${inner}))`
    const whole = remove === undefined ? kept : remove(removed, kept)
    // Without `void`, a statement that begins with a parenthesis would continue the line above it.
    return place.key === "expression" && place.parent?.type === "ExpressionStatement" ? `void ${whole}` : whole
  }

  const renderChildren = (node: Node, parent: Node | undefined): string => {
    let code = ""
    let position = node.start
    for (const [key, inner] of children(node)) {
      // In a shorthand property the key and the value are the same identifier.
      if (inner.start < position) continue
      if (key === "key" && node["shorthand"] === true) continue
      code +=
        source.slice(position, inner.start) + render({ grandparent: parent, key, node: inner, parent: node, source })
      position = inner.end
    }
    return code + source.slice(position, node.end)
  }

  /** Returns the body of a loop with a counter, which stops a mutant that makes the loop endless. */
  const guarded = ({ key, parent }: Operators.Place, code: string): string =>
    key === "body" && parent !== undefined && loops.has(parent.type) ? `{ __mutation.round(); ${code} }` : code

  const root = parse(path, source)
  const body = renderChildren(root, undefined)
  const start = child(root, "body")?.start ?? 0
  const code = `const __mutation = globalThis.${globalName}; ${root.start === 0 ? "" : source.slice(0, Math.min(root.start, start))}${body}`
  return { mutants, code: code + source.slice(root.end), isStateful: list(root, "body").some(isState) }
}

/** Returns whether a statement of a module declares a variable or an empty collection. */
const isState = (statement: Node): boolean => {
  if (statement.type !== "VariableDeclaration") return false
  return (
    text(statement, "kind") !== "const" ||
    list(statement, "declarations").some((declaration) => {
      const made = child(declaration, "init")
      return made?.type === "NewExpression" && list(made, "arguments").length === 0
    })
  )
}

/** Returns the line of a mutant in the report: its position, its operator, and the source before and after. */
export const describe = (mutant: Mutant): string => {
  const short = (code: string): string => {
    const line = code.replaceAll(/\s+/g, " ")
    return line.length > 70 ? `${line.slice(0, 50)} … ${line.slice(-17)}` : line
  }
  const replacement = mutant.replacement === "" ? "(removed)" : short(mutant.replacement)
  return `${mutant.line}:${mutant.column} ${mutant.operator}: ${short(mutant.original)} → ${replacement}`
}
