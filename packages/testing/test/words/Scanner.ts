/** A piece of a TypeScript file that people read, with the line on which it begins. */
export interface Piece {
  readonly line: number
  readonly text: string
}

/** The pieces of a TypeScript file. */
export interface Pieces {
  /** Comments without their markers. A run of `//` lines is one comment. */
  readonly comments: ReadonlyArray<Piece & { readonly isDoc: boolean }>
  /** String and template literals, without the expressions of a template. */
  readonly strings: ReadonlyArray<Piece>
  /** The names that a file exports, and those of members that are declared with `readonly`. */
  readonly names: ReadonlyArray<Piece>
}

const lineComment = /\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/y
const blockComment = /\/\*[^]*?\*\//y
const quoted = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y
const templatePart = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y
const identifier = /[A-Za-z_$][\w$]*/y
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** Matches code that can precede a regular expression, but not a division. */
const beforeExpression = /(?:^|[=(,:[!&|?{};<>+*%~^-]|\breturn|\btypeof|\bcase)\s*$/

const declared =
  /^export (?:declare |abstract |async )*(?:const|let|class|function\*?|interface|type) (\w+)|^\s*(?:static )?readonly (\w+)[?:]/gm

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")

/** Splits a TypeScript file into the pieces that people read. */
export const scan = (source: string): Pieces => {
  const comments: Array<Piece & { readonly isDoc: boolean }> = []
  const strings: Array<Piece> = []
  let code = ""
  /** The depth of braces at which each open template continues. */
  const templates: Array<number> = []
  let depth = 0
  let line = 1
  let at = 0

  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? null
  }
  const pass = (text: string, inCode = blank(text)): void => {
    code += inCode
    at += text.length
    line += text.split("\n").length - 1
  }
  /** Reads a template literal, from after its backtick or from after an expression in it. */
  const template = (): void => {
    const text = match(templatePart) ?? ""
    strings.push({ line, text })
    pass(text)
    if (source.startsWith("${", at)) {
      templates.push(depth)
      pass("${")
    } else pass("`")
  }

  while (at < source.length) {
    const char = source.charAt(at)
    const comment = match(lineComment) ?? match(blockComment)
    if (comment !== null) {
      const isDoc = comment.startsWith("/**")
      const text = comment.startsWith("//")
        ? comment.replaceAll(/^[ \t]*\/\/ ?/gm, "")
        : comment
            .replace(/^\/\*\*?/, "")
            .replace(/\*\/$/, "")
            .replaceAll(/^[ \t]*\* ?/gm, "")
      comments.push({ line, text, isDoc })
      pass(comment)
    } else if (char === "`") {
      pass(char)
      template()
    } else if (char === "}" && templates.at(-1) === depth) {
      templates.pop()
      pass(char)
      template()
    } else if (char === '"' || char === "'") {
      const text = match(quoted) ?? char
      strings.push({ line, text: text.slice(1, -1) })
      pass(text)
    } else if (char === "/" && beforeExpression.test(source.slice(Math.max(0, at - 40), at))) {
      pass(match(regularExpression) ?? char)
    } else {
      const word = match(identifier) ?? char
      if (word === "{") depth += 1
      if (word === "}") depth -= 1
      pass(word, word)
    }
  }
  const names = [...code.matchAll(declared)].map((match) => ({
    line: code.slice(0, match.index + match[0].search(/\S/)).split("\n").length,
    text: match[1] ?? match[2] ?? ""
  }))
  return { comments, strings, names }
}
