import { type ReactNode, useRef } from "react"
import { Button } from "./Button.tsx"
import { DialogActions } from "./Dialog.tsx"
import { useFocusOnProblem } from "./focusProblem.ts"
import { FormProblem } from "./FormProblem.tsx"
import { GuardedDialog } from "./GuardedDialog.tsx"

/** A dialog with a form, whose last button sends it. It asks before it closes with unsaved values, except by its button “Cancel”. */
export const FormDialog = ({
  children,
  doing,
  error = null,
  fields = [],
  isPending,
  label,
  onClose,
  onSubmit,
  title
}: {
  readonly title: string
  /** The text of the button that sends the form. */
  readonly label: string
  /** The text of the button while the form is sent. */
  readonly doing: string
  readonly isPending: boolean
  /** Why the form was not accepted, unless its children say it. */
  readonly error?: unknown
  /** The fields of the API whose problems the children show. */
  readonly fields?: ReadonlyArray<string>
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
  /** The fields. */
  readonly children: ReactNode
}) => {
  const form = useRef<HTMLFormElement>(null)
  useFocusOnProblem(form, error)
  return (
    <GuardedDialog title={title} onClose={onClose}>
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(new FormData(event.currentTarget))
        }}
      >
        {children}
        <FormProblem error={error} fields={fields} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isPending}>
            {isPending ? doing : label}
          </Button>
        </DialogActions>
      </form>
    </GuardedDialog>
  )
}
