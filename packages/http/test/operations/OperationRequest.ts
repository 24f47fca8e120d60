/** A kind of record that a path or a body names by an id. */
export type Kind =
  | "agent"
  | "contact"
  | "phoneNumber"
  | "event"
  | "call"
  | "variable"
  | "webhook"
  | "delivery"
  | "apiKey"
  | "task"
  | "contactImport"
  | "member"
  | "session"
  | "link"

/** The values from which a request is made. */
export interface Target {
  readonly ids: { readonly [K in Kind]: string }
  readonly teams: ReadonlyArray<number>
  /** A number that makes the requests of an operation differ. */
  readonly n: number
  /** The position of the agent among all agents. Unlike its id, it is the same in every installation. */
  readonly agent: number
}

/** A request of an operation. */
export interface OperationRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  /** The kind of record that it creates. The answer has its id. */
  readonly makes?: Kind
  /** The kinds of records in its path. For a record that the caller cannot see, the answer is that of an absent id. */
  readonly names?: ReadonlyArray<Kind>
}

/** The beginning of the paths. */
export const v1 = "/api/v1"

/** Returns the team of a request, or null. */
export const team = ({ n, teams }: Target) => (n % 3 === 0 ? null : teams[n % teams.length])
