import type { Agent } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { CallHistory } from "../calls/CallHistory.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { words } from "../ui/formats.ts"
import { Notice } from "../ui/Notice.tsx"
import { Card, Facts, Page } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"
import { AgentForm } from "./AgentForm.tsx"
import { tools } from "./agentTools.ts"
import { DeleteAgent } from "./DeleteAgent.tsx"

const route = getRouteApi("/agents/$id")

const Actions = ({ agent, onArchived }: { readonly agent: Agent; readonly onArchived: (message: string) => void }) => {
  const navigate = route.useNavigate()
  const [open, setOpen] = useState<"edit" | "delete" | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button onClick={() => setOpen("edit")}>Change</Button>
      <Button kind="danger" onClick={() => setOpen("delete")}>
        Delete
      </Button>
      {open === "edit" && <AgentForm agent={agent} onClose={close} />}
      {open === "delete" && (
        <DeleteAgent
          agent={agent}
          onClose={close}
          onDone={(message, isArchived) => (isArchived ? onArchived(message) : navigate({ to: "/agents" }))}
        />
      )}
    </>
  )
}

const Tools = ({ allowed }: { readonly allowed: Agent["allowed_tools"] }) => (
  <Card title="Tools during a call">
    <p className="text-muted px-4 pt-4 text-sm">
      {allowed === null
        ? "The agent may use every tool, also those of later versions."
        : "The agent may use the tools with “Allowed”, whatever its assistant at the call provider lists."}
    </p>
    <ul className="grid gap-2 p-4 text-sm">
      {tools.map(([tool, title]) => (
        <li key={tool} className="flex items-center justify-between gap-3">
          <span>{title}</span>
          {allowed === null || allowed.includes(tool) ? <Badge tone="good">Allowed</Badge> : <Badge>Not allowed</Badge>}
        </li>
      ))}
    </ul>
  </Card>
)

const Detail = ({ agent }: { readonly agent: Agent }) => {
  const { account, can, formats } = useSession()
  const team = account.teams.find(({ id }) => id === agent.team_id)?.name ?? `Team ${agent.team_id}`
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Card title="Agent">
          <Facts
            facts={[
              ["Assistant id", <bdi key="assistant">{agent.assistant_id}</bdi>],
              ["Role", words(agent.role)],
              ["Phone number", agent.phone_number ?? "None, so it cannot make calls"],
              ["Model", agent.model === "" ? "–" : <bdi key="model">{agent.model}</bdi>],
              ["Voice", agent.voice_id === "" ? "–" : <bdi key="voice">{agent.voice_id}</bdi>],
              ...(agent.account_id === account.id ? [] : [["Belongs to", `Account ${agent.account_id}`] as const]),
              ...(agent.team_id === null ? [] : [["Team", <bdi key="team">{team}</bdi>] as const]),
              ["Calls", formats.number(agent.total_calls)],
              ["Minutes talked", formats.number(Math.round(agent.minutes_used * 10) / 10)],
              ...(agent.archived_at === null ? [] : [["Archived", formats.time(agent.archived_at)] as const])
            ]}
          />
        </Card>
        <Tools allowed={agent.allowed_tools} />
      </div>
      {can("can_read_calls") && (
        <CallHistory of={{ agent_id: agent.id }} empty="The agent has made and answered no call yet." />
      )}
    </div>
  )
}

/** One agent, with its tools and its calls. */
export const AgentPage = () => {
  const { id } = route.useParams()
  const { account, can } = useSession()
  const [done, setDone] = useState<string | null>(null)
  const agent = useQuery({
    queryKey: ["agents", id],
    queryFn: ({ signal }) => api.agents.get(Number(id), { signal })
  })
  return (
    <Page
      title={agent.data?.name ?? "Agent"}
      hint={
        <Link to="/agents" className="underline">
          All agents
        </Link>
      }
      actions={
        agent.data !== undefined &&
        agent.data.archived_at === null &&
        agent.data.account_id === account.id &&
        can("can_write_agents") && <Actions agent={agent.data} onArchived={setDone} />
      }
    >
      <Notice>{done}</Notice>
      <Remote query={agent}>{(found) => <Detail agent={found} />}</Remote>
    </Page>
  )
}
