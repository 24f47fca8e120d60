const names = new Map<string, string>()

/** Returns the name of a column in camelCase: `startTime` for `start_time`. */
const camelCase = (column: string): string => {
  const known = names.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  names.set(column, name)
  return name
}

/**
 * Returns a row as the record that row schemas decode, with its columns in camelCase. A value that is undefined is
 * missing in the record. The row schemas do not rename columns themselves, because it would double the cost of decoding.
 */
export const inCamelCase = (
  columns: ReadonlyArray<string>,
  row: ReadonlyArray<unknown>
): Readonly<Record<string, unknown>> => {
  const renamed: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    if (row[index] !== undefined) renamed[camelCase(column)] = row[index]
  }
  return renamed
}
