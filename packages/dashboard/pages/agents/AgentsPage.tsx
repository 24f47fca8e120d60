import type { Agent } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Notice } from "../ui/Notice.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { AgentForm } from "./AgentForm.tsx"
import { DeleteAgent } from "./DeleteAgent.tsx"

const route = getRouteApi("/agents")

/** The agents of the account and of its teams. */
export const AgentsPage = () => {
  const { account, can, formats } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<"create" | { readonly edit: Agent } | { readonly delete: Agent } | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const close = () => setOpened(null)
  const open = (next: typeof opened) => {
    setDone(null)
    setOpened(next)
  }
  const isArchived = search.archived === "true"
  const agents = useQuery({
    queryKey: ["agents", { archived: isArchived }],
    queryFn: ({ signal }) => api.agents.list({ archived: isArchived }, { signal })
  })
  const columns: ReadonlyArray<Column<Agent>> = [
    {
      name: "Name",
      cell: ({ assistant_id: assistantId, id, name }) => (
        <div className="grid max-w-xs">
          <Link to="/agents/$id" params={{ id: String(id) }} className="text-accent font-medium underline">
            <bdi>{name}</bdi>
          </Link>
          <span className="text-muted truncate text-xs">{assistantId}</span>
        </div>
      )
    },
    { name: "Role", cell: ({ role }) => words(role), isExtra: true },
    ...(isArchived
      ? [
          {
            name: "Archived",
            cell: ({ archived_at: at }: Agent) => (at === null ? "–" : formats.time(at))
          }
        ]
      : [
          {
            name: "Phone number",
            cell: ({ phone_number: phone }: Agent) => <span className="whitespace-nowrap">{phone ?? "None"}</span>
          },
          { name: "Can make calls", cell: ({ can_make_calls: can }: Agent) => (can ? "Yes" : "No"), isExtra: true }
        ]),
    { name: "Calls", cell: ({ total_calls: calls }) => formats.number(calls), isNumber: true, isExtra: true },
    {
      name: "Minutes talked",
      cell: ({ minutes_used: minutes }) => formats.number(Math.round(minutes * 10) / 10),
      isNumber: true,
      isExtra: true
    },
    ...(can("can_write_agents") && !isArchived
      ? [
          {
            name: "Actions",
            // Only its owner changes an agent.
            cell: (agent: Agent) =>
              agent.account_id === account.id && (
                <div className="flex gap-2">
                  <Button aria-label={`Change ${agent.name}`} onClick={() => open({ edit: agent })}>
                    Change
                  </Button>
                  <Button kind="danger" aria-label={`Delete ${agent.name}`} onClick={() => open({ delete: agent })}>
                    Delete
                  </Button>
                </div>
              )
          }
        ]
      : [])
  ]
  return (
    <Page
      title="Agents"
      hint="The assistants that make and answer calls."
      actions={
        can("can_write_agents") && (
          <Button kind="primary" onClick={() => open("create")}>
            Create an agent
          </Button>
        )
      }
    >
      <Notice>{done}</Notice>
      <Card>
        <div className="border-line border-b p-4">
          <div className="max-w-52">
            <Select
              label="Show"
              value={isArchived ? "true" : ""}
              onChange={({ target: { value } }) => {
                setDone(null)
                void navigate({ search: () => (value === "" ? {} : { archived: value }), replace: true })
              }}
            >
              <option value="">Agents in use</option>
              <option value="true">Archived agents</option>
            </Select>
          </div>
        </div>
        <Remote query={agents}>
          {({ agents: rows }) =>
            rows.length === 0 ? (
              isArchived ? (
                <Empty title="No archived agents">An agent with calls is archived when it is deleted.</Empty>
              ) : (
                <Empty title="No agents yet">Create one to make and answer calls.</Empty>
              )
            ) : (
              <Table label="Agents" columns={columns} rows={rows} keyOf={({ id }) => id} />
            )
          }
        </Remote>
      </Card>
      {opened === "create" && <AgentForm agent={null} onClose={close} />}
      {opened !== null && opened !== "create" && "edit" in opened && <AgentForm agent={opened.edit} onClose={close} />}
      {opened !== null && opened !== "create" && "delete" in opened && (
        <DeleteAgent agent={opened.delete} onClose={close} onDone={setDone} />
      )}
    </Page>
  )
}
