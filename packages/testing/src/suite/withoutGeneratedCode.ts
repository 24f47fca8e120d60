/** Runs a function while code cannot be generated, as with `--disallow-code-generation-from-strings`. */
export const withoutGeneratedCode = <A>(run: () => A): A => {
  const original = globalThis.Function
  globalThis.Function = new Proxy(original, {
    construct: () => {
      throw new EvalError("Code generation from strings disallowed for this context")
    }
  })
  try {
    return run()
  } finally {
    globalThis.Function = original
  }
}
