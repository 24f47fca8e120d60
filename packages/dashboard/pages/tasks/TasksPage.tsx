import type { DeadLetteredTask } from "@frontdesk/client"
import { getRouteApi, Link } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Page } from "../ui/Page.tsx"
import { kindOf, TaskList, type TaskSource } from "./TaskList.tsx"

const route = getRouteApi("/tasks")

const source: TaskSource<DeadLetteredTask> = {
  key: "tasks",
  read: (query, signal) => api.tasks.list(query, { signal }),
  retry: (id) => api.tasks.retry(id),
  retryAll: (selected) => api.tasks.retryAll(selected)
}

/** The mails and writes to external calendars of the account that were given up after all attempts. */
export const TasksPage = () => {
  const { can, formats } = useSession()
  const { kind, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title="Tasks given up"
      hint={`Frontdesk sends mails and changes external calendars in the background, and repeats what fails. What failed at every attempt is here until a person retries it. Times are in ${formats.zoneName}.`}
    >
      <TaskList
        source={source}
        kind={kindOf(kind)}
        page={page}
        onKind={(next) => void navigate({ search: () => (next === undefined ? {} : { kind: next }), replace: true })}
        onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
        mayRetry={can("can_write_calendar")}
        about={({ event_id: id }) =>
          id !== null && (
            <Link to="/calendar" search={{ event: String(id) }} className="text-accent text-xs underline">
              Appointment {id}
            </Link>
          )
        }
      />
    </Page>
  )
}
