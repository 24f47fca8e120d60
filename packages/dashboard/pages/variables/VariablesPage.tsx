import type { ContextVariable } from "@frontdesk/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Select } from "../ui/Field.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { BusinessContext } from "./BusinessContext.tsx"
import { placeholderOf } from "./template.ts"
import { TemplatePreview } from "./TemplatePreview.tsx"
import { VariableForm } from "./VariableForm.tsx"
import { typeNames } from "./variableTypes.ts"

const route = getRouteApi("/variables")

const contexts = { contact: "Each contact", business: "The business" } as const

const TypeCell = ({ variable }: { readonly variable: ContextVariable }) => {
  const options = variable.select_options
  if (options === null) return typeNames[variable.variable_type]
  return (
    <details className="max-w-48">
      <summary className="w-max">
        One of {options.length} {options.length === 1 ? "option" : "options"}
      </summary>
      <ul className="text-muted mt-1 grid gap-0.5 text-xs">
        {options.map((option) => (
          <li key={option} className="break-words">
            <bdi>{option}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The actions of a definition. Those that every account has are fixed. */
const Actions = ({ onChange, variable }: { readonly variable: ContextVariable; readonly onChange: () => void }) => {
  const client = useQueryClient()
  if (variable.is_default) return <span className="text-muted text-xs">Fixed</span>
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={`Change ${variable.name}`} onClick={onChange}>
        Change
      </Button>
      <Confirm
        label="Delete"
        about={variable.name}
        doing="Deleting…"
        title={`Delete ${variable.name}?`}
        onConfirm={async () => {
          await api.variables.delete(variable.id)
          await client.invalidateQueries({ queryKey: ["variables"] })
        }}
      >
        <p>Values that are stored under this name stay. They are no longer checked by a type.</p>
      </Confirm>
    </div>
  )
}

/** The variables of templates: their definitions, the values of the business, and a preview. */
export const VariablesPage = () => {
  const { context_type: given } = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useSession()
  const [edited, setEdited] = useState<ContextVariable | "new" | null>(null)
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: ({ signal }) => api.variables.list({}, { signal })
  })
  const context = given === "business" || given === "contact" ? given : null
  const columns: ReadonlyArray<Column<ContextVariable>> = [
    {
      name: "Variable",
      cell: (variable) => (
        <div className="grid max-w-64 min-w-32 gap-0.5">
          <code className="font-mono text-xs break-all">{placeholderOf(variable)}</code>
          <bdi className="break-words">{variable.display_name}</bdi>
          {variable.description !== null && (
            <bdi className="text-muted text-xs break-words">{variable.description}</bdi>
          )}
          <div className="text-muted text-xs md:hidden">
            <TypeCell variable={variable} />
          </div>
        </div>
      )
    },
    { name: "Belongs to", cell: ({ context_type: type }) => contexts[type], isExtra: true },
    { name: "Type", cell: (variable) => <TypeCell variable={variable} />, isExtra: true },
    ...(can("can_write_contacts")
      ? [
          {
            name: "Action",
            cell: (variable: ContextVariable) => <Actions variable={variable} onChange={() => setEdited(variable)} />
          }
        ]
      : [])
  ]
  return (
    <Page
      title="Variables"
      hint="What agents say and know can have names in double braces. Each call puts the values of its contact and of the business in their place."
      actions={
        can("can_write_contacts") && (
          <Button kind="primary" onClick={() => setEdited("new")}>
            Create a variable
          </Button>
        )
      }
    >
      <Remote query={variables}>
        {({ variables: all }) => {
          const rows = all.filter(({ context_type: type }) => context === null || type === context)
          return (
            <>
              <TemplatePreview />
              <BusinessContext variables={all} />
              <Card
                title="Variables"
                actions={
                  <div className="w-44">
                    <Select
                      label="Belongs to"
                      value={context ?? ""}
                      onChange={({ target: { value } }) =>
                        void navigate({ search: value === "" ? {} : { context_type: value }, replace: true })
                      }
                    >
                      <option value="">Any</option>
                      {Object.entries(contexts).map(([value, text]) => (
                        <option key={value} value={value}>
                          {text}
                        </option>
                      ))}
                    </Select>
                  </div>
                }
              >
                {rows.length === 0 ? (
                  <Empty title="No variables" />
                ) : (
                  <Table
                    label="Variables"
                    columns={columns}
                    // Those that the account has defined come first, because they can be changed.
                    rows={rows.toSorted((a, b) => Number(a.is_default) - Number(b.is_default))}
                    keyOf={({ id }) => id}
                  />
                )}
              </Card>
            </>
          )
        }}
      </Remote>
      {edited !== null && (
        <VariableForm
          variable={edited === "new" ? null : edited}
          context={context ?? "contact"}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  )
}
