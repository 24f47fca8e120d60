import type { CallPlanned, CallStart } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { numberOf } from "../contacts/phoneNumbers.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { Facts } from "../ui/Page.tsx"
import { textIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"

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

/** Starts a call in two steps: first it shows what the call would be, and then it starts it. */
export const StartCall = ({ onClose, to }: { readonly onClose: () => void; readonly to?: string }) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [call, setCall] = useState<CallStart | null>(null)
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
  const planned = plan.data !== undefined && isPlanned(plan.data) ? plan.data : null
  const error = start.error ?? plan.error
  return (
    <Dialog title="Start a call" onClose={onClose}>
      <Remote query={agents}>
        {({ agents: all }) => (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              const form = new FormData(event.currentTarget)
              const given = { phone_number: numberOf(textIn(form, "phone")), agent_id: Number(form.get("agent")) }
              setCall(given)
              plan.mutate(given)
            }}
            onChange={() => {
              plan.reset()
              start.reset()
            }}
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
              defaultValue={to}
              placeholder="+12025550123"
              hint="With the country code, as in +12025550123."
              problem={problemOf(error, "phone_number")}
            />
            {planned !== null && <Plan plan={planned} />}
            <FormProblem error={error} fields={["agent_id", "phone_number"]} />
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
    </Dialog>
  )
}
