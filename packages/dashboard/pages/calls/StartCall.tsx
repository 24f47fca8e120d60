import type { CallPlanned, CallStart } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { nameOf } from "../contacts/contactForm.tsx"
import { numberOf } from "../contacts/phoneNumbers.ts"
import { Button } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { GuardedDialog } from "../ui/GuardedDialog.tsx"
import { Facts } from "../ui/Page.tsx"
import { textIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"
import { CallVariables, type VariableRow, variablesOf } from "./CallVariables.tsx"

const isPlanned = (answer: object): answer is CallPlanned => "dry_run" in answer

/** What a call would be, before it is started. */
const Plan = ({ plan }: { readonly plan: CallPlanned }) => {
  const { formats } = useSession()
  const variables = Object.entries(plan.variables)
  return (
    <div className="border-line rounded-md border">
      <Facts
        facts={[
          ["Agent", <bdi key="agent">{plan.agent.name}</bdi>],
          ["Number", plan.phone_number],
          [
            "Contact",
            plan.contact === null ? (
              "None: no contact has this number, or several have it"
            ) : (
              <bdi key="contact">{plan.contact.name}</bdi>
            )
          ],
          ["Held from the balance", formats.money(plan.hold)],
          [
            "Variables",
            variables.length === 0 ? (
              "None"
            ) : (
              <ul key="variables">
                {variables.map(([name, value]) => (
                  <li key={name}>
                    <code className="font-mono text-xs">{name}</code>: <bdi>{String(value)}</bdi>
                  </li>
                ))}
              </ul>
            )
          ],
          ["Without a value", plan.unresolved_variables.length === 0 ? "None" : plan.unresolved_variables.join(", ")]
        ]}
      />
    </div>
  )
}

/** The person that a call is for, as a page of a contact knows it. */
export interface CallTarget {
  readonly phoneNumber: string
  readonly contactId: number
}

/** A choice among the contacts that have the number of a call, of which the call would have none. */
const SharedNumber = ({
  number,
  onChoose
}: {
  readonly number: string
  readonly onChoose: (contactId: number) => void
}) => {
  const { can } = useSession()
  const found = useQuery({
    queryKey: ["contacts", "list", { phone_number: number, limit: 20 }],
    queryFn: ({ signal }) => api.contacts.list({ phone_number: number, limit: 20 }, { signal }),
    enabled: can("can_read_contacts")
  })
  const contacts = found.data?.contacts ?? []
  if (contacts.length < 2) return null
  return (
    <Select
      label="Contact"
      value=""
      hint="Several contacts have this number. The call knows the values of the one that you choose."
      onChange={({ target: { value } }) => {
        if (value !== "") onChoose(Number(value))
      }}
    >
      <option value="">None of them</option>
      {contacts.map((contact) => (
        <option key={contact.id} value={contact.id}>
          {nameOf(contact)}
        </option>
      ))}
    </Select>
  )
}

/** Starts a call in two steps: first it shows what the call would be, and then it starts it. */
export const StartCall = ({ onClose, to }: { readonly onClose: () => void; readonly to?: CallTarget }) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [call, setCall] = useState<CallStart | null>(null)
  const [rows, setRows] = useState<ReadonlyArray<VariableRow>>([])
  const agents = useQuery({
    queryKey: ["agents", "active"],
    queryFn: ({ signal }) => api.agents.list({ archived: false }, { signal })
  })
  const plan = useMutation({ mutationFn: (given: CallStart) => api.calls.start({ ...given, dry_run: true }) })
  const start = useMutation({
    mutationFn: (given: CallStart) => api.calls.start(given),
    onSuccess: (started) => {
      void client.invalidateQueries({ queryKey: ["calls"] })
      onClose()
      if (!isPlanned(started)) void navigate({ to: "/calls/$id", params: { id: started.call_id }, ignoreBlocker: true })
    }
  })
  const show = (given: CallStart) => {
    setCall(given)
    plan.mutate(given)
  }
  const reset = () => {
    plan.reset()
    start.reset()
  }
  const planned = plan.data !== undefined && isPlanned(plan.data) ? plan.data : null
  const error = start.error ?? plan.error
  return (
    <GuardedDialog title="Start a call" isChanged={rows.length > 0} onClose={onClose}>
      <Remote query={agents}>
        {({ agents: all }) => (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              const form = new FormData(event.currentTarget)
              const number = numberOf(textIn(form, "phone"))
              const variables = variablesOf(rows)
              show({
                phone_number: number,
                agent_id: Number(form.get("agent")),
                // Two contacts may have the same number, and then the number does not say who is called.
                ...(to !== undefined && number === to.phoneNumber && { contact_id: to.contactId }),
                ...(Object.keys(variables).length > 0 && { variables })
              })
            }}
            onChange={reset}
          >
            <Select label="Agent" name="agent" required problem={problemOf(error, "agent_id")}>
              {all
                .filter(({ can_make_calls: canCall }) => canCall)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </Select>
            <Field
              label="Phone number"
              name="phone"
              type="tel"
              required
              autoFocus
              defaultValue={to?.phoneNumber}
              placeholder="+12025550123"
              hint="With the country code, as in +12025550123."
              problem={problemOf(error, "phone_number")}
            />
            <CallVariables
              rows={rows}
              error={error}
              onChange={(next) => {
                setRows(next)
                reset()
              }}
            />
            {planned !== null && planned.contact === null && call !== null && (
              <SharedNumber
                number={planned.phone_number}
                onChoose={(contactId) => show({ ...call, contact_id: contactId })}
              />
            )}
            {planned !== null && <Plan plan={planned} />}
            <FormProblem error={error} fields={["agent_id", "phone_number", "variables"]} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              {planned === null || call === null ? (
                <Button kind="primary" type="submit" disabled={plan.isPending}>
                  {plan.isPending ? "Checking…" : "Show what it would be"}
                </Button>
              ) : (
                <Button kind="primary" disabled={start.isPending} onClick={() => start.mutate(call)}>
                  {start.isPending ? "Starting…" : "Start the call"}
                </Button>
              )}
            </DialogActions>
          </form>
        )}
      </Remote>
    </GuardedDialog>
  )
}
