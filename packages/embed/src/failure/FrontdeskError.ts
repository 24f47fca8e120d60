import type { ErrorCode } from "@frontdesk/http/ErrorCode"

export type { ErrorCode } from "@frontdesk/http/ErrorCode"

/** One invalid field of the input. */
export interface ErrorDetail {
  /** The path of the field in the caller's names: `phoneNumbers[1].phoneNumber`. */
  readonly field: string
  /** `missing`, `invalid_type`, `invalid_value`, `too_many`, `too_large`, `undefined` or `free_time`. */
  readonly code: string
  /** What was expected. It never contains the value. */
  readonly message: string
  /** The start of a free time, with the code `free_time`. */
  readonly start?: string
  /** The end of a free time, with the code `free_time`. */
  readonly end?: string
}

/** The parts of a {@link FrontdeskError}. */
export interface ErrorParts {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  readonly details: ReadonlyArray<ErrorDetail>
  readonly retryable: boolean
  readonly cause: unknown
}

const brand = Symbol.for("@frontdesk/embed/FrontdeskError")

/** The error with which every method of Frontdesk rejects. */
export class FrontdeskError extends Error {
  /** The code of the API's table of errors (docs/errors.md), such as `not_found`. */
  readonly code: ErrorCode
  /** The HTTP status that the API answers with for the code. */
  readonly status: number
  /** The invalid fields of the input. Empty for an error of another kind. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean

  constructor({ cause, code, details, message, retryable, status }: ErrorParts) {
    super(message, { cause })
    this.name = "FrontdeskError"
    this.code = code
    this.status = status
    this.details = details
    this.retryable = retryable
    // Not enumerable, so that a log of the error does not show it.
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Returns whether a value is a {@link FrontdeskError}, of this code if one is given. Works across copies of the package. */
export const isFrontdeskError = (error: unknown, code?: ErrorCode): error is FrontdeskError =>
  error instanceof Error && brand in error && (code === undefined || ("code" in error && error.code === code))
