import type { SQLInputValue } from "node:sqlite"

/** A statement of an answer, with its parameters. */
export interface Executed {
  readonly sql: string
  readonly params: ReadonlyArray<SQLInputValue>
  readonly returnsRows: boolean
}

/** An answer of Frontdesk, and the statements that it executed for it. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly statements: ReadonlyArray<Executed>
}
