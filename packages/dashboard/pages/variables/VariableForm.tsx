import type { ContextVariable, ContextVariableCreate, ContextVariablePatch } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { Field, Select, TextField } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { typeNames, typeOf, type VariableType } from "./variableTypes.ts"

const contextNames = { contact: "Each contact", business: "The business" } as const

/** Returns the options of a form, one in each line. */
const optionsOf = (form: FormData): ReadonlyArray<string> =>
  rawTextIn(form, "options")
    .split("\n")
    .filter((line) => line.trim() !== "")

const hasSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns what a form changes about a definition. Its name and its context never change. */
const changesOf = (form: FormData, variable: ContextVariable): ContextVariablePatch => {
  const displayName = rawTextIn(form, "display_name")
  const description = rawTextIn(form, "description")
  const type = typeOf(form.get("type"))
  const options = optionsOf(form)
  return {
    ...(displayName !== variable.display_name && { display_name: displayName }),
    ...(description !== (variable.description ?? "") && { description: description === "" ? null : description }),
    ...(type !== variable.variable_type && { variable_type: type }),
    ...(type === "select" && !hasSame(options, variable.select_options ?? []) && { select_options: options })
  }
}

/** The API names the option with the problem, as in `select_options[2]`, and all options share one field. */
const optionProblem = (error: unknown, count: number): string | undefined => {
  for (let index = 0; index < count; index += 1) {
    const found = problemOf(error, `select_options[${index}]`)
    if (found !== undefined) return `Option ${index + 1}: ${found}`
  }
  return problemOf(error, "select_options")
}

/** Creates a definition, or changes one. */
export const VariableForm = ({
  context,
  onClose,
  variable
}: {
  /** Null for a new definition. */
  readonly variable: ContextVariable | null
  /** The context that a new definition has at first. */
  readonly context: ContextVariable["context_type"]
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [type, setType] = useState<VariableType>(variable?.variable_type ?? "text")
  const save = useMutation({
    mutationFn: async (given: ContextVariableCreate | ContextVariablePatch) => {
      if (variable !== null) await api.variables.patch(variable.id, given)
      else if (isComplete(given)) await api.variables.create(given)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["variables"] })
      onClose()
    }
  })
  const { error } = save
  return (
    <FormDialog
      title={variable === null ? "Create a variable" : `Change ${variable.name}`}
      label={variable === null ? "Create" : "Save"}
      doing="Saving…"
      isPending={save.isPending}
      error={error}
      fields={["name", "display_name", "variable_type", "select_options", "description"]}
      onClose={onClose}
      onSubmit={(form) => {
        if (variable !== null) {
          const patch = changesOf(form, variable)
          if (Object.keys(patch).length === 0) onClose()
          else save.mutate(patch)
          return
        }
        const description = rawTextIn(form, "description")
        save.mutate({
          name: rawTextIn(form, "name").trim(),
          display_name: rawTextIn(form, "display_name"),
          context_type: form.get("context") === "business" ? "business" : "contact",
          variable_type: type,
          ...(description !== "" && { description }),
          ...(type === "select" && { select_options: optionsOf(form) })
        })
      }}
    >
      {variable === null ? (
        <>
          <Select label="Its value belongs to" name="context" defaultValue={context}>
            {Object.entries(contextNames).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <Field
            label="Name in templates"
            name="name"
            required
            autoFocus
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            hint="Lowercase letters, digits and underscores. It cannot be changed later. Templates name a variable of the business with business_ before it."
            problem={problemOf(error, "name")}
          />
        </>
      ) : (
        <p className="text-muted">
          The name and the context of a variable stay. Stored values stay too, and are checked when they are written
          again.
        </p>
      )}
      <Field
        label="Name for people"
        name="display_name"
        required
        maxLength={200}
        defaultValue={variable?.display_name}
        problem={problemOf(error, "display_name")}
      />
      <Select
        label="Type"
        name="type"
        value={type}
        problem={problemOf(error, "variable_type")}
        onChange={({ target: { value } }) => setType(typeOf(value))}
      >
        {Object.entries(typeNames).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
      {type === "select" && (
        <TextField
          label="Options"
          name="options"
          required
          hint="One option in each line."
          defaultValue={variable?.select_options?.join("\n")}
          problem={optionProblem(error, 500)}
        />
      )}
      <TextField
        label="Description"
        name="description"
        rows={2}
        maxLength={1_000}
        defaultValue={variable?.description ?? ""}
        problem={problemOf(error, "description")}
      />
    </FormDialog>
  )
}

const isComplete = (given: ContextVariableCreate | ContextVariablePatch): given is ContextVariableCreate =>
  "name" in given
