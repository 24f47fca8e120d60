import { Button } from "./Button.tsx"
import { Copy } from "./Copy.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"

/** A dialog with a secret that no later answer of the API has. */
export const ShownOnce = ({
  hint,
  label,
  onClose,
  title,
  value
}: {
  readonly title: string
  readonly label: string
  readonly value: string
  /** Where to store it. */
  readonly hint: string
  readonly onClose: () => void
}) => (
  <Dialog title={title} isKept onClose={onClose}>
    <Copy label={label} value={value} />
    <p className="text-muted">It is shown only now. {hint}</p>
    <DialogActions>
      <Button kind="primary" onClick={onClose}>
        I have stored it
      </Button>
    </DialogActions>
  </Dialog>
)
