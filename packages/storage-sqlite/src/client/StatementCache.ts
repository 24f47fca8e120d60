import type { DatabaseSync, StatementSync } from "node:sqlite"

/** A compiled statement, with properties that would cost a call into SQLite at each run. */
export interface Prepared {
  readonly statement: StatementSync
  /** The names of the columns of its rows. Empty for a statement that returns no rows. */
  readonly columns: ReadonlyArray<string>
  bigints: boolean
  arrays: boolean
}

/** What may follow a statement: white space, semicolons and comments. */
const nothing = /^(?:\s|;|--.*|\/\*[\s\S]*?\*\/)*$/

/**
 * Compiles one statement.
 *
 * Throws the errors of SQLite, and throws for a text with a second statement. SQLite would compile the first one and
 * silently ignore the rest.
 */
export const prepare = (database: DatabaseSync, sql: string): Prepared => {
  const statement = database.prepare(sql)
  if (!nothing.test(sql.slice(statement.sourceSQL.length))) {
    throw new Error("The text has more than one statement. Run each of them separately.")
  }
  const columns = statement.columns().map(({ name }) => name)
  return { statement, columns, bigints: false, arrays: false }
}

/**
 * Returns a cache of at most `capacity` compiled statements by their text.
 *
 * It has two generations instead of a list in order of use. A hit costs one look-up, and a statement that was used in a
 * generation survives until the end of the next one.
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
