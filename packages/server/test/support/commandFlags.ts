import process from "node:process"
import { parseArgs } from "node:util"

/** The flags of the kill test and the fuzz test. An invalid value prints the usage and exits with 2. */
export interface Flags<Name extends string> {
  /** Returns the value of a flag, which must be one of the words. */
  readonly oneOf: <Word extends string>(name: Name, words: ReadonlyArray<Word>) => Word
  /** Returns the value of a flag, which must be a whole number above 0. */
  readonly count: (name: Name) => number
  /** Returns the value of a flag, which must be a whole number with at most ten digits. */
  readonly seed: (name: Name) => number
}

/** Parses a whole number from 0 to 9,999,999,999 in decimal form. Returns null for any other text. */
export const wholeNumber = (text: string): number | null => (/^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null)

/** Returns a new seed, for a run without a given seed. */
export const drawnSeed = (): string => String(Date.now() % 1_000_000_000)

/** Reads the flags of this process. A flag that is not given has its default. */
export const flags = <Name extends string>(usage: string, defaults: Readonly<Record<Name, string>>): Flags<Name> => {
  const refuse = (): never => {
    console.error(usage)
    process.exit(2)
  }
  const parse = () => {
    try {
      const known = Object.keys(defaults).map((name) => [name, { type: "string" }] as const)
      // pnpm passes the "--" before the flags on to the program.
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
