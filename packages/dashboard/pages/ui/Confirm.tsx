import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Problem } from "./Problem.tsx"

/** A button that asks before it does something that cannot be undone. */
export const Confirm = ({
  about,
  children,
  doing,
  label,
  onConfirm,
  title
}: {
  /** The text of the button, and of the one that confirms. */
  readonly label: string
  /** What the button is for, where several buttons have the same text. Screen readers read it after the text. */
  readonly about?: string
  readonly title: string
  /** What it will do. */
  readonly children: ReactNode
  /** The text of the button while it is done. */
  readonly doing: string
  readonly onConfirm: () => Promise<unknown>
}) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useMutation({ mutationFn: onConfirm, onSuccess: close })
  return (
    <>
      <Button
        kind="danger"
        aria-label={about === undefined ? undefined : `${label} ${about}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <div className="grid gap-2">{children}</div>
          <Problem error={action.error} />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind="danger" disabled={action.isPending} onClick={() => action.mutate()}>
              {action.isPending ? doing : label}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
