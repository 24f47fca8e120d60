const names = new Map<string, string>()

/** The name of a column as rows have it: `start_time` is `startTime`. */
const camelCase = (column: string): string => {
  const known = names.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  names.set(column, name)
  return name
}

/**
 * A row with its columns in camelCase. Done here and not by the schemas, for which it would double the work of decoding.
 */
export const inCamelCase = (row: object): Readonly<Record<string, unknown>> => {
  const renamed: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) renamed[camelCase(column)] = value
  return renamed
}
