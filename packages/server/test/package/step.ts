/** Does what proves a claim, and prints the claim and how long that took. Returns what `work` returns. */
export const step = <A>(claim: string, work: () => A): A => {
  const startedAt = performance.now()
  const done = work()
  console.log(`ok ${claim} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`)
  return done
}

/** Returns the field of a value that was read as JSON. */
export const fieldOf = (record: unknown, field: string): unknown =>
  Object.entries(record ?? {}).find(([key]) => key === field)?.[1]
