import { countWords, sentences, texts } from "./Prose.ts"
import { type Piece, scan } from "./Scanner.ts"
import { docs, docStart, type Entry, fileNameParts, type NameEntry, nameParts, prose } from "./wordList.ts"

/** A word or sentence to change, with its place. */
export interface Finding {
  readonly file: string
  readonly line: number
  /** The word, or the beginning of a sentence that is too long. */
  readonly found: string
  readonly instead: string
}

/** The maximum number of words in a sentence of a page or of a doc comment. The guideline is 25. */
export const maxWords = 40

type Place = Omit<Finding, "file">

/** Returns a pattern in which a space also matches the end of a line. */
const overLines = (pattern: RegExp): RegExp => {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const made = new RegExp(pattern.source.replaceAll(" ", "\\s+"), `g${pattern.flags}`)
  patterns.set(pattern, made)
  return made
}

const patterns = new Map<RegExp, RegExp>()

const byEntries = (entries: ReadonlyArray<Entry>, { line, text }: Piece): ReadonlyArray<Place> =>
  entries.flatMap(({ instead, pattern }) =>
    [...text.matchAll(overLines(pattern))].map((match) => ({
      line: line + text.slice(0, match.index).split("\n").length - 1,
      found: match[0].trim().replaceAll(/\s+/g, " "),
      instead
    }))
  )

const tooLong = (piece: Piece): ReadonlyArray<Place> =>
  sentences(piece)
    .filter(({ text }) => countWords(text) > maxWords)
    .map(({ line, text }) => ({
      line,
      found: `${text.trim().split(/\s+/).slice(0, 6).join(" ")} …`,
      instead: `sentences of at most ${maxWords} words; this one has ${countWords(text)}`
    }))

const byNameParts = (entries: ReadonlyArray<NameEntry>, { line, text }: Piece): ReadonlyArray<Place> => {
  const parts = new Set((text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase()))
  return entries
    .filter(({ except = [], parts: wrong }) => wrong.some((part) => parts.has(part)) && !except.includes(text))
    .map(({ instead }) => ({ line, found: text, instead }))
}

/** Returns whether a string is prose: at least three words, and neither SQL nor another language. */
const isProse = ({ text }: Piece): boolean => /[a-z]+ [\w-]+ [a-z]+/.test(text) && !/[{};=<]|\b[A-Z]{3,} /.test(text)

const ofTypeScript = (source: string): ReadonlyArray<Place> => {
  const { comments, names, strings } = scan(source)
  return [
    ...comments.flatMap((comment) => {
      const pieces = texts(comment)
      const first = pieces.slice(0, 1).flatMap((piece) => byEntries(docStart, piece))
      const words = pieces.flatMap((piece) => byEntries(prose, piece))
      if (!comment.isDoc) return words
      return [...first, ...words, ...pieces.flatMap((piece) => [...byEntries(docs, piece), ...tooLong(piece)])]
    }),
    ...strings.filter(isProse).flatMap((string) => byEntries(prose, string)),
    ...names.flatMap((name) => byNameParts(nameParts, name))
  ]
}

const ofMarkdown = (page: string): ReadonlyArray<Place> =>
  texts({ line: 1, text: page }).flatMap((piece) => [...byEntries(prose, piece), ...tooLong(piece)])

const baseName = (file: string): string => file.replace(/^.*\//, "").replace(/\.\w+$/, "")

/** Returns the findings of a `.ts` or `.md` file, by line. */
export const check = (file: string, source: string): ReadonlyArray<Finding> =>
  [
    ...byNameParts([...nameParts, ...fileNameParts], { line: 1, text: baseName(file) }),
    ...(file.endsWith(".md") ? ofMarkdown : ofTypeScript)(source)
  ]
    .map((place) => ({ file, ...place }))
    .toSorted((a, b) => a.line - b.line)

/** A finding as one line of output. */
export const format = ({ file, found, instead, line }: Finding): string => `${file}:${line}: "${found}" -> ${instead}`
