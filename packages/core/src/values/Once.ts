/**
 * Returns a function that calls `make` at its first call and then always returns the same promise. After a rejection the next
 * call makes it again.
 */
export const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
