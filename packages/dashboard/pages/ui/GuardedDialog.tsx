import { useRouter } from "@tanstack/react-router"
import { createContext, type ReactNode, useContext, useEffect } from "react"
import { Dialog } from "./Dialog.tsx"
import { type Unsaved, useUnsaved } from "./Unsaved.tsx"

const LeaveContext = createContext<Unsaved["leave"]>((action) => action())

/** Returns a function that does what takes a form of the dialog away. It first asks a person with unsaved values. */
export const useLeave = (): Unsaved["leave"] => useContext(LeaveContext)

/**
 * A dialog with a form. It asks before Escape, its button ✕, or a way to another address take away what a person has typed. A button
 * named “Cancel” says what it does, and closes it at once.
 */
export const GuardedDialog = ({
  children,
  isChanged = false,
  onClose,
  title
}: {
  readonly title: string
  /** Whether the form has changes that its fields do not show. */
  readonly isChanged?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const { isDiscarded, leave, question, watch } = useUnsaved({ isChanged })
  const router = useRouter()
  // A dialog that is no part of the address would stay above the page that the person has gone to.
  useEffect(
    () =>
      router.subscribe("onResolved", () => {
        if (isDiscarded()) onClose()
      }),
    [router, isDiscarded, onClose]
  )
  return (
    <Dialog title={title} onClose={() => leave(onClose)}>
      <LeaveContext value={leave}>
        <div className="contents" {...watch}>
          {children}
        </div>
      </LeaveContext>
      {question}
    </Dialog>
  )
}
