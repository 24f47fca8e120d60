import type { Answer } from "./Client.ts"
import type { FuzzRequest } from "./Requests.ts"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a member of a JSON object; undefined if there is none. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined

/** Returns the parsed body of an answer; undefined if it is not JSON. */
export const json = (answer: Answer): unknown => parsed(answer.text)

/** The error codes for a provider that rejects a request or cannot be reached. They are not faults of the server. */
const providerCodes = new Set(["provider_error", "provider_unavailable"])

/**
 * Returns the faults of an answer. The text of a fault is the same for all requests with the same fault.
 *
 * A 5xx is a fault, except for the error of a provider. A status, an error code or a body that the OpenAPI document does
 * not describe for the operation is a fault too.
 */
export const faults = ({ method, operation, target }: FuzzRequest, answer: Answer): ReadonlyArray<string> => {
  const found: Array<string> = []
  const { headers, status } = answer
  const body = json(answer)
  const code = member(body, "error")
  if (status >= 500 && !(typeof code === "string" && providerCodes.has(code))) found.push(`status ${status}`)
  if (headers["x-request-id"] === undefined) found.push("no X-Request-Id")
  if (method === "HEAD" || method === "OPTIONS") return found

  if (status >= 400) {
    if (typeof code !== "string" || typeof member(body, "message") !== "string") found.push(`error body of ${status}`)
    if (status === 401 && headers["www-authenticate"] === undefined) found.push("401 without WWW-Authenticate")
    if (status === 405 && headers["allow"] === undefined) found.push("405 without Allow")
    if (status === 429 && headers["retry-after"] === undefined) found.push("429 without Retry-After")
  }
  // A changed method or path may lead to another operation, or to none.
  const isOperation = method === operation.method && isDecodable(target) && pathPattern(operation.path).test(target)
  if (!isOperation) return found

  const described = operation.answers.get(status)
  if (described === undefined) return [...found, `status ${status} is not in the document`]
  if (status >= 400 && typeof code === "string" && !described.codes.includes(code))
    found.push(`code ${code} of ${status} is not in the document`)
  if (status < 300 && described.validate !== null && !described.validate(body)) {
    const [first] = described.validate.errors ?? []
    found.push(`body of ${status} differs from the document at ${first?.instancePath ?? ""}: ${first?.message ?? ""}`)
  }
  return found
}

/** Returns whether the decoded path is valid UTF-8. Any other path belongs to no operation. */
const isDecodable = (target: string): boolean => {
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "")
    return true
  } catch {
    return false
  }
}

const pathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}/?(\\?|$)`)
