/** The maximum number of typos in a name of six characters or more. A shorter name may have one. */
const maxTypos = 2

/**
 * Returns a question after the known names that an unknown name is nearest to, or the empty text when none is near. The
 * distance of two names is the number of typos between them: a missing, additional, wrong or swapped character.
 *
 * @example
 * ```ts
 * import { Suggestion } from "@frontdesk/core"
 *
 * Suggestion.didYouMean("prot", ["host", "port"]) // "Did you mean port?"
 * Suggestion.didYouMean("colour", ["host", "port"]) // ""
 * ```
 */
export const didYouMean = (unknown: string, known: Iterable<string>): string => {
  let nearest: Array<string> = []
  let fewest = unknown.length < 6 ? 1 : maxTypos
  for (const name of known) {
    // The distance is at least the difference of the lengths. Without this check, a very long name would take long.
    if (Math.abs(name.length - unknown.length) > fewest) continue
    const typos = typosBetween(unknown, name)
    if (typos > fewest) continue
    if (typos < fewest) nearest = []
    fewest = typos
    nearest.push(name)
  }
  return nearest.length === 0 ? "" : `Did you mean ${nearest.join(" or ")}?`
}

/** Returns the smallest number of typos that turn one name into the other, the optimal string alignment distance. */
const typosBetween = (from: string, to: string): number => {
  let beforePrevious: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforePrevious[column - 2] ?? Infinity) + 1 : Infinity
        )
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
