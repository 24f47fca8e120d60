import type { Contact, ContextVariable } from "@frontdesk/client"

/** The names and values of a context. */
export type ContextValues = Contact["custom_context"]

type Value = ContextValues[string]

/** The kinds of values that the editor knows. A list or an object is edited as JSON. */
export type Kind = "boolean" | "json" | "number" | "text"

/** A name and its value while they are edited. */
export interface Row {
  readonly key: number
  readonly name: string
  readonly kind: Kind
  readonly text: string
}

const kindOf = (value: Value): Kind =>
  typeof value === "string"
    ? "text"
    : typeof value === "number"
      ? "number"
      : typeof value === "boolean"
        ? "boolean"
        : "json"

/** Returns a value as the text that a person reads and edits. */
export const textOfValue = (value: Value): string => (typeof value === "string" ? value : JSON.stringify(value))

export const rowsOf = (values: ContextValues): ReadonlyArray<Row> =>
  Object.entries(values).map(([name, value], key) => ({ key, name, kind: kindOf(value), text: textOfValue(value) }))

/** Returns the kind of a variable's values. A date and an option are texts. */
export const kindOfVariable = ({ variable_type: type }: ContextVariable): Kind =>
  type === "number" || type === "boolean" ? type : "text"

/** The value of a row, or what is wrong with it. */
type Read = { readonly value: Value } | { readonly problem: string }

const parse = (text: string): Read => {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- A text that is JSON has a JSON value.
    const value: Value = JSON.parse(text)
    return { value }
  } catch {
    return { problem: 'This is not JSON. A text needs quotes, as in ["one", 2].' }
  }
}

const valueOf = ({ kind, text }: Row): Read => {
  if (kind === "text") return { value: text }
  if (kind === "boolean") return { value: text === "true" }
  if (kind === "json") return parse(text)
  const number = Number(text)
  return text.trim() === "" || !Number.isFinite(number) ? { problem: "This is not a number." } : { value: number }
}

/** What an editor changes: a null takes a name out. */
export interface Changes {
  readonly values: ContextValues
  /** What is wrong with rows, by their keys. */
  readonly problems: ReadonlyMap<number, string>
}

/** Returns the difference between the rows of an editor and the values that it began with. */
export const changesOfRows = (rows: ReadonlyArray<Row>, before: ContextValues): Changes => {
  const problems = new Map<number, string>()
  const after = new Map<string, Value>()
  for (const row of rows) {
    const name = row.name.trim()
    const read = valueOf(row)
    if (name === "") problems.set(row.key, "The value needs a name.")
    else if (after.has(name)) problems.set(row.key, "This name is given twice.")
    else if ("problem" in read) problems.set(row.key, read.problem)
    else after.set(name, read.value)
  }
  const stored = new Map(Object.entries(before))
  const changed = [...after].filter(
    ([name, value]) => !stored.has(name) || JSON.stringify(stored.get(name)) !== JSON.stringify(value)
  )
  const removed = [...stored.keys()].filter((name) => !after.has(name)).map((name) => [name, null] as const)
  return { values: Object.fromEntries([...changed, ...removed]), problems }
}
