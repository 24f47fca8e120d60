import type { AccountTask } from "@frontdesk/client"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { TaskList, type TaskSource } from "../tasks/TaskList.tsx"
import type { TaskKind } from "../tasks/taskWords.ts"

const source: TaskSource<AccountTask> = {
  key: "operator-tasks",
  read: (query, signal) => api.operator.tasks(query, { signal }),
  retry: (id) => api.operator.retryTask(id),
  retryAll: (selected) => api.operator.retryTasks(selected)
}

/** The tasks of all accounts that were given up. */
export const TasksOfAccounts = () => {
  const { caller } = useSession()
  const [{ kind, page }, setShown] = useState<{ readonly kind: TaskKind | undefined; readonly page: number }>({
    kind: undefined,
    page: 1
  })
  return (
    <TaskList
      title="Tasks given up, of all accounts"
      source={source}
      kind={kind}
      page={page}
      onKind={(next) => setShown({ kind: next, page: 1 })}
      onPage={(next) => setShown({ kind, page: next })}
      mayRetry={!caller.is_read_only}
      about={({ account_id: id }) => (
        <Link to="/operator" search={{ search: String(id) }} className="text-accent text-xs underline">
          Account {id}
        </Link>
      )}
    />
  )
}
