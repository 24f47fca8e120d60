import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Problem } from "./Problem.tsx"

/** Asks before something that cannot be undone. A list opens it for one of its rows. */
export const ConfirmDialog = ({
  cancel = "Cancel",
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
  /** The text of the button that does not confirm. */
  readonly cancel?: string
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
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="danger" disabled={action.isPending} onClick={() => action.mutate()}>
          {action.isPending ? doing : label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
