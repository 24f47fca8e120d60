import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Contact } from "../contact/Contact.ts"
import { CreateContact } from "../contact/ContactInput.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as IsoText from "../values/IsoText.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import * as Wire from "../values/Wire.ts"
import * as Csv from "./Csv.ts"

/** The fields of a contact that have one text each. */
const texts = [
  "first_name",
  "last_name",
  "email",
  "company",
  "website",
  "address",
  "city",
  "state",
  "zip_code",
  "country",
  "status",
  "stage"
] as const

/** The fields that several columns may fill, so that a line can have several numbers. */
const repeatable: ReadonlySet<string> = new Set(["phone_number", "phone_type", "do_not_call"])

const fieldNames = [
  ...texts,
  "team_id",
  "tags",
  "phone_number",
  "phone_type",
  "do_not_call",
  "phone_numbers",
  "custom_context",
  "industry_context"
] as const

/** The prefix of a field that is one value of the custom context: `custom_context.plan`. */
const contextPrefix = "custom_context."

/** The maximum length of a field's name. */
const maxFieldLength = 200

const isFieldName = (name: string): boolean =>
  fieldNames.some((known) => known === name) || /^custom_context\.[^\0\n\r\u2028\u2029]+$/u.test(name)

/** A field of a contact that a column fills (D-IMP-3). */
export const ImportField = Schema.String.check(
  Schema.isMaxLength(maxFieldLength),
  Schema.makeFilter(isFieldName, {
    description: `one of ${fieldNames.join(", ")}, or ${contextPrefix} followed by a name`,
    toJsonSchema: () => ({ pattern: String.raw`^(?:${fieldNames.join("|")}|custom_context\..+)$` })
  })
)

/** Returns whether each field occurs once, except for those that several columns may fill. */
export const areUnambiguous = (fields: ReadonlyArray<string>): boolean => {
  const single = fields.filter((field) => !repeatable.has(field))
  return new Set(single).size === single.length
}

/** The columns of an exported file, in their order. An import without a mapping reads those that are fields. */
export const exportedColumns: ReadonlyArray<string> = [
  "id",
  ...texts,
  "team_id",
  "tags",
  "phone_number",
  "phone_numbers",
  "custom_context",
  "industry_context",
  "last_call_date",
  "created_at",
  "updated_at"
]

/** Returns the fields of a header without a mapping: each column that has the name of a field fills it. */
export const fieldsOfHeader = (header: ReadonlyArray<string>): ReadonlyArray<string | null> =>
  header.map((name) => (isFieldName(name) && name.length <= maxFieldLength ? name : null))

const Tags = Schema.fromJsonString(Schema.Array(Schema.String))

/** Returns tags as one cell: separated by semicolons where that can be read back, and otherwise as a JSON array. */
const tagsCell = (tags: ReadonlyArray<string>): string | null => {
  if (tags.length === 0) return null
  const isPlain = tags.every((tag) => !tag.includes(";") && tag.trim() === tag) && !tags[0]?.startsWith("[")
  return isPlain ? tags.join(";") : JSON.stringify(tags)
}

const tagsOf = (cell: string): ReadonlyArray<string> =>
  Result.getOrElse(Schema.decodeResult(Tags)(cell), () =>
    cell
      .split(";")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "")
  )

const contextCell = (context: Contact["customContext"]): string | null =>
  Object.keys(context).length === 0 ? null : JSON.stringify(context)

/** Returns a contact as one line of an exported file. */
export const toLine = (contact: Contact): string => {
  const numbers = contact.phoneNumbers.map(({ doNotCall, phoneNumber, phoneType, primary }) => ({
    phone_number: phoneNumber,
    ...(phoneType === null ? {} : { phone_type: phoneType }),
    ...(primary ? { primary } : {}),
    ...(doNotCall ? { do_not_call: doNotCall } : {})
  }))
  return Csv.write([
    String(contact.id),
    contact.firstName,
    contact.lastName,
    contact.email,
    contact.company,
    contact.website,
    contact.address,
    contact.city,
    contact.state,
    contact.zipCode,
    contact.country,
    contact.status,
    contact.stage,
    contact.team === null ? null : String(contact.team.id),
    tagsCell(contact.tags),
    contact.phoneNumbers.find(({ primary }) => primary)?.phoneNumber ?? null,
    numbers.length === 0 ? null : JSON.stringify(numbers),
    contextCell(contact.customContext),
    contextCell(contact.industryContext),
    contact.lastCallDate === null ? null : IsoText.format(contact.lastCallDate),
    IsoText.format(contact.createdAt),
    IsoText.format(contact.updatedAt)
  ])
}

const decodeContact = Schema.decodeUnknownResult(Wire.snakeCase(CreateContact))

const json = (cell: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(cell)),
    () => cell
  )

const yes: ReadonlySet<string> = new Set(["true", "yes", "1"])
const no: ReadonlySet<string> = new Set(["false", "no", "0"])

// Any other text stays, so that the schema of a contact refuses it.
const flagOf = (cell: string): boolean | string => {
  const word = cell.trim().toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : cell
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns a number without `do_not_call: false`. A file may be older than a person's wish not to be called, so an import
 * removes no number from the do-not-call list (D-IMP-6).
 */
const withoutPermit = (entry: unknown): unknown =>
  isRecord(entry) && entry["do_not_call"] === false
    ? Object.fromEntries(Object.entries(entry).filter(([name]) => name !== "do_not_call"))
    : entry

/**
 * Returns the contact that a line describes, or the problems of its cells. A cell without text is absent, also when it has
 * quotes. The apostrophe of `Csv.escape` is removed from each cell.
 *
 * @param fields the field of each column, or null for a column that is not imported
 */
export const toContact = (
  fields: ReadonlyArray<string | null>,
  { cells, isMalformed }: Csv.CsvRecord
): Result.Result<CreateContact, ReadonlyArray<FieldProblem>> => {
  if (isMalformed)
    return Result.fail([{ field: "", code: "malformed", message: "A quoted cell does not end properly" }])
  if (cells.length > fields.length) {
    const message = `Expected at most ${fields.length} cells, as in the first line`
    return Result.fail([{ field: "", code: "malformed", message }])
  }
  const values = new Map<string, Array<string>>()
  cells.forEach((cell, index) => {
    const field = fields[index]
    if (field === null || field === undefined || (cell === "" && !repeatable.has(field))) return
    values.set(field, [...(values.get(field) ?? []), Csv.unescape(cell)])
  })
  return Result.mapError(decodeContact(inputOf(values), { errors: "all" }), ({ issue }) =>
    FieldProblems.fromIssue(issue)
  )
}

const inputOf = (values: ReadonlyMap<string, ReadonlyArray<string>>): Readonly<Record<string, unknown>> => {
  const input: Record<string, unknown> = {}
  for (const field of texts) {
    const value = values.get(field)?.[0]
    if (value !== undefined) input[field] = field === "email" ? value.trim() : value
  }
  const team = values.get("team_id")?.[0]
  if (team !== undefined) input["team_id"] = /^\d{1,15}$/.test(team.trim()) ? Number(team) : team
  const tags = values.get("tags")?.[0]
  if (tags !== undefined) input["tags"] = tagsOf(tags)
  const numbers = numbersOf(values)
  if (numbers !== undefined) input["phone_numbers"] = numbers
  const industry = values.get("industry_context")?.[0]
  if (industry !== undefined) input["industry_context"] = json(industry)
  const custom = customContextOf(values)
  if (custom !== undefined) input["custom_context"] = custom
  return input
}

const customContextOf = (values: ReadonlyMap<string, ReadonlyArray<string>>): unknown => {
  const whole = values.get("custom_context")?.[0]
  const single = [...values].flatMap(([field, [value]]) =>
    field.startsWith(contextPrefix) ? [[field.slice(contextPrefix.length), value] as const] : []
  )
  if (whole === undefined) return single.length === 0 ? undefined : Object.fromEntries(single)
  const context = json(whole)
  return isRecord(context) ? Object.fromEntries([...Object.entries(context), ...single]) : context
}

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Returns the number without the characters that people write between its digits. */
const plainNumber = (cell: string): string => cell.replace(/[\s().\-/]/g, "")

const numbersOf = (values: ReadonlyMap<string, ReadonlyArray<string>>): unknown => {
  const whole = values.get("phone_numbers")?.[0]
  const listed = whole === undefined ? [] : json(whole)
  if (!isList(listed)) return listed
  const known = new Set(listed.map((entry) => (isRecord(entry) ? entry["phone_number"] : undefined)))
  const types = values.get("phone_type") ?? []
  const flags = values.get("do_not_call") ?? []
  const single = (values.get("phone_number") ?? []).flatMap((cell, index) => {
    const phoneNumber = plainNumber(cell)
    if (phoneNumber === "" || known.has(phoneNumber)) return []
    const [type = "", flag = ""] = [types[index], flags[index]]
    return [
      {
        phone_number: phoneNumber,
        ...(type === "" ? {} : { phone_type: type }),
        ...(flag === "" ? {} : { do_not_call: flagOf(flag) })
      }
    ]
  })
  const all = [...listed, ...single].map(withoutPermit)
  return all.length === 0 ? undefined : all
}
