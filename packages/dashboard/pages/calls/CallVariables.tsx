import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { nameInTemplates } from "../variables/template.ts"

/** A variable of a call while it is written. */
export interface VariableRow {
  readonly key: number
  readonly name: string
  readonly value: string
}

/** Returns the variables of rows, as the API takes them. A row without a name and a value counts as none. */
export const variablesOf = (rows: ReadonlyArray<VariableRow>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows.filter(({ name, value }) => name.trim() !== "" || value !== "").map(({ name, value }) => [name.trim(), value])
  )

/** The values that one call has in addition to those of its contact and of the business. */
export const CallVariables = ({
  error,
  onChange,
  rows
}: {
  readonly rows: ReadonlyArray<VariableRow>
  readonly error: unknown
  readonly onChange: (rows: ReadonlyArray<VariableRow>) => void
}) => {
  const { can } = useSession()
  const names = useId()
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: ({ signal }) => api.variables.list({}, { signal }),
    enabled: can("can_read_contacts") && rows.length > 0
  })
  const known = variables.data?.variables ?? []
  const set = (key: number, change: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-semibold">Values for this call</legend>
      <p className="text-muted text-xs">
        They take the place of the values of the contact and of the business with the same name.
      </p>
      <datalist id={names}>
        {known.map((variable) => (
          <option key={variable.id} value={nameInTemplates(variable)}>
            {variable.display_name}
          </option>
        ))}
      </datalist>
      {rows.map(({ key, name, value }, index) => {
        const position = index + 1
        const hint = known.find((variable) => nameInTemplates(variable) === name.trim())?.display_name
        return (
          <div key={key} className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
            <Field
              label={`Name ${position}`}
              list={names}
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={name}
              hint={hint}
              problem={problemOf(error, `variables.${name.trim()}`)}
              onChange={({ target }) => set(key, { name: target.value })}
            />
            <Field
              label={`Value ${position}`}
              maxLength={1_000}
              value={value}
              onChange={({ target }) => set(key, { value: target.value })}
            />
            <Button
              className="sm:mt-6"
              aria-label={`Remove ${name === "" ? `value ${position}` : name}`}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            >
              Remove
            </Button>
          </div>
        )
      })}
      <div>
        <Button
          onClick={() =>
            onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: "", value: "" }])
          }
        >
          Add a value
        </Button>
      </div>
    </fieldset>
  )
}
