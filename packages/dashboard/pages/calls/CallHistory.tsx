import type { Call, CallsListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { words } from "../ui/formats.ts"
import { Card } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { CallStatus, isRunning } from "./callStatus.tsx"

/** The calls of one record, newest first. */
export const CallHistory = ({
  empty,
  of
}: {
  readonly of: Pick<CallsListQuery, "agent_id" | "contact_id">
  /** What is said when there is none. */
  readonly empty: string
}) => {
  const { formats } = useSession()
  const [page, setPage] = useState(1)
  const query = { ...of, page, limit: 10 }
  const calls = useQuery({
    queryKey: ["calls", query],
    queryFn: ({ signal }) => api.calls.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.calls.some(isRunning) === true ? 3_000 : false)
  })
  const columns: ReadonlyArray<Column<Call>> = [
    {
      name: "Started",
      cell: ({ call_id: id, created_at: createdAt, started_at: startedAt, type }) => (
        <div className="grid">
          <Link to="/calls/$id" params={{ id }} className="text-accent font-medium whitespace-nowrap underline">
            {formats.time(startedAt ?? createdAt)}
          </Link>
          <span className="text-muted text-xs">{words(type)}</span>
        </div>
      )
    },
    { name: "Status", cell: ({ status }) => <CallStatus status={status} /> },
    of.agent_id === undefined
      ? { name: "Agent", cell: ({ agent }) => <bdi>{agent.name}</bdi>, isExtra: true }
      : {
          name: "With",
          cell: ({ contact, phone_number: phone }) => <bdi>{contact === null ? phone : contact.name || phone}</bdi>,
          isExtra: true
        },
    {
      name: "Length",
      cell: ({ duration_seconds: seconds }) => (seconds === null ? "–" : formats.duration(seconds)),
      isNumber: true
    }
  ]
  return (
    <Card title="Calls">
      <Remote query={calls}>
        {({ calls: rows, count, page: shown, pages }) => (
          <PagedTable
            label="Calls"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            pagesLabel="Pages of calls"
            count={formats.counted(count, "call", "calls")}
            page={shown}
            pages={pages}
            onPage={setPage}
            empty={<p className="text-muted p-4">{empty}</p>}
          />
        )}
      </Remote>
    </Card>
  )
}
