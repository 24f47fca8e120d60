import type { ValidateFunction } from "ajv/dist/2020.js"
import type { Answer } from "./Client.ts"
import type { Parameter } from "./Description.ts"
import type { FuzzRequest } from "./Requests.ts"
import { json, member } from "./ResponseCheck.ts"
import * as UnstatedRules from "./UnstatedRules.ts"

/** Returns the values of the parameters in the path; null if the path is not that of the operation. */
const pathValues = (path: string, target: string): Readonly<Record<string, string>> | null => {
  const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`)
  const found = pattern.exec(target.split("?", 1)[0] ?? "")
  if (found === null) return null
  try {
    return Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    )
  } catch {
    return null
  }
}

/** Returns the values of the query; null if a name is repeated or a value is not UTF-8. */
const queryValues = (target: string): Readonly<Record<string, string>> | null => {
  const query = target.includes("?") ? target.slice(target.indexOf("?") + 1) : ""
  const entries = [...new URLSearchParams(query)]
  const values = Object.fromEntries(entries)
  return Object.keys(values).length === entries.length && !query.includes("%ED%A0%80") ? values : null
}

/** A whole number as no client writes it, such as `007`. */
const isOddNumber = (text: string): boolean => /^-?0\d+$|^-0$/.test(text)

/** Returns a value of a path or a query in the type of its schema. */
const typed = ({ schema }: Parameter, text: string): unknown => {
  if (schema["type"] === "boolean" && /^(?:true|false)$/.test(text)) return text === "true"
  return schema["type"] === "integer" && /^-?\d+$/.test(text) ? Number(text) : text
}

const isJsonRequest = ({ headers }: FuzzRequest): boolean =>
  headers["content-type"] === "application/json" && (headers["content-encoding"] ?? "identity") === "identity"

// JSON does not allow a byte order mark.
const decoder = new TextDecoder("utf8", { fatal: true, ignoreBOM: true })

const parsed = (body: Buffer | null): unknown => {
  try {
    return body === null || body.length === 0 ? {} : JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}

const problemOf = (where: string, value: unknown, validate: ValidateFunction): ReadonlyArray<string> => {
  if (validate(value)) return []
  const [first] = validate.errors ?? []
  return [`${where}${(first?.instancePath ?? "").replaceAll(/\d+/g, "0")} ${first?.message ?? ""}`]
}

/**
 * Returns what the document refuses in a request: nothing if it permits the request. Returns null for a request that the
 * document does not describe, for example one with another method or with a body that is not JSON.
 */
const refusals = (request: FuzzRequest): ReadonlyArray<string> | null => {
  const { body, headers, method, operation, target } = request
  const inPath = pathValues(operation.path, target)
  const inQuery = queryValues(target)
  const value = parsed(body)
  const hasBody = body !== null && body.length > 0
  const isDescribed = method === operation.method && (!hasBody || (isJsonRequest(request) && operation.body !== null))
  if (!isDescribed || inPath === null || inQuery === null || value === undefined) return null
  if (Object.values({ ...inPath, ...inQuery }).some(isOddNumber)) return null
  const values = { path: inPath, query: inQuery, header: { "Idempotency-Key": headers["idempotency-key"] } }
  const inParameters = operation.parameters.flatMap((parameter) => {
    const text = member(values[parameter.in], parameter.name)
    if (typeof text !== "string") return []
    return problemOf(parameter.name, typed(parameter, text), parameter.validate)
  })
  const isAbsent = operation.body === null || (!hasBody && !operation.body.isRequired)
  return isAbsent ? inParameters : [...inParameters, ...problemOf("body", value, operation.body.validate)]
}

/**
 * Returns the faults of an answer to a request: a 400 to a request that the document permits, unless an unstated rule
 * explains it, and a success of a request that the document refuses. The text of a fault is the same for all requests with
 * the same fault.
 */
export const faults = (request: FuzzRequest, answer: Answer): ReadonlyArray<string> => {
  const refused = refusals(request)
  if (refused === null) return []
  if (answer.status < 300) return refused.map((refusal) => `accepted, though the document refuses it: ${refusal}`)
  if (answer.status !== 400 || refused.length > 0) return []
  const values = { ...pathValues(request.operation.path, request.target), ...queryValues(request.target) }
  return UnstatedRules.unexplained(json(answer), { parameters: values, body: parsed(request.body) }).map(
    (problem) => `400, though the document permits it: ${problem}`
  )
}
