import type { Outgoing } from "../Service.ts"

/** Returns an error of Retell. */
export const error = (status: number, message: string): Outgoing => ({ status, body: { status: "error", message } })

/** The answer to a wrong API key. */
export const unauthorized = error(401, "API key is missing or invalid.")

/** The answer about something that does not exist. */
export const notFound = error(404, "The requested resource was not found.")

/** The answer to too many requests. */
export const limited = error(429, "Account rate limited, please throttle your requests.")

/** The answer when Retell itself fails. */
export const failed = error(500, "An unexpected server error occurred.")
