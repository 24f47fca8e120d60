import type { ApiErrorCode } from "./generated/types.ts"

/** The code of an error: one of the API, or `connection_failed`, `timeout` or `unexpected_answer` when the API has not answered. */
export type ErrorCode = ApiErrorCode | "connection_failed" | "timeout" | "unexpected_answer"

/** One invalid field of a request, or with the code `free_time` a time that could be booked instead. */
export interface ErrorDetail {
  readonly field: string
  readonly code: string
  readonly message: string
  /** The start of the free time. */
  readonly start?: string
  /** The end of the free time. */
  readonly end?: string
}

/** The parts of a {@link FrontdeskApiError}. */
export interface ErrorParts {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number | null
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly requestId?: string | null
  readonly retryable: boolean
  readonly cause?: unknown
}

/** The error with which every operation rejects. It never contains the API key. */
export class FrontdeskApiError extends Error {
  readonly code: ErrorCode
  /** The HTTP status, or null without an answer. */
  readonly status: number | null
  /** The invalid fields of the request, or the free times that are nearest to the one that it asked for. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** The `X-Request-Id` of the answer, which the server's log has too. */
  readonly requestId: string | null
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean

  constructor({ cause, code, details = [], message, requestId = null, retryable, status }: ErrorParts) {
    super(message, { cause })
    this.name = "FrontdeskApiError"
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryable = retryable
  }
}
