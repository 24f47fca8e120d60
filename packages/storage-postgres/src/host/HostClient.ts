/** Returns the parser of the values of a type: by its OID, for the text format. */
export type GetTypeParser = (oid: number, format?: "text" | "binary") => (value: string) => unknown

/** A statement as node-postgres takes it. */
export interface HostStatement {
  readonly text: string
  readonly values: Array<unknown>
  readonly rowMode: "array"
  readonly types: { readonly getTypeParser: GetTypeParser }
}

/** The result of a statement. For a text with several statements it is an array of results. */
export interface HostResult {
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  readonly fields: ReadonlyArray<{ readonly name: string }>
  readonly command: string
}

/** A connection of the host: a `Client` or `PoolClient` of node-postgres, version 8. */
export interface HostClient {
  query(statement: HostStatement): Promise<HostResult>
}

/** A connection that was taken from a {@link HostPool}. */
export interface HostPoolClient extends HostClient {
  /** Returns the connection to its pool. With an argument that is true, the pool closes it. */
  release(destroy?: boolean): void
  on(event: "error", listener: (error: Error) => void): unknown
  off(event: "error", listener: (error: Error) => void): unknown
}

/** A pool of the host: a `Pool` of node-postgres, version 8. */
export interface HostPool {
  connect(): Promise<HostPoolClient>
}
