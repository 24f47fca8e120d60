import type { Agent, PatchAgent } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { words } from "../ui/formats.ts"
import { textIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { isSameChoice, ToolsField, toolsIn } from "./ToolsField.tsx"

/** The fields of the form. */
type Given = Pick<
  Agent,
  "assistant_id" | "name" | "role" | "phone_number" | "model" | "voice_id" | "team_id" | "allowed_tools"
>

const roles = ["outbound agent", "inbound agent"] as const satisfies ReadonlyArray<Agent["role"]>

const givenIn = (form: FormData): Given => {
  const text = (name: string) => textIn(form, name)
  const [phone, team] = [text("phone_number"), text("team_id")]
  return {
    assistant_id: text("assistant_id"),
    name: text("name"),
    role: roles.find((role) => role === form.get("role")) ?? "outbound agent",
    phone_number: phone === "" ? null : phone,
    model: text("model"),
    voice_id: text("voice_id"),
    team_id: team === "" ? null : Number(team),
    allowed_tools: toolsIn(form)
  }
}

/** Returns the fields that the form has changed. */
const patchOf = (agent: Agent, given: Given): PatchAgent => ({
  ...(given.assistant_id !== agent.assistant_id && { assistant_id: given.assistant_id }),
  ...(given.name !== agent.name && { name: given.name }),
  ...(given.role !== agent.role && { role: given.role }),
  ...(given.phone_number !== agent.phone_number && { phone_number: given.phone_number }),
  ...(given.model !== agent.model && { model: given.model }),
  ...(given.voice_id !== agent.voice_id && { voice_id: given.voice_id }),
  ...(given.team_id !== agent.team_id && { team_id: given.team_id }),
  ...(!isSameChoice(given.allowed_tools, agent.allowed_tools) && { allowed_tools: given.allowed_tools })
})

/** Creates an agent, or changes one. */
export const AgentForm = ({ agent, onClose }: { readonly agent: Agent | null; readonly onClose: () => void }) => {
  const { account } = useSession()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: async (given: Given) => {
      if (agent === null) return void (await api.agents.create(given))
      const patch = patchOf(agent, given)
      if (Object.keys(patch).length > 0) await api.agents.patch(agent.id, patch)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["agents"] })
      onClose()
    }
  })
  const { error } = save
  const team = agent?.team_id
  // A team that the account has left is still the team of its agents.
  const teams = account.teams.some(({ id }) => id === team)
    ? account.teams
    : [...account.teams, ...(typeof team === "number" ? [{ id: team, name: `Team ${team}` }] : [])]
  return (
    <FormDialog
      title={agent === null ? "Create an agent" : "Change the agent"}
      label={agent === null ? "Create" : "Save"}
      doing="Saving…"
      isPending={save.isPending}
      error={error}
      fields={["assistant_id", "name", "role", "phone_number", "model", "voice_id", "team_id"]}
      onClose={onClose}
      onSubmit={(form) => {
        save.mutate(givenIn(form))
      }}
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={200}
        autoFocus
        defaultValue={agent?.name}
        problem={problemOf(error, "name")}
      />
      <Field
        label="Assistant id"
        name="assistant_id"
        required
        maxLength={255}
        defaultValue={agent?.assistant_id}
        hint="The id of the assistant at the call provider. No two agents can have the same."
        problem={problemOf(error, "assistant_id")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Role" name="role" defaultValue={agent?.role} problem={problemOf(error, "role")}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {words(role)}
            </option>
          ))}
        </Select>
        <Field
          label="Phone number"
          name="phone_number"
          type="tel"
          placeholder="+12025550123"
          defaultValue={agent?.phone_number ?? ""}
          hint="An agent without a number cannot make calls."
          problem={problemOf(error, "phone_number")}
        />
        <Field
          label="Model"
          name="model"
          maxLength={255}
          defaultValue={agent?.model}
          problem={problemOf(error, "model")}
        />
        <Field
          label="Voice"
          name="voice_id"
          maxLength={255}
          defaultValue={agent?.voice_id}
          hint="The id of the voice at the call provider."
          problem={problemOf(error, "voice_id")}
        />
      </div>
      {teams.length > 0 && (
        <Select
          label="Team"
          name="team_id"
          defaultValue={agent?.team_id ?? ""}
          hint="The accounts of the team see the agent too."
          problem={problemOf(error, "team_id")}
        >
          <option value="">None</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <ToolsField allowed={agent?.allowed_tools ?? null} />
    </FormDialog>
  )
}
