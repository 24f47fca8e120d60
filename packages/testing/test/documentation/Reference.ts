/** A text with the path of its file from the root of the workspace. */
export interface Source {
  readonly file: string
  readonly text: string
}

/** An id that a text names, with its line. */
export interface Reference {
  readonly file: string
  readonly line: number
  readonly id: string
}

/**
 * The id of a rule of the contract (`C-4.3-6`) or of a decision (`D-CAL-7`), in two parts: the group and the number.
 */
const id = String.raw`\b(C-\d+(?:\.\d+)?|D-[A-Z]+)-(\d+)\b`

/** An id, or a range of ids of one group such as `C-5-3 to C-5-8`. A comment may break between the two. */
const reference = new RegExp(String.raw`${id}(?:\s+(?:(?:\*|//)\s+)?to\s+(?:(?:\*|//)\s+)?${id})?`, "g")

/** A definition: an item of a list or a row of a table that begins with the id in bold. */
const definition = new RegExp(String.raw`^(?:- |\| )\*\*${id}`, "gm")

/** The word Contract or Decisions with the number of a section: a reader could not tell which rule is meant. */
const section = /\b(?:Contract|Decisions?),?\s+(?:(?:\*|\/\/)\s+)?\(?\d+(?:\.\d+)*/g

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length

/** Returns the ids that a page defines, each once for each definition. */
export const definitions = ({ file, text }: Source): ReadonlyArray<Reference> =>
  [...text.matchAll(definition)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    id: `${match[1]}-${match[2]}`
  }))

/** Returns the ids that a text names. A range names every id from the first to the last. */
export const references = ({ file, text }: Source): ReadonlyArray<Reference> =>
  [...text.matchAll(reference)].flatMap(([whole, group, first, lastGroup, last], index, all) => {
    const line = lineAt(text, all[index]?.index ?? 0)
    if (lastGroup === undefined) return [{ file, line, id: whole }]
    if (lastGroup !== group)
      return [`${group}-${first}`, `${lastGroup}-${last}`].map((each) => ({ file, line, id: each }))
    const [from, to] = [Number(first), Number(last)]
    return Array.from({ length: Math.max(0, to - from) + 1 }, (_, step) => ({
      file,
      line,
      id: `${group}-${from + step}`
    }))
  })

/** Returns the places of a text that name a section of the contract or of the decisions instead of a rule. */
export const sections = ({ file, text }: Source): ReadonlyArray<string> =>
  [...text.matchAll(section)].map((match) => `${file}:${lineAt(text, match.index)} ${match[0]}`)
