import type { BusinessContext, Contact } from "@frontdesk/client"

type Value = Contact["custom_context"][string]

/** Returns the value of a name, or null when it has none. */
export type Lookup = (name: string) => Value

/** A piece of a template: text as it is, the value of a name, or a name that has no value. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly name: string; readonly text: string }
  | { readonly kind: "missing"; readonly name: string }

const businessPrefix = "business_"

// The rules are those of the server: a name is any text on one line without braces, and white space around it is ignored.
const placeholder = /\{\{([^{}\r\n]+)\}\}/g

/**
 * Returns the pieces of a template, in their order. Each `{{name}}` is replaced once: a name inside of a value stays as it is.
 */
export const piecesOf = (template: string, lookup: Lookup): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let end = 0
  const text = (from: number, to: number) => {
    if (to > from) pieces.push({ kind: "text", text: template.slice(from, to) })
  }
  for (const { 0: whole, 1: inner = "", index } of template.matchAll(placeholder)) {
    const name = inner.trim()
    // Braces around nothing are text.
    if (name === "") continue
    text(end, index)
    end = index + whole.length
    const value = lookup(name)
    pieces.push(
      value === null
        ? { kind: "missing", name }
        : { kind: "value", name, text: typeof value === "string" ? value : JSON.stringify(value) }
    )
  }
  text(end, template.length)
  return pieces
}

/** Returns the default variables of a contact. The phone number is the primary one. */
const fieldsOf = (contact: Contact): Readonly<Record<string, Value>> => ({
  first_name: contact.first_name,
  last_name: contact.last_name,
  full_name: contact.full_name || null,
  email: contact.email,
  phone_number: contact.phone_numbers.find(({ primary }) => primary)?.phone_number ?? null,
  company: contact.company,
  website: contact.website,
  address: contact.address,
  city: contact.city,
  state: contact.state,
  zip_code: contact.zip_code,
  country: contact.country
})

// A variable may be named `constructor`, which every object inherits.
const own = (values: Readonly<Record<string, Value>>, name: string): Value =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null

/**
 * Returns how a call finds the value of a name: in the own values of the contact, then in its fields, and under `business_` in the
 * business context.
 */
export const lookupIn =
  (contact: Contact | null, business: BusinessContext["variables"]): Lookup =>
  (name) =>
    (contact === null ? null : (own(contact.custom_context, name) ?? own(fieldsOf(contact), name))) ??
    (name.startsWith(businessPrefix) ? own(business, name.slice(businessPrefix.length)) : null)

type Named = {
  readonly context_type: "business" | "contact"
  readonly name: string
}

/** Returns the name of a variable in templates and in the variables of a call. */
export const nameInTemplates = ({ context_type: context, name }: Named): string =>
  `${context === "business" ? businessPrefix : ""}${name}`

/** Returns a variable as a template names it. */
export const placeholderOf = (variable: Named): string => `{{${nameInTemplates(variable)}}}`
