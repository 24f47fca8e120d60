import type { Call, CallsListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { allAgents } from "../agents/allAgents.ts"
import { api } from "../app/api.ts"
import { filterIn, type Filters } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { numberOf } from "../contacts/phoneNumbers.ts"
import { Button } from "../ui/Button.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { TextFilter } from "../ui/TextFilter.tsx"
import { CallStatus, isRunning, statuses } from "./callStatus.tsx"
import { StartCall } from "./StartCall.tsx"

const route = getRouteApi("/calls")

type Search = Filters<"status" | "type" | "agent_id" | "phone_number" | "search" | "start_date" | "end_date">

const types = ["outbound", "inbound"] as const

/** Returns a text as the API searches for it. A part of a number is searched without its spaces, brackets and hyphens. */
const searchOf = (text: string): string => (/^\+?[\d\s().\-\u2010-\u2015]+$/.test(text) ? numberOf(text) : text)

/** Returns the query of the API for the filters in the address of the page. A filter that the API does not know is left out. */
const queryOf = ({ agent_id: agent, page = 1, search, status, type, ...others }: Search): CallsListQuery => ({
  ...others,
  search: search === undefined ? undefined : searchOf(search),
  page,
  limit: 25,
  status: statuses.find((one) => one === status),
  type: types.find((one) => one === type),
  agent_id: agent === undefined ? undefined : Number(agent)
})

/** Returns all agents, archived ones at the end, because their calls stay. */
const useAgents = () =>
  useQuery({
    queryKey: ["agents", "all"],
    queryFn: ({ signal }) => allAgents(signal)
  })

const CallFilters = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useSession()
  const agents = useAgents()
  const filter = (change: Partial<Search>) =>
    void navigate({ search: (current) => ({ ...current, page: undefined, ...change }), replace: true })
  return (
    <div className="grid grid-cols-2 gap-3 p-4 md:grid-cols-3 xl:grid-cols-6">
      <Select
        label="Status"
        value={search.status ?? ""}
        onChange={(event) => filter({ status: filterIn(event.target.value) })}
      >
        <option value="">Any</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {words(status)}
          </option>
        ))}
      </Select>
      <Select
        label="Direction"
        value={search.type ?? ""}
        onChange={(event) => filter({ type: filterIn(event.target.value) })}
      >
        <option value="">Any</option>
        <option value="outbound">Outbound</option>
        <option value="inbound">Inbound</option>
      </Select>
      {can("can_read_agents") && (
        <Select
          label="Agent"
          value={search.agent_id ?? ""}
          onChange={(event) => filter({ agent_id: filterIn(event.target.value) })}
        >
          <option value="">Any</option>
          {agents.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <TextFilter
        label="Number or name"
        name="search"
        type="search"
        maxLength={254}
        placeholder="555 01 or Miller"
        value={search.search ?? search.phone_number}
        onFilter={(text) => filter({ search: filterIn(text), phone_number: undefined })}
      />
      <Field
        label="From"
        type="date"
        value={search.start_date ?? ""}
        onChange={(event) => filter({ start_date: filterIn(event.target.value) })}
      />
      <Field
        label="To"
        type="date"
        value={search.end_date ?? ""}
        onChange={(event) => filter({ end_date: filterIn(event.target.value) })}
      />
    </div>
  )
}

/** The calls of the account, with filters that are a part of the address. */
export const CallsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can, formats } = useSession()
  const [isStarting, setStarting] = useState(false)
  const query = queryOf(search)
  const calls = useQuery({
    queryKey: ["calls", query],
    queryFn: ({ signal }) => api.calls.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.calls.some(isRunning) === true ? 3_000 : 15_000)
  })
  const isFiltered = Object.keys(search).some((name) => name !== "page")

  const columns: ReadonlyArray<Column<Call>> = [
    {
      name: "Started",
      cell: ({ call_id: id, created_at: createdAt, started_at: startedAt }) => (
        <Link to="/calls/$id" params={{ id }} className="text-accent font-medium underline sm:whitespace-nowrap">
          {formats.time(startedAt ?? createdAt)}
        </Link>
      )
    },
    {
      name: "With",
      cell: ({ contact, phone_number: phone, type }) => (
        <div className="grid">
          <span className={contact === null || contact.name === "" ? "whitespace-nowrap" : ""}>
            <span aria-hidden="true">{type === "inbound" ? "← " : "→ "}</span>
            <span className="sr-only">{type === "inbound" ? "inbound, from " : "outbound, to "}</span>
            <bdi>{contact === null || contact.name === "" ? phone : contact.name}</bdi>
          </span>
          {contact !== null && contact.name !== "" && <span className="text-muted text-xs">{phone}</span>}
        </div>
      )
    },
    { name: "Agent", cell: ({ agent }) => <bdi>{agent.name}</bdi>, isExtra: true },
    { name: "Status", cell: ({ status }) => <CallStatus status={status} /> },
    {
      name: "Length",
      cell: ({ duration_seconds: seconds }) => (seconds === null ? "–" : formats.duration(seconds)),
      isNumber: true,
      isExtra: true
    },
    {
      name: "Charge",
      cell: ({ billing }) => formats.money(billing.total_charge),
      isNumber: true,
      isExtra: true
    }
  ]

  return (
    <Page
      title="Calls"
      actions={
        can("can_write_calls") && (
          <Button kind="primary" onClick={() => setStarting(true)}>
            Start a call
          </Button>
        )
      }
    >
      <Card>
        <CallFilters />
        <div className="border-line border-t">
          <Remote query={calls}>
            {({ calls: rows, count, page, pages }) => (
              <PagedTable
                label="Calls"
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                count={formats.counted(count, "call", "calls")}
                page={page}
                pages={pages}
                onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
                empty={
                  <Empty title={isFiltered ? "No call has all of these" : "No calls yet"}>
                    {isFiltered ? (
                      <Link to="/calls" className="text-accent underline">
                        Show all calls
                      </Link>
                    ) : (
                      "Calls appear here as soon as an agent is on the telephone."
                    )}
                  </Empty>
                }
              />
            )}
          </Remote>
        </div>
      </Card>
      {isStarting && <StartCall onClose={() => setStarting(false)} />}
    </Page>
  )
}
