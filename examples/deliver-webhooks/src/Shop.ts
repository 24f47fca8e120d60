import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"

const tables = `
  CREATE TABLE IF NOT EXISTS purchase (id INTEGER PRIMARY KEY, article TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS endpoint (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY, delivery_id TEXT NOT NULL UNIQUE, endpoint_id INTEGER NOT NULL REFERENCES endpoint (id),
    event TEXT NOT NULL, subject TEXT NOT NULL, body BLOB NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending', due_at INTEGER, results INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0, lease_id TEXT, lease_owner TEXT, last_error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS message_due ON message (due_at, id) WHERE due_at IS NOT NULL;
`

/** Opens the shop's database. */
export const open = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1000; ${tables}`)
  return database
}

/** Runs work in a transaction, which is rolled back if the work throws. Returns the result of the work. */
export const atomically = <A>(database: DatabaseSync, work: () => A): A => {
  database.exec("BEGIN IMMEDIATE")
  try {
    const answer = work()
    database.exec("COMMIT")
    return answer
  } catch (error) {
    database.exec("ROLLBACK")
    throw error
  }
}

/** Subscribes an endpoint to orders. */
export const subscribe = (database: DatabaseSync, url: string, secret: string): void => {
  database
    .prepare(
      "INSERT INTO endpoint (url, secret) VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET secret = excluded.secret"
    )
    .run(url, secret)
}

/** Stores an order and, in the same transaction, a message for every endpoint that is not gone. */
export const placeOrder = (database: DatabaseSync, article: string): void =>
  atomically(database, () => {
    const { lastInsertRowid } = database.prepare("INSERT INTO purchase (article) VALUES (?)").run(article)
    const body = Buffer.from(JSON.stringify({ order: Number(lastInsertRowid), article }))
    const add = database.prepare(
      "INSERT INTO message (delivery_id, endpoint_id, event, subject, body, due_at) VALUES (?, ?, 'order.placed', ?, ?, ?)"
    )
    for (const { id } of database.prepare("SELECT id FROM endpoint WHERE is_gone = 0").all()) {
      add.run(randomUUID(), id ?? null, `order:${lastInsertRowid}`, body, Date.now())
    }
  })
