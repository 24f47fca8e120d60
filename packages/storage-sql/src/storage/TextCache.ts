const maxTexts = 1_000
const maxLength = 10_000

/**
 * Returns a function that caches the results of `make`, which must depend on the text alone. It caches at most 1,000
 * texts, each of at most 10,000 characters, and never `undefined`.
 *
 * Callers share cached values, so objects and arrays in them are frozen.
 */
export const byText = <A>(make: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    freeze(made)
    if (made !== undefined && text.length <= maxLength) {
      if (known.size >= maxTexts) known.clear()
      known.set(text, made)
    }
    return made
  }
}

const freeze = (value: unknown): void => {
  if (typeof value !== "object" || value === null || !isPlain(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

/**
 * Returns whether a value is a plain object or array. Instances of classes, such as instants, are immutable, and some
 * cache computed values in themselves.
 */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
