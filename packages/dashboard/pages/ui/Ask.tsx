import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Problem } from "./Problem.tsx"

/**
 * The dialog that asks before something is done that cannot be undone. It is for a list, where one dialog serves all rows.
 * `Confirm` is the same with a button of its own.
 */
export const Ask = ({
  children,
  doing,
  label,
  onClose,
  onConfirm,
  title
}: {
  readonly title: string
  /** The text of the button that confirms. */
  readonly label: string
  /** The text of the button while it is done. */
  readonly doing: string
  /** What it will do. */
  readonly children: ReactNode
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}) => {
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="grid gap-2">{children}</div>
      <Problem error={action.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" disabled={action.isPending} onClick={() => action.mutate()}>
          {action.isPending ? doing : label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
