import { Pool, type PoolClient, types } from "pg"

// Columns have the forms of SQLite, so that both servers by hand share their rows.
types.setTypeParser(types.builtins.INT8, Number)
types.setTypeParser(types.builtins.BOOL, (text) => (text === "t" ? 1 : 0))
types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => Date.parse(text))
types.setTypeParser(types.builtins.JSON, (text) => text)

/** Opens a pool of 10 connections, as many as Frontdesk has for requests. */
export const open = (url: string): Pool => new Pool({ connectionString: url, max: 10 })

/** The connections on which a statement can run. */
export type Connection = Pool | PoolClient

let count = 0

/** Makes the function that runs a statement, which each connection prepares at its first use, and returns its rows. */
export const statement = <Row extends object>(text: string) => {
  const name = `statement_${++count}`
  return async (connection: Connection, ...values: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>> =>
    (await connection.query<Row>({ name, text, values: [...values] })).rows
}

/** Runs statements in a transaction. */
export const transaction = async <A>(pool: Pool, run: (connection: PoolClient) => Promise<A>): Promise<A> => {
  const connection = await pool.connect()
  try {
    await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
    const result = await run(connection)
    await connection.query("COMMIT")
    return result
  } catch (error) {
    await connection.query("ROLLBACK")
    throw error
  } finally {
    connection.release()
  }
}
