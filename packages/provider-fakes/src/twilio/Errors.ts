import type { Outgoing } from "../Service.ts"

const statuses: Readonly<Record<number, number>> = { 20003: 401, 20404: 404, 20429: 429, 20500: 500 }

const messages: Readonly<Record<number, string>> = {
  20003: "Authenticate",
  20404: "The requested resource was not found",
  20429: "Too Many Requests",
  20500: "An internal server error has occurred",
  21201: "No 'To' number is specified",
  21205: "Url is not a valid URL",
  21210: "The source phone number provided is not yet verified for your account",
  21212: "The source phone number provided is not valid",
  21214: "The phone number you are attempting to call cannot be reached",
  21215: "Account not authorized to call this number",
  21216: "Account not allowed to call this number",
  21217: "The phone number does not appear to be valid",
  21220: "Call is not in-progress. Cannot redirect."
}

/** Returns the answer with one of Twilio's errors. */
export const error = (code: number): Outgoing => {
  const status = statuses[code] ?? 400
  const message = messages[code] ?? "Bad Request"
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } }
}
