import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { allAgents } from "../agents/allAgents.ts"
import type { Names } from "./auditWords.ts"

/** Returns the name of the record with an id, as the audit log writes it. */
const nameIn = (records: ReadonlyArray<{ readonly id: number; readonly name: string }> = [], id: string) => {
  const name = records.find((record) => String(record.id) === id)?.name
  return name === "" ? undefined : name
}

/** Returns the names of people, sessions, keys and agents, as far as the reader may see them and they exist. */
export const useNames = (): Names => {
  const { can } = useSession()
  const keys = useQuery({
    queryKey: ["api-keys"],
    queryFn: ({ signal }) => api.apiKeys.list({ signal }),
    enabled: can("can_manage_keys")
  })
  const members = useQuery({
    queryKey: ["members", "names"],
    queryFn: ({ signal }) => api.members.list({ signal }),
    enabled: can("can_manage_people")
  })
  const sessions = useQuery({
    queryKey: ["sessions", "names"],
    queryFn: ({ signal }) => api.sessions.list({ limit: 100 }, { signal }),
    enabled: can("can_manage_people")
  })
  const agents = useQuery({
    queryKey: ["agents", "all"],
    queryFn: ({ signal }) => allAgents(signal),
    enabled: can("can_read_agents")
  })
  return {
    ofKey: (id) => nameIn(keys.data?.api_keys, id),
    ofMember: (id) => nameIn(members.data?.members, id),
    ofSession: (id) => nameIn(sessions.data?.sessions, id),
    ofAgent: (id) => nameIn(agents.data, id)
  }
}
