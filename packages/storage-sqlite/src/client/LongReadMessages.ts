import type { SQLInputValue } from "node:sqlite"

/** What a thread needs to open its connection. */
export interface ThreadOptions {
  readonly filename: string
  /** How long a read waits for a lock, in milliseconds. */
  readonly busyTimeout: number
}

/** The first message of a thread, after it has opened its connection. */
export const ready = "ready"

/** A message to a thread: a new read, or what to do with the rest of the one before. Each is answered by one {@link Reply}. */
export type Request =
  | {
      readonly sql: string
      readonly params: ReadonlyArray<SQLInputValue>
      /** Whether integers are read as `bigint`. */
      readonly bigints: boolean
    }
  | "next"
  | "end"

/** A message of a thread: the next rows as arrays of values, or the error of SQLite. */
export type Reply =
  | {
      /** The names of the columns, in the first reply of a read. */
      readonly columns: ReadonlyArray<string> | undefined
      readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
      readonly isLast: boolean
    }
  | { readonly error: { readonly message: string } }
