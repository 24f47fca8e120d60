import type { Agent } from "@frontdesk/client"
import { api } from "../app/api.ts"

/** Returns all agents, archived ones at the end, because calls and entries of the audit log name them. */
export const allAgents = async (signal: AbortSignal): Promise<ReadonlyArray<Agent>> => {
  const [current, archived] = await Promise.all(
    [false, true].map((isArchived) => api.agents.list({ archived: isArchived }, { signal }))
  )
  return [...(current?.agents ?? []), ...(archived?.agents ?? [])]
}
