import type { Agent } from "@frontdesk/client"
import { useQueryClient } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"

/** Asks before it deletes an agent, and reports whether the agent is deleted or archived. */
export const DeleteAgent = ({
  agent,
  onClose,
  onDone
}: {
  readonly agent: Agent
  readonly onClose: () => void
  /** Called with the sentence for the person, and whether the agent is archived. */
  readonly onDone: (message: string, isArchived: boolean) => Promise<void> | void
}) => {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title="Delete this agent?"
      label="Delete"
      doing="Deleting…"
      onClose={onClose}
      onConfirm={async () => {
        const { archived } = await api.agents.delete(agent.id)
        await onDone(
          archived
            ? `${agent.name} is archived, because it has calls or appointments.`
            : `${agent.name} has been deleted.`,
          archived
        )
        if (!archived) client.removeQueries({ queryKey: ["agents", String(agent.id)] })
        await client.invalidateQueries({ queryKey: ["agents"] })
      }}
    >
      <p>
        <bdi className="font-medium">{agent.name}</bdi>{" "}
        {agent.total_calls > 0
          ? "has calls. So it is archived instead: its calls stay, it loses its phone number and takes no new calls."
          : "takes no further calls. If it has calls or appointments, it is archived instead, and they stay."}
      </p>
      <p>An archived agent cannot be changed or brought back.</p>
    </ConfirmDialog>
  )
}
