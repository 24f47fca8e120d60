import type { DeadLetteredTask } from "@frontdesk/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { RetryAll } from "./RetryAll.tsx"
import { kinds, purposeOf, reasonOf, type TaskKind } from "./taskWords.ts"

const route = getRouteApi("/tasks")

const kindNames = ["mail", "calendar", "sign_in"] as const satisfies ReadonlyArray<TaskKind>

/** The mails and writes to external calendars that were given up after all attempts. */
export const TasksPage = () => {
  const { can, formats } = useSession()
  const { kind: given, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [isRetryingAll, setRetryingAll] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const kind = kindNames.find((one) => one === given)
  const query = { page, limit: 25, ...(kind !== undefined && { kind }) }
  const tasks = useQuery({
    queryKey: ["tasks", query],
    queryFn: ({ signal }) => api.tasks.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000
  })
  const retry = useMutation({
    mutationFn: (id: number) => api.tasks.retry(id),
    onMutate: () => setDone(null),
    onSuccess: () => setDone("The task runs again. If it fails again, it returns here."),
    onSettled: () => client.invalidateQueries({ queryKey: ["tasks"] })
  })
  const columns: ReadonlyArray<Column<DeadLetteredTask>> = [
    {
      name: "Task",
      cell: (task) => (
        <div className="grid min-w-44">
          <span className="font-medium">{purposeOf(task)}</span>
          {task.event_id !== null && (
            <Link to="/calendar" search={{ event: String(task.event_id) }} className="text-accent text-xs underline">
              Appointment {task.event_id}
            </Link>
          )}
        </div>
      )
    },
    { name: "Error", cell: (task) => <p className="max-w-sm min-w-44">{reasonOf(task)}</p> },
    { name: "Attempts", cell: ({ attempts }) => formats.number(attempts), isNumber: true },
    {
      name: "Given up",
      cell: ({ dead_lettered_at: at }) => (
        <time dateTime={at} className="whitespace-nowrap">
          {formats.time(at)}
        </time>
      )
    },
    ...(can("can_write_calendar")
      ? [
          {
            name: "Action",
            cell: (task: DeadLetteredTask) => (
              <Button
                disabled={retry.isPending}
                aria-label={`Retry task ${task.id}: ${purposeOf(task)}`}
                onClick={() => retry.mutate(task.id)}
              >
                Retry
              </Button>
            )
          }
        ]
      : [])
  ]
  const count = tasks.data?.count ?? 0
  return (
    <Page
      title="Tasks given up"
      hint="Mails and changes of external calendars that have failed too often. They rest here until a person retries them."
      actions={
        can("can_write_calendar") &&
        count > 0 && (
          <Button
            onClick={() => {
              setDone(null)
              setRetryingAll(true)
            }}
          >
            {kind === undefined ? "Retry all" : "Retry all of this kind"}
          </Button>
        )
      }
    >
      <Notice>{done}</Notice>
      <Problem error={retry.error} />
      <Card>
        <div className="border-line border-b p-4">
          <div className="max-w-64">
            <Select
              label="Kind"
              value={kind ?? ""}
              onChange={({ target: { value } }) =>
                void navigate({ search: () => (value === "" ? {} : { kind: value }), replace: true })
              }
            >
              <option value="">Any</option>
              {kindNames.map((one) => (
                <option key={one} value={one}>
                  {kinds[one]}
                </option>
              ))}
            </Select>
          </div>
        </div>
        <Remote query={tasks}>
          {({ count: found, page: shown, pages, tasks: rows }) => (
            <PagedTable
              label="Tasks given up"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              count={formats.counted(found, "task", "tasks")}
              page={shown}
              pages={pages}
              onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
              empty={
                <Empty title={kind === undefined ? "No task was given up" : "No task of this kind was given up"}>
                  A mail or a change of a calendar that fails too often appears here.
                </Empty>
              }
            />
          )}
        </Remote>
      </Card>
      {isRetryingAll && (
        <RetryAll kind={kind ?? null} count={count} onClose={() => setRetryingAll(false)} onDone={setDone} />
      )}
    </Page>
  )
}
