import type { ContextVariable } from "@frontdesk/client"

export type VariableType = ContextVariable["variable_type"]

/** How the types of variables are called. */
export const typeNames: { readonly [Type in VariableType]: string } = {
  text: "Text",
  number: "Number",
  date: "Date",
  boolean: "Yes or no",
  select: "One of a list"
}

/** Returns the type that a form has. */
export const typeOf = (value: unknown): VariableType =>
  value === "number" || value === "date" || value === "boolean" || value === "select" ? value : "text"
