import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import * as Os from "node:os"
import * as Fs from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { ready, type Reply, type Request, type ThreadOptions } from "./LongReadMessages.ts"
import * as StatementCache from "./StatementCache.ts"

/** How many rows one message has. The event loop of the program reads them in about a millisecond. */
const chunkSize = 2_000

/**
 * Gives this thread less processor time than the one that answers requests, where the system can: on Linux each thread
 * has a priority of its own.
 */
const yieldProcessor = (): void => {
  try {
    Os.setPriority(Number(Fs.readlinkSync("/proc/thread-self").split("/").at(-1)), 10)
  } catch {
    // On other systems all threads have the same priority.
  }
}

/* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
   -- `LongReads` starts this module. */
const { busyTimeout, filename } = workerData as ThreadOptions

// This thread may wait inside SQLite, because it answers nothing else.
const database = new DatabaseSync(filename, { readOnly: true, timeout: busyTimeout })

let rows: Iterator<unknown> | undefined

const end = (): void => {
  // Ends the read transaction. Otherwise later reads would see the same old state, and the write-ahead log would grow.
  rows?.return?.()
  rows = undefined
}

const begin = (sql: string, params: ReadonlyArray<SQLInputValue>, bigints: boolean): ReadonlyArray<string> => {
  // The rest of an earlier read would keep the connection in its read transaction, and this read in an old state.
  end()
  const { columns, statement } = StatementCache.prepare(database, sql)
  statement.setReadBigInts(bigints)
  statement.setReturnArrays(true)
  rows = statement.iterate(...params)
  return columns
}

const next = (columns?: ReadonlyArray<string>): Reply => {
  const chunk: Array<ReadonlyArray<unknown>> = []
  while (chunk.length < chunkSize) {
    const row = rows?.next()
    if (row === undefined || row.done === true) {
      end()
      return { columns, rows: chunk, isLast: true }
    }
    // The rows are arrays already, but the types of Node only know them as objects.
    if (Array.isArray(row.value)) chunk.push(row.value)
  }
  return { columns, rows: chunk, isLast: false }
}

const reply = (request: Request): Reply => {
  try {
    if (request === "next") return next()
    if (request === "end") {
      end()
      return { columns: undefined, rows: [], isLast: true }
    }
    return next(begin(request.sql, request.params, request.bigints))
  } catch (cause) {
    // An iterator that throws, for example for an integer beyond 2^53 - 1, does not end its read transaction. If it cannot
    // be ended, the thread ends with the error, and the next read starts another one.
    end()
    const error = cause instanceof Error ? cause : new Error(String(cause))
    return { error: Object.assign({ message: error.message }, error) }
  }
}

const send = (message: Reply | typeof ready): void => {
  /* oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin. */
  parentPort?.postMessage(message)
}

yieldProcessor()
send(ready)
parentPort?.on("message", (request: Request) => send(reply(request)))
