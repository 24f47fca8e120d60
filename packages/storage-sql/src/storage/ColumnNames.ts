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
 * Returns a row with its columns in camelCase. The row schemas do not do this themselves, because it would double the
 * cost of decoding.
 */
export const inCamelCase = (row: object): Readonly<Record<string, unknown>> => {
  const renamed: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) renamed[camelCase(column)] = value
  return renamed
}
