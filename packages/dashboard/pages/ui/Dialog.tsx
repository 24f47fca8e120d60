import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { Button } from "./Button.tsx"

/**
 * Gives the focus to the control with `autoFocus`, or else to the first field. React focuses before the dialog is open, when
 * nothing inside can have the focus.
 */
const focusFirst = (content: HTMLElement): void => {
  const control =
    content.querySelector<HTMLElement>("[data-autofocus=true]") ??
    content.querySelector<HTMLElement>("input:enabled, select:enabled, textarea:enabled")
  control?.focus()
}

/**
 * A dialog above the page, as the browser has it: the focus begins at its first field and stays inside, Escape closes it, and
 * afterwards the focus returns to where it was. It is open while it is rendered.
 */
export const Dialog = ({
  children,
  isKept = false,
  onClose,
  title
}: {
  readonly title: string
  /** Whether only a button of its content closes the dialog, because what it shows is lost then. */
  readonly isKept?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  // Closed before the browser removes it. Otherwise the focus would not return.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    if (content.current !== null) focusFirst(content.current)
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // An Escape in a dialog above this one is not for this one. While a person composes a character, it ends the composition.
        const isMine = event.target instanceof Element && event.target.closest("dialog") === event.currentTarget
        if (event.key !== "Escape" || event.nativeEvent.isComposing || !isMine) return
        // A browser closes a dialog at the second Escape, and one without an action of the person in between together with the
        // dialog below, whatever `onCancel` says.
        event.preventDefault()
        if (!isKept) onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (!isKept) onClose()
      }}
      className="bg-card text-ink border-line m-auto max-h-[90dvh] w-[min(36rem,calc(100vw-2rem))] overflow-y-auto rounded-xl border p-0"
    >
      <header className="border-line flex items-center justify-between gap-3 border-b px-5 py-3">
        <h2 id={id} className="min-w-0 font-semibold wrap-anywhere">
          {title}
        </h2>
        {!isKept && (
          <Button kind="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        )}
      </header>
      <div ref={content} className="grid gap-4 p-5">
        {children}
      </div>
    </dialog>
  )
}

/** The buttons at the end of a form in a dialog. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2 pt-2">{children}</div>
)
