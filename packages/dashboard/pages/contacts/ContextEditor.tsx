import type { Contact, ContextVariable } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { api } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { Field, Select, TextField } from "../ui/Field.tsx"
import { GuardedDialog } from "../ui/GuardedDialog.tsx"
import { Card, Facts } from "../ui/Page.tsx"
import { Problem, problemOf } from "../ui/Problem.tsx"
import { changesOfRows, type Kind, kindOfVariable, type Row, rowsOf, textOfValue } from "./contextValues.ts"

type ContextName = "custom_context" | "industry_context"

const kinds: { readonly [K in Kind]: string } = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  json: "List or object"
}

/** The variables that the account has defined for contacts. Their values must fit their types. */
const useVariables = () =>
  useQuery({
    queryKey: ["variables", "contact"],
    queryFn: ({ signal }) => api.variables.list({ context_type: "contact" }, { signal }),
    select: ({ variables }) =>
      new Map(variables.filter(({ is_default: isDefault }) => !isDefault).map((one) => [one.name, one]))
  })

const ValueField = ({
  onChange,
  problem,
  row,
  variable
}: {
  readonly row: Row
  readonly variable: ContextVariable | undefined
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}) => {
  const common = { label: "Value", problem, value: row.text }
  const options =
    row.kind === "boolean" ? ["true", "false"] : row.kind === "text" ? (variable?.select_options ?? null) : null
  if (options !== null)
    return (
      <Select {...common} onChange={({ target }) => onChange(target.value)}>
        {!options.includes(row.text) && <option value={row.text}>{row.text === "" ? "Choose" : row.text}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {row.kind === "boolean" ? (option === "true" ? "Yes" : "No") : option}
          </option>
        ))}
      </Select>
    )
  return row.kind === "number" ? (
    <Field {...common} inputMode="decimal" onChange={({ target }) => onChange(target.value)} />
  ) : (
    <TextField
      {...common}
      isFitted
      rows={row.kind === "json" || row.text.length > 60 ? 3 : 1}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

const RowFields = ({
  onChange,
  onRemove,
  position,
  problem,
  row,
  suggestions,
  variable
}: {
  readonly row: Row
  /** The place of the row, counted from 1. */
  readonly position: number
  readonly suggestions: string
  readonly variable: ContextVariable | undefined
  readonly problem: string | undefined
  readonly onChange: (change: Partial<Row>) => void
  readonly onRemove: () => void
}) => (
  <fieldset className="border-line grid gap-3 rounded-md border p-3">
    <legend className="text-muted px-1 text-xs">Value {position}</legend>
    <div className="grid gap-3 sm:grid-cols-2">
      <Field
        label="Name"
        list={suggestions}
        required
        value={row.name}
        hint={variable?.description ?? undefined}
        onChange={({ target: { value } }) => onChange({ name: value })}
      />
      {variable === undefined ? (
        <Select
          label="Kind"
          value={row.kind}
          onChange={({ target: { value } }) => {
            const kind = kindFrom(value)
            onChange({ kind, ...(kind === "boolean" && row.text !== "true" && { text: "false" }) })
          }}
        >
          {Object.entries(kinds).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </Select>
      ) : (
        <div className="grid content-start gap-1">
          <p className="text-sm font-medium">Kind</p>
          <p className="py-1.5">{variable.variable_type === "date" ? "Date" : kinds[row.kind]}, by the variable</p>
        </div>
      )}
    </div>
    <ValueField row={row} variable={variable} problem={problem} onChange={(text) => onChange({ text })} />
    <div>
      <Button aria-label={`Remove ${row.name === "" ? `value ${position}` : row.name}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  </fieldset>
)

const kindFrom = (value: string): Kind =>
  value === "number" || value === "boolean" || value === "json" ? value : "text"

/** Edits the names and values of a context. It sends those that were changed. */
const Edit = ({
  contact,
  name,
  onClose,
  title
}: {
  readonly contact: Contact
  readonly name: ContextName
  readonly title: string
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const suggestions = useId()
  const [before] = useState(contact[name])
  const [rows, setRows] = useState(() => rowsOf(before))
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const variables = useVariables()
  const change = useMutation({
    mutationFn: (values: Contact[ContextName]) => api.contacts.patch(contact.id, { [name]: values }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["contacts"] })
      onClose()
    }
  })
  const { error } = change
  const defined = name === "custom_context" ? variables.data : undefined
  const set = (key: number, next: Partial<Row>) =>
    setRows((all) =>
      all.map((row) => {
        if (row.key !== key) return row
        const variable = next.name === undefined ? undefined : defined?.get(next.name.trim())
        if (variable === undefined) return { ...row, ...next }
        const kind = kindOfVariable(variable)
        return { ...row, ...next, kind, ...(kind === "boolean" && row.text !== "true" && { text: "false" }) }
      })
    )
  return (
    <GuardedDialog
      title={`Change: ${title.toLowerCase()}`}
      isChanged={rows.length !== Object.keys(before).length}
      onClose={onClose}
    >
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const changes = changesOfRows(rows, before)
          setProblems(changes.problems)
          if (changes.problems.size > 0) return
          if (Object.keys(changes.values).length === 0) onClose()
          else change.mutate(changes.values)
        }}
      >
        {defined !== undefined && (
          <datalist id={suggestions}>
            {[...defined.values()].map((variable) => (
              <option key={variable.id} value={variable.name}>
                {variable.display_name}
              </option>
            ))}
          </datalist>
        )}
        {rows.length === 0 && <p className="text-muted">There are no values.</p>}
        {rows.map((row, index) => (
          <RowFields
            key={row.key}
            row={row}
            position={index + 1}
            suggestions={suggestions}
            variable={defined?.get(row.name.trim())}
            problem={problems.get(row.key) ?? problemOf(error, `${name}.${row.name.trim()}`)}
            onChange={(next) => set(row.key, next)}
            onRemove={() => setRows((all) => all.filter(({ key }) => key !== row.key))}
          />
        ))}
        <div>
          <Button
            onClick={() =>
              setRows((all) => [
                ...all,
                { key: Math.max(-1, ...all.map(({ key }) => key)) + 1, name: "", kind: "text", text: "" }
              ])
            }
          >
            Add a value
          </Button>
        </div>
        <Problem error={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={change.isPending}>
            {change.isPending ? "Saving…" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </GuardedDialog>
  )
}

/** A context of a contact: names and values that the account stores for it. */
export const ContextCard = ({
  canEdit,
  contact,
  hint,
  name,
  title
}: {
  readonly contact: Contact
  readonly name: ContextName
  readonly title: string
  readonly hint: string
  readonly canEdit: boolean
}) => {
  const [isOpen, setOpen] = useState(false)
  const entries = Object.entries(contact[name])
  return (
    <Card
      title={title}
      actions={
        canEdit && (
          <Button aria-label={`Change ${title.toLowerCase()}`} onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      {entries.length === 0 ? (
        <p className="text-muted p-4">{hint}</p>
      ) : (
        <Facts
          facts={entries.map(([key, value]) => [
            key,
            <bdi key={key} className="break-words whitespace-pre-wrap">
              {typeof value === "boolean" ? (value ? "Yes" : "No") : textOfValue(value)}
            </bdi>
          ])}
        />
      )}
      {isOpen && <Edit contact={contact} name={name} title={title} onClose={() => setOpen(false)} />}
    </Card>
  )
}
