import type { DatabaseSync, StatementSync } from "node:sqlite"

/** A compiled statement, with what would cost a call into SQLite to ask on every run. */
export interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
  bigints: boolean
  arrays: boolean
}

/** What may follow a statement: white space, semicolons and comments. */
const nothing = /^(?:\s|;|--.*|\/\*[\s\S]*?\*\/)*$/

/**
 * Compiles one statement.
 *
 * Throws what SQLite throws, and for text that holds a second statement: SQLite would compile the first and silently
 * ignore the rest.
 */
export const prepare = (database: DatabaseSync, sql: string): Prepared => {
  const statement = database.prepare(sql)
  if (!nothing.test(sql.slice(statement.sourceSQL.length))) {
    throw new Error("The text holds more than one statement; run each by itself")
  }
  return { statement, returnsRows: statement.columns().length > 0, bigints: false, arrays: false }
}

/**
 * Compiled statements by their text, at most `capacity` of them.
 *
 * Two generations instead of a list in order of use: a hit costs one look-up, and what was used since the last turn of
 * the generations survives the next one.
 */
export const make = (database: DatabaseSync, capacity: number): ((sql: string) => Prepared) => {
  const generation = Math.max(1, Math.floor(capacity / 2))
  let recent = new Map<string, Prepared>()
  let older = new Map<string, Prepared>()
  return (sql) => {
    const known = recent.get(sql)
    if (known !== undefined) {
      return known
    }
    const prepared = older.get(sql) ?? prepare(database, sql)
    if (recent.size >= generation) {
      older = recent
      recent = new Map()
    }
    recent.set(sql, prepared)
    return prepared
  }
}
