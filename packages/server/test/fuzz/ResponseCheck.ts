import type { Answer } from "./Client.ts"
import type { FuzzRequest } from "./Requests.ts"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member of a JSON object; undefined when there is none. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined

/** The JSON of an answer; undefined when it is none. */
export const json = (answer: Answer): unknown => parsed(answer.text)

/** What a provider that refuses or is away is answered with: no fault of the server. */
const providerCodes = new Set(["provider_error", "provider_unavailable"])

/**
 * Returns what is wrong with an answer, each in a few words that are the same for each request with the same fault.
 *
 * No answer is a 5xx but for a provider's refusal; a status and an error code are among those that the OpenAPI document
 * names for the operation; a body is what the document says.
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

/** Whether the path is valid UTF-8 behind its escapes; one that is not leads to no operation. */
const isDecodable = (target: string): boolean => {
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "")
    return true
  } catch {
    return false
  }
}

const pathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}/?(\\?|$)`)
