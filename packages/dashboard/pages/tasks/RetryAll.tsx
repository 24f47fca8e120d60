import type { TasksRetried } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Problem } from "../ui/Problem.tsx"
import type { TaskSource } from "./TaskList.tsx"
import { kinds, type TaskKind } from "./taskWords.ts"

/** Retries all tasks of a kind, or of every kind. The API retries some at a time. */
export const RetryAll = ({
  count,
  kind,
  onClose,
  onDone,
  onSettled,
  retryAll
}: {
  readonly kind: TaskKind | null
  readonly count: number
  readonly retryAll: TaskSource<unknown>["retryAll"]
  readonly onSettled: () => Promise<void>
  readonly onClose: () => void
  readonly onDone: (message: string) => void
}) => {
  const { formats } = useSession()
  const [retried, setRetried] = useState(0)
  const retry = useMutation({
    mutationFn: async () => {
      let sum = 0
      let before: number | null = null
      do {
        const answer: TasksRetried = await retryAll({
          ...(kind !== null && { kind }),
          ...(before !== null && { before_id: before })
        })
        sum += answer.retried
        setRetried(sum)
        before = answer.next_before_id
      } while (before !== null)
      return sum
    },
    onSuccess: (sum) => {
      onDone(`${sum === 1 ? "1 task runs" : `${formats.number(sum)} tasks run`} again. What fails again returns here.`)
      onClose()
    },
    onSettled
  })
  return (
    <Dialog title="Retry all?" onClose={onClose}>
      <p>
        {kind === null ? "All tasks given up" : kinds[kind]}, {formats.number(count)} in all, run again at once.
        {kind !== "calendar" && " A mail that is no longer valid is not sent."}
      </p>
      <p className="text-muted" aria-live="polite">
        {retry.isPending && `${formats.number(retried)} of ${formats.number(count)} retried…`}
      </p>
      <Problem error={retry.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
          {retry.isPending ? "Retrying…" : "Retry all"}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
