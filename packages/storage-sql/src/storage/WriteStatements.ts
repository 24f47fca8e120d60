/** Values by column. */
export type Columns = Readonly<Record<string, unknown>>

/** A statement with its parameters. */
type Bound = readonly [text: string, params: ReadonlyArray<unknown>]

/**
 * Writes `INSERT INTO table (…) VALUES (…)`, with what follows. Every row has the same columns, so the text is made
 * once.
 */
export const inserter = (table: string, ending = ""): ((row: Columns) => Bound) => {
  let text: string | undefined
  return (row) => {
    text ??= insertText(table, Object.keys(row)) + ending
    return [text, Object.values(row)]
  }
}

/** Writes `UPDATE table SET … WHERE id = …`, in the same way. */
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

/** Collects the parameters of a statement whose text depends on what is asked. */
export interface Bindings {
  /** Adds a parameter; answers how the text names it. */
  readonly add: (value: unknown) => string
  readonly values: ReadonlyArray<unknown>
}

/** No parameters yet. */
export const makeBindings = (): Bindings => {
  const values: Array<unknown> = []
  return { add: (value) => `?${values.push(value)}`, values }
}
