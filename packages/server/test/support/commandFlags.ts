import process from "node:process"
import { parseArgs } from "node:util"

/** The flags of a command that tests for long. A text that is wrong prints the usage and ends the process with 2. */
export interface Flags<Name extends string> {
  /** The flag as it was given, one of these words. */
  readonly oneOf: <Word extends string>(name: Name, words: ReadonlyArray<Word>) => Word
  /** A whole number above 0. */
  readonly count: (name: Name) => number
  /** A whole number of at most ten digits: every seed that is printed can be given again. */
  readonly seed: (name: Name) => number
}

/** Returns the whole number that a text writes in decimal, from 0 to 9,999,999,999; null for any other text. */
export const wholeNumber = (text: string): number | null => (/^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null)

/** A seed for a run that was given none. */
export const drawnSeed = (): string => String(Date.now() % 1_000_000_000)

/** Reads the flags of this process, each with its default. */
export const flags = <Name extends string>(usage: string, defaults: Readonly<Record<Name, string>>): Flags<Name> => {
  const refuse = (): never => {
    console.error(usage)
    process.exit(2)
  }
  const parse = () => {
    try {
      const known = Object.keys(defaults).map((name) => [name, { type: "string" }] as const)
      // pnpm passes its own "--" on.
      const args = process.argv.slice(2).filter((argument) => argument !== "--")
      return parseArgs({ args, options: Object.fromEntries(known) }).values
    } catch {
      return refuse()
    }
  }
  const given = parse()
  const text = (name: Name): string => given[name] ?? defaults[name]
  const seed = (name: Name): number => wholeNumber(text(name)) ?? refuse()
  return {
    oneOf: (name, words) => words.find((word) => word === text(name)) ?? refuse(),
    count: (name) => seed(name) || refuse(),
    seed
  }
}
