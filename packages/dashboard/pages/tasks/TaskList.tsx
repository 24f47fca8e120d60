import type { DeadLetteredTask, TasksRetried } from "@frontdesk/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Card } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { RetryAll } from "./RetryAll.tsx"
import { kinds, purposeOf, reasonOf, type TaskKind } from "./taskWords.ts"

const kindNames = ["mail", "calendar", "sign_in"] as const satisfies ReadonlyArray<TaskKind>

/** Returns the kind with this name. */
export const kindOf = (name: string | undefined): TaskKind | undefined => kindNames.find((one) => one === name)

/** A page of tasks. */
interface TaskPage<Task> {
  readonly count: number
  readonly page: number
  readonly pages: number
  readonly tasks: ReadonlyArray<Task>
}

/** Selects a page of tasks. */
interface TaskQuery {
  readonly page: number
  readonly limit: number
  readonly kind?: TaskKind
}

/** Where a list of tasks comes from, and how its tasks are retried. */
export interface TaskSource<Task> {
  /** The first part of the keys of its queries. */
  readonly key: string
  readonly read: (query: TaskQuery, signal: AbortSignal) => Promise<TaskPage<Task>>
  readonly retry: (id: number) => Promise<unknown>
  readonly retryAll: (selected: { readonly kind?: TaskKind; readonly before_id?: number }) => Promise<TasksRetried>
}

/** The tasks that were given up after all attempts. A person may retry one or all. */
export function TaskList<Task extends DeadLetteredTask>({
  about,
  kind,
  mayRetry,
  onKind,
  onPage,
  page,
  source,
  title
}: {
  readonly source: TaskSource<Task>
  readonly title?: string
  readonly kind: TaskKind | undefined
  readonly page: number
  readonly onKind: (kind: TaskKind | undefined) => void
  readonly onPage: (page: number) => void
  readonly mayRetry: boolean
  /** What is shown below the purpose of a task. */
  readonly about: (task: Task) => ReactNode
}) {
  const { formats } = useSession()
  const client = useQueryClient()
  const [isRetryingAll, setRetryingAll] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const query = { page, limit: 25, ...(kind !== undefined && { kind }) }
  const tasks = useQuery({
    queryKey: [source.key, query],
    queryFn: ({ signal }) => source.read(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000
  })
  const retry = useMutation({
    mutationFn: source.retry,
    onMutate: () => setDone(null),
    onSuccess: () => setDone("The task runs again. If it fails again, it returns here."),
    onSettled: () => client.invalidateQueries({ queryKey: [source.key] })
  })
  const columns: ReadonlyArray<Column<Task>> = [
    {
      name: "Task",
      cell: (task) => (
        <div className="grid">
          <span className="font-medium">{purposeOf(task)}</span>
          {about(task)}
        </div>
      )
    },
    { name: "Why it failed", cell: (task) => <p className="max-w-sm">{reasonOf(task)}</p> },
    { name: "Attempts", cell: ({ attempts }) => formats.number(attempts), isNumber: true },
    {
      name: "Given up",
      cell: ({ dead_lettered_at: at }) => <Time at={at} />
    },
    ...(mayRetry
      ? [
          {
            name: "Action",
            cell: (task: Task) => (
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
    <>
      <Notice>{done}</Notice>
      <Problem error={retry.error} />
      <Card {...(title !== undefined && { title })}>
        <div className="border-line flex flex-wrap items-end justify-between gap-3 border-b p-4">
          <div className="w-64 max-w-full">
            <Select label="Kind" value={kind ?? ""} onChange={({ target: { value } }) => onKind(kindOf(value))}>
              <option value="">Any</option>
              {kindNames.map((one) => (
                <option key={one} value={one}>
                  {kinds[one]}
                </option>
              ))}
            </Select>
          </div>
          {mayRetry && count > 0 && (
            <Button
              onClick={() => {
                setDone(null)
                setRetryingAll(true)
              }}
            >
              {kind === undefined ? "Retry all" : "Retry all of this kind"}
            </Button>
          )}
        </div>
        <Remote query={tasks}>
          {({ count: found, page: shown, pages, tasks: rows }) => (
            <PagedTable
              label="Tasks given up"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              count={formats.counted(found, "task", "tasks")}
              pagesLabel="Pages of tasks"
              page={shown}
              pages={pages}
              onPage={onPage}
              empty={
                <Empty title={kind === undefined ? "No task was given up" : "No task of this kind was given up"}>
                  A mail or a change of an external calendar appears here when every attempt has failed.
                </Empty>
              }
            />
          )}
        </Remote>
      </Card>
      {isRetryingAll && (
        <RetryAll
          kind={kind ?? null}
          count={count}
          retryAll={source.retryAll}
          onSettled={() => client.invalidateQueries({ queryKey: [source.key] })}
          onClose={() => setRetryingAll(false)}
          onDone={setDone}
        />
      )}
    </>
  )
}
