import type { ContextVariable, CreateContactImport } from "@frontdesk/client"
import { labelOf } from "../app/problemWords.ts"
import { Select } from "../ui/Field.tsx"

/** The fields of a contact that a column can fill. */
const fields = [
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
  "stage",
  "team_id",
  "tags",
  "phone_number",
  "phone_type",
  "do_not_call",
  "phone_numbers",
  "custom_context",
  "industry_context"
] as const

/** What the columns of other programs are often called. */
const otherNames: Readonly<Record<string, string>> = {
  cell: "phone_number",
  e_mail: "email",
  e_mail_address: "email",
  email_address: "email",
  firstname: "first_name",
  given_name: "first_name",
  family_name: "last_name",
  lastname: "last_name",
  mail: "email",
  mobile: "phone_number",
  mobile_phone: "phone_number",
  organisation: "company",
  organization: "company",
  phone: "phone_number",
  post_code: "zip_code",
  postal_code: "zip_code",
  postcode: "zip_code",
  province: "state",
  street: "address",
  surname: "last_name",
  telephone: "phone_number",
  url: "website",
  zip: "zip_code"
}

const contextPrefix = "custom_context."

/** The field that each column fills. A column without one is not imported. */
export type Choice = ReadonlyMap<string, string>

/** Returns the columns that can be chosen: each name once, because the API knows a column by its name. */
export const columnsOf = (header: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(header.filter((name) => name !== "" && name.length <= 200))
]

/** Returns the fields that the names of columns suggest. A field is suggested once. */
export const suggest = (columns: ReadonlyArray<string>, variables: ReadonlyArray<ContextVariable>): Choice => {
  const choice = new Map<string, string>()
  const taken = new Set<string>()
  for (const column of columns) {
    const name = column
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.]+/g, "_")
    const known = otherNames[name] ?? name
    const field = fields.find((one) => one === known) ?? contextField(column, name, variables)
    if (field !== undefined && !taken.has(field)) {
      taken.add(field)
      choice.set(column, field)
    }
  }
  return choice
}

const contextField = (column: string, name: string, variables: ReadonlyArray<ContextVariable>): string | undefined =>
  column.startsWith(contextPrefix) && column.length > contextPrefix.length
    ? column
    : variables.some((variable) => variable.name === name)
      ? `${contextPrefix}${name}`
      : undefined

/**
 * Returns the columns as the API takes them. None when the file has the names of fields in all of its columns that are chosen, so
 * that a file may also have several columns with one name.
 */
export const mappingOf = (header: ReadonlyArray<string>, choice: Choice): Pick<CreateContactImport, "columns"> => {
  const isExported = header.every((name) => {
    const field = choice.get(name)
    return field === name || (field === undefined && !fields.some((one) => one === name))
  })
  return isExported ? {} : { columns: [...choice].map(([column, field]) => ({ column, field })) }
}

/** For each column of a file, the choice of the field that it fills. */
export const ColumnChoice = ({
  choice,
  columns,
  onChange,
  problem,
  variables
}: {
  readonly columns: ReadonlyArray<string>
  readonly choice: Choice
  readonly variables: ReadonlyArray<ContextVariable>
  readonly onChange: (choice: Choice) => void
  readonly problem: string | undefined
}) => {
  const contexts = new Set([
    ...variables.map(({ name }) => `${contextPrefix}${name}`),
    ...[...choice.values()].filter((field) => field.startsWith(contextPrefix))
  ])
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Which column is which field?</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {columns.map((column) => (
          <Select
            key={column}
            label={column}
            value={choice.get(column) ?? ""}
            onChange={({ target: { value } }) => {
              const next = new Map(choice)
              if (value === "") next.delete(column)
              else next.set(column, value)
              onChange(next)
            }}
          >
            <option value="">Not imported</option>
            {fields.map((field) => (
              <option key={field} value={field}>
                {labelOf(field)}
              </option>
            ))}
            {[...contexts].map((field) => (
              <option key={field} value={field}>
                {`Own value: ${field.slice(contextPrefix.length)}`}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {choice.size === 0 && <p className="text-bad text-sm">Choose a field for at least one column.</p>}
      {problem !== undefined && <p className="text-bad text-sm">{problem}</p>}
    </fieldset>
  )
}
