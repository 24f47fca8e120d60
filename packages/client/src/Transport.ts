import type { RequestOptions } from "./common.ts"
import { type ErrorCode, type ErrorDetail, FrontdeskApiError } from "./FrontdeskApiError.ts"

/** The options of a client. */
export interface ClientOptions {
  /** Where the API is: `https://api.example.com`, with the base path if it has one. */
  readonly baseUrl: string
  /** The API key. It is sent in a header alone. Absent: the program's own headers name the caller. */
  readonly apiKey?: string | undefined
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The function that sends requests. Default: the `fetch` of the runtime. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How long one attempt may take, in milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined
  /** How often a request is sent again after a failure that may pass. Default: 2. */
  readonly retries?: number | undefined
  /** The wait before the first retry, in milliseconds. Each further one is twice as long. Default: 250. */
  readonly retryDelay?: number | undefined
}

/** A request of an operation. */
export interface ApiRequest {
  readonly method: string
  /** The path and query. */
  readonly path: string
  readonly body: unknown
}

/** Sends a request, and returns the body of its answer. */
export type Send = (request: ApiRequest, options: RequestOptions) => Promise<unknown>

/** The longest wait between two attempts, in milliseconds, also when the server asks for a longer one. */
const maxWait = 30_000

/**
 * Returns the wait before the next attempt, in milliseconds: at least `least`, and as long as the header `Retry-After` says, in
 * seconds or as a date. It has a random part, so that many clients do not return at once.
 */
export const waitOf = (least: number, retryAfter: string | null, now: number = Date.now()): number => {
  const seconds = Number(retryAfter ?? 0)
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - now : seconds * 1_000
  return Math.min(Math.max(least, Number.isNaN(asked) ? 0 : asked), maxWait) * (1 + Math.random() / 4)
}

/** Returns the base URL without a slash at its end. Throws for one that `fetch` could not use, or that has more than a path. */
const baseOf = ({ baseUrl, fetch: own }: ClientOptions): string => {
  // A function of the program may take other URLs.
  if (own === undefined && !isBaseUrl(baseUrl)) {
    throw new TypeError(
      "baseUrl: Expected a URL such as https://api.example.com/voice, without a user, a query and a fragment"
    )
  }
  return baseUrl.replace(/\/+$/, "")
}

const isBaseUrl = (text: unknown): boolean => {
  // In a browser a URL may be relative to the page.
  const page: unknown = Reflect.get(globalThis, "location")
  const href = typeof page === "object" && page !== null && "href" in page ? String(page.href) : undefined
  try {
    const { hash, password, protocol, search, username } = new URL(String(text), href)
    return /^https?:$/.test(protocol) && hash + password + search + username === ""
  } catch {
    return false
  }
}

/** Returns the headers of every request. The error for a wrong value does not show it, because it may be the API key. */
const headersOf = ({ apiKey, headers }: ClientOptions): Headers => {
  // A template would send null as a text, and a header would lose a line break at the end.
  if (apiKey !== undefined && !(typeof apiKey === "string" && /^[!-~]+$/.test(apiKey))) {
    throw new TypeError("apiKey: Expected an API key without white space. Leave it out for requests without a key")
  }
  const made = new Headers()
  const all = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers }
  for (const [name, value] of Object.entries(all)) {
    try {
      made.set(name, value)
    } catch {
      throw new TypeError(`The name or the value of the header ${name} has characters that HTTP does not allow`)
    }
  }
  return made
}

/** Returns the function that sends the requests of a client. Throws a `TypeError` for a wrong option. */
export const makeSend = (options: ClientOptions): Send => {
  const { fetch: send = fetch, retries = 2, retryDelay = 250, timeout = 30_000 } = options
  const base = baseOf(options)
  const common = headersOf(options)

  const attempt = async ({ method, path }: ApiRequest, init: RequestInit, signal: AbortSignal | undefined) => {
    const limit = AbortSignal.timeout(timeout)
    try {
      const response = await send(`${base}${path}`, {
        ...init,
        method,
        // A redirect would send the body, and some runtimes the key, to another server.
        redirect: "manual",
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit])
      })
      const text = await response.text()
      return { response, text }
    } catch (cause) {
      signal?.throwIfAborted()
      const code = limit.aborted ? "timeout" : "connection_failed"
      const message =
        code === "timeout"
          ? `${method} ${path}: no answer within ${timeout} ms`
          : `${method} ${path}: the connection failed`
      throw new FrontdeskApiError({ code, message, status: null, retryable: true, cause })
    }
  }

  return async (request, { idempotencyKey, signal }) => {
    const { body, method } = request
    const headers = new Headers({
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(method === "POST" && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() })
    })
    for (const [name, value] of common) headers.set(name, value)
    // Outside the attempts, because the failure of a body that is not JSON must not be taken for one of the connection.
    const init = { headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted()
      let retryAfter: string | null = null
      try {
        const { response, text } = await attempt(request, init, signal)
        if (response.ok) return bodyOf(response, text)
        retryAfter = response.headers.get("retry-after")
        throw errorOf(response, text)
      } catch (error) {
        const isLast = !(retry < retries)
        if (isLast || !(error instanceof FrontdeskApiError) || !mayRepeat(request, error)) throw error
      }
      await sleep(waitOf(retryDelay * 2 ** retry, retryAfter), signal)
    }
  }
}

/**
 * Returns whether a request is sent again. The server executes a POST once for its key. A PUT, PATCH or DELETE whose answer
 * is lost may have been executed, and a repeat would send its webhooks again. A request beyond the rate limit was not.
 */
const mayRepeat = ({ method }: ApiRequest, { code, retryable }: FrontdeskApiError): boolean =>
  code === "rate_limited" || (retryable && (method === "GET" || method === "POST"))

/** Returns the body of an answer: JSON, or the text of a calendar file or of JSON Lines. Throws for another type, such as a page of HTML. */
const bodyOf = (response: Response, text: string): unknown => {
  const type = response.headers.get("content-type")?.toLowerCase() ?? ""
  if (type.startsWith("text/calendar") || type.startsWith("application/x-ndjson")) return text
  if (!type.startsWith("application/json")) throw unexpected(response)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unexpected(response, cause)
  }
}

/** Returns the error of an answer without the form of the API, for example of a proxy. */
const unexpected = (response: Response, cause?: unknown) =>
  new FrontdeskApiError({
    code: "unexpected_answer",
    message: `The answer with status ${response.status} does not come from the API. Check the base URL`,
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    retryable: passing.has(response.status),
    cause
  })

/** The statuses of failures that may pass. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

interface ErrorBody {
  readonly error: ErrorCode
  readonly message: string
  readonly details?: unknown
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === "object" &&
  body !== null &&
  "error" in body &&
  typeof body.error === "string" &&
  "message" in body &&
  typeof body.message === "string"

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof value === "object" && value !== null && "field" in value && "code" in value && "message" in value

const errorOf = (response: Response, text: string): FrontdeskApiError => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    return unexpected(response, cause)
  }
  if (!isErrorBody(body)) return unexpected(response)
  const { error: code, message } = body
  const details = Array.isArray(body.details) ? body.details.filter(isDetail) : []
  return new FrontdeskApiError({
    code,
    message,
    status: response.status,
    details,
    requestId: response.headers.get("x-request-id"),
    retryable: passing.has(response.status) || code === "idempotency_in_progress"
  })
}

const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The reason is whatever the caller gave.
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    signal?.addEventListener("abort", stop, { once: true })
  })
