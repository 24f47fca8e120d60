/** The values of each parameter, by its name. */
type Parameters = Readonly<Record<string, ReadonlyArray<unknown>>>

/** One value of each parameter. */
type Combination<P extends Parameters> = { readonly [Name in keyof P]: P[Name][number] }

/** Returns every choice of one position for each of the sizes. */
const choicesOf = (sizes: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> => {
  const [size, ...others] = sizes
  if (size === undefined) return [[]]
  const rest = choicesOf(others)
  return Array.from({ length: size }, (_, position) => rest.map((choice) => [position, ...choice])).flat()
}

/** Returns the pairs of a choice: two parameters with the position of the value of each. */
const pairsOf = (choice: ReadonlyArray<number>): ReadonlyArray<string> =>
  choice.flatMap((one, first) =>
    choice.slice(first + 1).map((other, distance) => `${first}=${one} ${first + 1 + distance}=${other}`)
  )

/**
 * Returns combinations in which any two values of two different parameters occur together at least once. Most faults come from
 * one value or from two together, and these combinations are far fewer than all. The parameters are two or more.
 *
 * It always adds the combination with the most pairs that no other one has, and is the same for the same parameters.
 */
export const pairwise = <const P extends Parameters>(parameters: P): ReadonlyArray<Combination<P>> => {
  const values = Object.entries(parameters)
  const choices = choicesOf(values.map(([, { length }]) => length)).map((choice) => ({
    choice,
    pairs: pairsOf(choice)
  }))
  const missing = new Set(choices.flatMap(({ pairs }) => pairs))
  const chosen: Array<Combination<P>> = []
  while (missing.size > 0) {
    const gains = choices.map(({ pairs }) => pairs.filter((pair) => missing.has(pair)).length)
    const best = choices[gains.indexOf(Math.max(...gains))]
    for (const pair of best?.pairs ?? []) missing.delete(pair)
    const combination = values.map(([name, of], place) => [name, of[best?.choice[place] ?? 0]] as const)
    /* oxlint-disable-next-line typescript/no-unsafe-type-assertion
       -- It has a value of each parameter under its name. */
    chosen.push(Object.fromEntries(combination) as Combination<P>)
  }
  return chosen
}
