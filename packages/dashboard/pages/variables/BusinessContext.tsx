import type { BusinessContextSet, ContextVariable } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { Field, Select, TextField } from "../ui/Field.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { Card, Facts } from "../ui/Page.tsx"
import { Problem, problemOf } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { useUnsaved } from "../ui/Unsaved.tsx"

/** The values of the business. */
export const useBusinessContext = () =>
  useQuery({ queryKey: ["business-context"], queryFn: ({ signal }) => api.businessContext.get({ signal }) })

type Values = BusinessContextSet["variables"]
type Value = Values[string]

const textOfValue = (value: Value | undefined): string => (value === undefined || value === null ? "" : String(value))

/** Returns how many lines a field has for a text in a browser that does not fit it by itself. */
const rowsOf = (text: string): number =>
  Math.min(
    8,
    text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 50)), 0)
  )

/** Returns a value as a person reads it. */
const shown = (value: Value | undefined): string =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : textOfValue(value) || "–"

/**
 * Returns the definitions by their names. The own definition of a name counts before that of a team, and comes with the same name,
 * so a name is shown once.
 */
const namesOf = (variables: ReadonlyArray<ContextVariable>): ReadonlyArray<ContextVariable> =>
  [...new Map(variables.toReversed().map((variable) => [variable.name, variable])).values()].toReversed()

/** Returns what a form changes. A field without text takes the value out. */
const changesOf = (form: FormData, variables: ReadonlyArray<ContextVariable>, before: Values): Values =>
  Object.fromEntries(
    variables.flatMap(({ name }): ReadonlyArray<readonly [string, Value]> => {
      const after = rawTextIn(form, name)
      const stored = textOfValue(before[name]).replaceAll("\r\n", "\n")
      // The server reads a text as the type of the variable has it.
      return after === stored ? [] : [[name, after === "" ? null : after]]
    })
  )

/** A field for a value, as its type needs it. */
const ValueField = ({
  error,
  value,
  variable
}: {
  readonly variable: ContextVariable
  readonly value: Value | undefined
  readonly error: unknown
}) => {
  const { description, display_name: label, name, select_options: options, variable_type: type } = variable
  const common = {
    label,
    name,
    defaultValue: textOfValue(value),
    hint: description ?? undefined,
    problem: problemOf(error, `variables.${name}`) ?? problemOf(error, name)
  }
  const choices =
    type === "boolean"
      ? [
          { value: "true", text: "Yes" },
          { value: "false", text: "No" }
        ]
      : type === "select"
        ? (options ?? []).map((option) => ({ value: option, text: option }))
        : null
  if (choices === null)
    return type === "text" ? (
      <TextField {...common} isFitted rows={rowsOf(textOfValue(value))} />
    ) : (
      <Field
        {...common}
        inputMode={type === "number" ? "decimal" : "text"}
        placeholder={type === "date" ? "2026-03-09" : undefined}
      />
    )
  const stored = textOfValue(value)
  return (
    <Select {...common}>
      <option value="">No value</option>
      {stored !== "" && !choices.some((choice) => choice.value === stored) && <option value={stored}>{stored}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </Select>
  )
}

const Form = ({
  before,
  variables
}: {
  readonly variables: ReadonlyArray<ContextVariable>
  readonly before: Values
}) => {
  const client = useQueryClient()
  const [isUnchanged, setUnchanged] = useState(false)
  const save = useMutation({
    mutationFn: (values: Values) => api.businessContext.set({ variables: values }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["business-context"] })
  })
  const { error } = save
  const { question, watch } = useUnsaved({ isPageKept: true })
  return (
    <form
      {...watch}
      className="grid gap-4 p-4"
      noValidate
      onChange={() => {
        setUnchanged(false)
        if (save.isSuccess) save.reset()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const values = changesOf(new FormData(event.currentTarget), variables, before)
        const isSame = Object.keys(values).length === 0
        setUnchanged(isSame)
        if (!isSame) save.mutate(values)
      }}
    >
      {/* The fields show what was saved, with which the next change is compared. The form stays, and says that it has saved. */}
      <div key={JSON.stringify(before)} className="grid gap-4 sm:grid-cols-2">
        {variables.map((variable) => (
          <ValueField key={variable.id} variable={variable} value={before[variable.name]} error={error} />
        ))}
      </div>
      <Problem error={error} />
      <DialogActions>
        <p role="status" className="text-muted self-center text-sm">
          {save.isSuccess ? "Saved." : isUnchanged ? "Nothing was changed." : ""}
        </p>
        <Button kind="primary" type="submit" disabled={save.isPending}>
          {save.isPending ? "Saving…" : "Save"}
        </Button>
      </DialogActions>
      {question}
    </form>
  )
}

/** The values of the business, as a form for a person who may change them. */
export const BusinessContext = ({ variables }: { readonly variables: ReadonlyArray<ContextVariable> }) => {
  const { can } = useSession()
  const context = useBusinessContext()
  const defined = namesOf(variables.filter(({ context_type: type }) => type === "business"))
  return (
    <Card title="Values of the business">
      <Remote query={context}>
        {({ variables: values }) =>
          defined.length === 0 ? (
            <Empty title="No variables of the business" />
          ) : can("can_write_contacts") ? (
            <Form variables={defined} before={values} />
          ) : (
            <Facts
              facts={defined.map(({ display_name: label, id, name }) => [
                label,
                <bdi key={id} className="whitespace-pre-wrap">
                  {shown(values[name])}
                </bdi>
              ])}
            />
          )
        }
      </Remote>
    </Card>
  )
}
