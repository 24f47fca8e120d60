import type { Json } from "@frontdesk/client"
import { titleOf } from "../agents/agentTools.ts"
import { type Formats, words } from "../ui/formats.ts"

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const isClock = (value: Json | undefined): boolean => typeof value === "string" && /^\d\d:\d\d$/.test(value)

/** Returns whether a value is a span of working hours: the times at which it begins and ends. */
const isSpan = (value: ReadonlyArray<Json>): boolean => value.length === 2 && value.every(isClock)

/** Returns the tools that an agent may use as a person reads them. */
const toolsOf = (allowed: Json): string => {
  if (!isList(allowed)) return "every tool"
  const titles = allowed.filter((name) => typeof name === "string").map(titleOf)
  return titles.join(", ") || "no tool"
}

/** Returns the value of a field as a person reads it. An empty value is an empty text. */
export const valueOf = (field: string, value: Json, formats: Formats): string =>
  field === "allowed_tools" ? toolsOf(value) : textOf(value, formats)

/** Returns a value of the audit log as a person reads it. An empty value is an empty text. */
const textOf = (value: Json, formats: Formats): string => {
  if (value === null) return ""
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") return String(value)
  if (typeof value === "string")
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) ? formats.time(value) : value
  const inner = (part: Json): string => textOf(part, formats) || "none"
  if (isList(value)) return value.map(inner).join(isSpan(value) ? "–" : ", ")
  return Object.entries(value)
    .map(([name, part]) => `${words(name)} ${inner(part)}`)
    .join("; ")
}
