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

/** Returns the function that sends the requests of a client. */
export const makeSend = (options: ClientOptions): Send => {
  const { apiKey, baseUrl, fetch: send = fetch, headers, retries = 2, retryDelay = 250, timeout = 30_000 } = options
  const base = baseUrl.replace(/\/+$/, "")

  const attempt = async (request: ApiRequest, key: string | undefined, signal: AbortSignal | undefined) => {
    const { body, method, path } = request
    const limit = AbortSignal.timeout(timeout)
    try {
      const response = await send(`${base}${path}`, {
        method,
        // A redirect would send the body, and some runtimes the key, to another server.
        redirect: "manual",
        headers: {
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
          ...headers
        },
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        ...(body !== undefined && { body: JSON.stringify(body) })
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
    const key = request.method === "POST" ? (idempotencyKey ?? crypto.randomUUID()) : undefined
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted()
      let retryAfter: string | null = null
      try {
        const { response, text } = await attempt(request, key, signal)
        if (response.ok) return bodyOf(response, text)
        retryAfter = response.headers.get("retry-after")
        throw errorOf(response, text)
      } catch (error) {
        if (retry >= retries || !(error instanceof FrontdeskApiError) || !mayRepeat(request, error)) throw error
      }
      await sleep(waitOf(retryDelay * 2 ** retry, retryAfter), signal)
    }
  }
}

/**
 * Returns whether a request is sent again. The server executes a POST once for its key. A PUT, PATCH or DELETE whose answer is lost may have been executed, and a repeat
 * would send its webhooks again. A request beyond the rate limit was not.
 */
const mayRepeat = ({ method }: ApiRequest, { code, retryable }: FrontdeskApiError): boolean =>
  code === "rate_limited" || (retryable && (method === "GET" || method === "POST"))

const isJson = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("application/json") === true

const bodyOf = (response: Response, text: string): unknown => {
  if (!isJson(response)) return text
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
  readonly details?: ReadonlyArray<ErrorDetail>
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === "object" &&
  body !== null &&
  "error" in body &&
  typeof body.error === "string" &&
  "message" in body &&
  typeof body.message === "string"

const errorOf = (response: Response, text: string): FrontdeskApiError => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    return unexpected(response, cause)
  }
  if (!isErrorBody(body)) return unexpected(response)
  const { details = [], error: code, message } = body
  return new FrontdeskApiError({
    code,
    message: details.length === 1 && details[0] !== undefined ? `${details[0].field}: ${details[0].message}` : message,
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
