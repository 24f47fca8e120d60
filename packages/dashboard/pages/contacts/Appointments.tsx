import type { CalendarEventItem, CalendarListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { statusTones } from "../calendar/EventLook.tsx"
import { Badge } from "../ui/Badge.tsx"
import { daysAfter, words } from "../ui/formats.ts"
import { Card } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { type EventPage, lastFirst } from "./lastFirst.ts"

const limit = 10

const read = (query: CalendarListQuery, signal: AbortSignal) => (page: number) =>
  api.calendar.list({ ...query, page, limit }, { signal })

const useColumns = (): ReadonlyArray<Column<CalendarEventItem>> => {
  const { formats } = useSession()
  return [
    {
      name: "Appointment",
      cell: ({ id, start_time: at, title }) => (
        <div className="grid">
          <Link
            to="/calendar"
            search={{ date: formats.dateOf(new Date(at)), event: String(id) }}
            className="text-accent w-max font-medium underline"
          >
            {formats.time(at)}
          </Link>
          <bdi className="wrap-anywhere">{title}</bdi>
        </div>
      )
    },
    { name: "Status", cell: ({ status }) => <Badge tone={statusTones[status]}>{words(status)}</Badge> },
    { name: "Minutes", cell: ({ duration_minutes: minutes }) => formats.number(minutes), isNumber: true, isExtra: true }
  ]
}

/** The appointments of a contact on some days. Those of the past are shown with the last one first. */
const AppointmentList = ({ contactId, isPast }: { readonly contactId: number; readonly isPast: boolean }) => {
  const { formats } = useSession()
  const columns = useColumns()
  const [page, setPage] = useState(1)
  const today = formats.today()
  const dates = isPast ? { end_date: daysAfter(today, -1) } : { start_date: today }
  const query = { contact_id: contactId, ...dates }
  const found = useQuery({
    queryKey: ["calendar", "list", query, page],
    queryFn: async ({ signal }): Promise<EventPage<CalendarEventItem>> => {
      const list = read(query, signal)
      return isPast ? await lastFirst(list, page) : await list(page)
    },
    placeholderData: keepPreviousData
  })
  const label = isPast ? "Past appointments" : "Upcoming appointments"
  return (
    <Card title={label}>
      <Remote query={found}>
        {({ count, events: rows, page: shown, pages }) => (
          <PagedTable
            label={label}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            pagesLabel={`Pages of ${label.toLowerCase()}`}
            count={formats.counted(count, "appointment", "appointments")}
            page={shown}
            pages={pages}
            onPage={setPage}
            empty={
              <p className="text-muted p-4">
                {isPast ? "There was none before today." : "There is none today or later."}
              </p>
            }
          />
        )}
      </Remote>
    </Card>
  )
}

/** The appointments of a contact: from today on, and before. */
export const Appointments = ({ contactId }: { readonly contactId: number }) => (
  <>
    <AppointmentList contactId={contactId} isPast={false} />
    <AppointmentList contactId={contactId} isPast />
  </>
)
