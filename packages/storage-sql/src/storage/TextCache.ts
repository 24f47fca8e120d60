const most = 1_000
const longest = 10_000

/**
 * Remembers what a function makes of a text, where the text alone decides it: of 1,000 texts at most, none longer than
 * 10,000 characters. `undefined` is not remembered.
 *
 * Callers share what is remembered, so its objects and arrays are frozen, and those in them.
 */
export const byText = <A>(make: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    freeze(made)
    if (made !== undefined && text.length <= longest) {
      if (known.size >= most) known.clear()
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

/** Instances, such as instants, cannot be changed anyway, and some keep what they have computed in themselves. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
