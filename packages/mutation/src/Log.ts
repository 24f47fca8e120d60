import * as fs from "node:fs"

/**
 * An entry in the log of a session. The log has one line of JSON for each, so that a killed session can be continued.
 */
export type Entry =
  /** The session runs without a mutant and makes progress. */
  | { readonly is: "alive" }
  /** A run of the file with the mutant began. */
  | { readonly is: "started"; readonly mutant: number; readonly file: string }
  /** A test failed with the mutant, or did not end. */
  | { readonly is: "killed"; readonly mutant: number; readonly by: string }
  /** A test reaches the mutant. */
  | { readonly is: "covered"; readonly mutant: number }
  /** All runs of the file are over. */
  | { readonly is: "finished"; readonly file: string }
  | { readonly is: "problem"; readonly message: string }

const kinds: ReadonlySet<unknown> = new Set(["alive", "started", "killed", "covered", "finished", "problem"])

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && "is" in value && kinds.has(value.is)

/** Adds an entry to a log. */
export const append = (path: string, entry: Entry): void => fs.appendFileSync(path, `${JSON.stringify(entry)}\n`)

/** Returns the entries of a log; none when the file does not exist. Incomplete lines are left out. */
export const read = (path: string): ReadonlyArray<Entry> => {
  if (!fs.existsSync(path)) return []
  return fs
    .readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const entry: unknown = JSON.parse(line)
        return isEntry(entry) ? [entry] : []
      } catch {
        return []
      }
    })
}
