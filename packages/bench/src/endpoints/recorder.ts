// Frontdesk, which also records the statements that it executes. A message requests those since the last one.
import process from "node:process"
import { DatabaseSync, type SQLInputValue, StatementSync } from "node:sqlite"
import { serialize } from "node:v8"
import { Worker } from "node:worker_threads"
import type { Executed } from "./Statements.ts"

let executed: Array<Executed> = []

/** Returns a method of prepared statements that also records each statement. */
const recording = (name: "all" | "run") =>
  new Proxy(StatementSync.prototype[name], {
    apply: (method, statement: StatementSync, params: ReadonlyArray<SQLInputValue>): unknown => {
      executed.push({ sql: statement.sourceSQL, params, returnsRows: name === "all" })
      return Reflect.apply(method, statement, params)
    }
  })

Object.assign(StatementSync.prototype, { all: recording("all"), run: recording("run") })

/** Returns a method of databases that also records each statement. */
const recordingUnprepared = (name: "exec") =>
  new Proxy(DatabaseSync.prototype[name], {
    apply: (method, database: DatabaseSync, [sql]: [string]): unknown => {
      executed.push({ sql, params: [], returnsRows: false })
      return Reflect.apply(method, database, [sql])
    }
  })

// The storage commits transactions with `exec`. Without their COMMIT, the baseline could begin only one transaction.
Object.assign(DatabaseSync.prototype, { exec: recordingUnprepared("exec") })

/** A message to a thread that reads: the first one has the statement. */
type ThreadMessage = Pick<Executed, "sql" | "params"> | string

/** Returns a method of threads that also records the statement of each read. */
const watching = (name: "postMessage") =>
  new Proxy(Worker.prototype[name], {
    apply: (method, worker: Worker, messages: ReadonlyArray<ThreadMessage>): unknown => {
      const [message = ""] = messages
      if (typeof message !== "string") {
        executed.push({ sql: message.sql, params: message.params, returnsRows: true })
      }
      return Reflect.apply(method, worker, messages)
    }
  })

// Long reads run on other threads, whose prepared statements are not those of this thread.
Object.assign(Worker.prototype, { postMessage: watching("postMessage") })

process.on("message", (request) => {
  if (request !== "statements") return
  process.send?.({ _tag: "Statements", bytes: serialize(executed).toString("base64") })
  executed = []
})

// Loaded after the methods are replaced. It runs until the process ends.
await import("../http/frontdesk.ts")
