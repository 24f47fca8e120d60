/** Collects the parameters of a statement whose text depends on what is asked. */
export interface Bindings {
  /** Adds a parameter; answers how the text names it. */
  readonly add: (value: unknown) => string
  readonly values: ReadonlyArray<unknown>
}

/** No parameters yet. */
export const make = (): Bindings => {
  const values: Array<unknown> = []
  return { add: (value) => `?${values.push(value)}`, values }
}
