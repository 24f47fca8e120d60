import { DatabaseSync, type SQLInputValue } from "node:sqlite"

/** A prepared statement that returns its first row. */
export type Reader<Row> = (...params: ReadonlyArray<SQLInputValue>) => Row | undefined

/** A prepared statement that returns all its rows. */
export type Lister<Row> = (...params: ReadonlyArray<SQLInputValue>) => ReadonlyArray<Row>

/** Opens a database with the durability of the reference server: a commit is on the disk before it returns. */
export const open = (filename: string) => {
  const database = new DatabaseSync(filename, { enableForeignKeyConstraints: true, timeout: 5_000 })
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  const [begin, commit, rollback] = ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"].map((text) => database.prepare(text))

  return {
    /* oxlint-disable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- A hand-written server trusts its own rows. */
    /** Prepares a statement that reads at most one row. */
    reader: <Row>(sql: string): Reader<Row> => {
      const statement = database.prepare(sql)
      return (...params) => statement.get(...params) as Row | undefined
    },
    /** Prepares a statement that reads rows. */
    lister: <Row>(sql: string): Lister<Row> => {
      const statement = database.prepare(sql)
      return (...params) => statement.all(...params) as unknown as ReadonlyArray<Row>
    },
    /* oxlint-enable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion */
    /** Prepares a statement that writes. */
    writer: (sql: string): ((...params: ReadonlyArray<SQLInputValue>) => void) => {
      const statement = database.prepare(sql)
      return (...params) => void statement.run(...params)
    },
    /** Runs statements in a transaction. */
    transaction: <A>(run: () => A): A => {
      begin?.run()
      try {
        const result = run()
        commit?.run()
        return result
      } catch (error) {
        rollback?.run()
        throw error
      }
    }
  }
}

/** A database whose statements can be prepared. */
export type Database = ReturnType<typeof open>
