import { type ComponentProps, useState } from "react"
import { Button } from "./Button.tsx"
import { ConfirmDialog } from "./ConfirmDialog.tsx"

/** A button that asks before it does something that cannot be undone. */
export const Confirm = ({
  about,
  ...dialog
}: Omit<ComponentProps<typeof ConfirmDialog>, "onClose"> & {
  /** What the button is for, where several buttons have the same text. Screen readers read it after the text. */
  readonly about?: string
}) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="danger"
        aria-label={about === undefined ? undefined : `${dialog.label} ${about}`}
        onClick={() => setOpen(true)}
      >
        {dialog.label}
      </Button>
      {isOpen && <ConfirmDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}
