/** A request that a mount answers. */
export interface Incoming {
  readonly request: Request
  /** The request of the framework. */
  readonly source: unknown
  /** The address of the client, where it is known. */
  readonly remoteAddress: string | undefined
  /** Whether the body of the response may be compressed, if the client accepts it. Default: true. */
  readonly mayCompress?: boolean | undefined
}

/** Returns the response to a request. It never rejects. */
export type Respond = (incoming: Incoming) => Promise<Response>

/** Returns whether a path is below the base path of a mount. */
export const isBelow = (basePath: string, url: string): boolean =>
  basePath === "" ||
  (url.startsWith(basePath) && (url.length === basePath.length || "/?#".includes(url.charAt(basePath.length))))

const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** The parts of a request. */
export interface RequestParts {
  readonly method: string
  readonly headers: Headers
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined
  readonly signal: AbortSignal
}

/** Returns a request with this body, if its method may have one. */
export const requestOf = (url: string, { body, ...parts }: RequestParts): Request =>
  new Request(url, body === undefined || withoutBody.has(parts.method) ? parts : { ...parts, body, duplex: "half" })

/** Returns the response to a request that could not be answered, in the form of the API's errors. */
export const failure = (status: number, error: string, message: string): Response =>
  new Response(JSON.stringify({ error, message }), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" }
  })
