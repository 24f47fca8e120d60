/** The values of a row by column. */
export type Columns = Readonly<Record<string, unknown>>

/** A statement with its parameters. */
type Bound = readonly [text: string, params: ReadonlyArray<unknown>]

/**
 * Returns a function that returns `INSERT INTO table (…) VALUES (…)`, followed by `ending`, with its parameters. All
 * rows must have the same columns, because the text is made once.
 */
export const inserter = (table: string, ending = ""): ((row: Columns) => Bound) => {
  let text: string | undefined
  return (row) => {
    text ??= insertText(table, Object.keys(row)) + ending
    return [text, Object.values(row)]
  }
}

/**
 * Returns a function that returns `UPDATE table SET … WHERE id = …`, followed by `ending`, with its parameters. All
 * rows must have the same columns.
 */
export const updater = (table: string, ending = ""): ((row: Columns, id: number) => Bound) => {
  let text: string | undefined
  return (row, id) => {
    text ??= updateText(table, Object.keys(row)) + ending
    return [text, [...Object.values(row), id]]
  }
}

const insertText = (table: string, columns: ReadonlyArray<string>): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((_, index) => `?${index + 1}`).join(", ")})`

const updateText = (table: string, columns: ReadonlyArray<string>): string =>
  `UPDATE ${table} SET ${columns.map((column, index) => `${column} = ?${index + 1}`).join(", ")} WHERE id = ?${columns.length + 1}`

/** Collects the parameters of a statement whose text depends on the request. */
export interface Bindings {
  /** Adds a parameter and returns its name in the text. */
  readonly add: (value: unknown) => string
  /** The parameters in their order. */
  readonly values: ReadonlyArray<unknown>
}

/** Returns bindings without any parameter. */
export const makeBindings = (): Bindings => {
  const values: Array<unknown> = []
  return { add: (value) => `?${values.push(value)}`, values }
}
