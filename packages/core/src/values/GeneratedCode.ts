type Generated = (value: unknown) => unknown

const isGenerated = (made: unknown): made is Generated => typeof made === "function"

/**
 * Returns the function with this parameter and this body. The body names the constants by their positions: `$0`, `$1`. The
 * text must come from the program alone. Returns undefined where code must not be generated, as with
 * `--disallow-code-generation-from-strings` and in some edge runtimes.
 */
export const compile = (parameter: string, body: string, constants: ReadonlyArray<unknown>): Generated | undefined => {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- The text comes from the program alone.
    const make = new Function(...constants.map((_, at) => `$${at}`), `return (${parameter}) => {\n${body}\n}`)
    const made: unknown = Reflect.apply(make, undefined, constants)
    return isGenerated(made) ? made : undefined
  } catch {
    return undefined
  }
}
