import { type ComponentProps, useState } from "react"
import { Button } from "./Button.tsx"
import { ConfirmDialog } from "./ConfirmDialog.tsx"

/** A button that asks before it does something that cannot be undone. `name` says more than its label, for screen readers. */
export const Confirm = ({
  name,
  ...dialog
}: Omit<ComponentProps<typeof ConfirmDialog>, "onClose"> & { readonly name?: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="danger" aria-label={name} onClick={() => setOpen(true)}>
        {dialog.label}
      </Button>
      {isOpen && <ConfirmDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}
