import type * as Schema from "effect/Schema"
import type { JsonFields } from "../wire/Json.ts"

/**
 * What a tool returns: a JSON object with a line that a voice can read, and data beside it. A tool that fails has the code
 * of the failure in `error`.
 */
export interface Answer {
  /** One line of plain words. */
  readonly say: string
  /** The code of a failure. Absent when the tool did what it was asked for. */
  readonly error?: string
  readonly [field: string]: Schema.Json | undefined
}

/** The codes of failures that this package itself answers with. Runners add their own, such as `slot_unavailable`. */
export const codes = {
  /** The arguments do not match the tool's schema. `details` has the fields. */
  invalidArguments: "validation_error",
  /** The toolbox does not list a tool of that name. */
  unknownTool: "unknown_tool",
  /** The tool did not answer in time. It may have done its work. */
  timeout: "timeout",
  /** The tool failed with a defect, which is in the log. */
  serverError: "server_error",
  /** One message has more tool calls than its maximum. */
  tooManyCalls: "too_many_calls"
} as const

/** Returns whether the tool broke down. A refusal, such as a slot that is taken, is not a breakdown. */
export const isBreakdown = ({ error }: Answer): boolean => error === codes.timeout || error === codes.serverError

/** Returns the text as one line, without control characters. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

/** Returns the answer as a JSON object: `say` first, on one line, and without the fields that are undefined. */
export const toJson = ({ say, ...rest }: Answer): JsonFields & Answer => {
  const fields: Record<string, Schema.Json> = {}
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) fields[name] = value
  return { say: oneLine(say), ...fields }
}

/** Returns the answer as one line of JSON, `say` first. */
export const toLine = (answer: Answer): string => JSON.stringify(toJson(answer))
