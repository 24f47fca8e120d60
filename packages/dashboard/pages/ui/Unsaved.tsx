import { useBlocker } from "@tanstack/react-router"
import { type FocusEvent, type InputEvent, type ReactNode, useCallback, useRef, useState } from "react"
import { ConfirmDialog } from "./ConfirmDialog.tsx"

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (target: EventTarget): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/** Returns what a person has written or chosen in a control. */
const stateOf = (control: Control): string =>
  control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")
    ? String(control.checked)
    : control.value

/** What a form needs so that its values are not lost without a question. */
export interface Unsaved {
  /** The handlers of the element around the form. They learn which of its fields a person changes. */
  readonly watch: {
    readonly onFocus: (event: FocusEvent) => void
    readonly onInput: (event: InputEvent) => void
  }
  /** Does what takes the form away. A person with unsaved values is asked first. */
  readonly leave: (action: () => void) => void
  /** Returns whether the person has agreed to lose the values on the way to another address. */
  readonly isDiscarded: () => boolean
  /** The question, while it is asked. */
  readonly question: ReactNode
}

/**
 * Asks before the values of a form are lost: when a link or a button of the browser leads elsewhere, and by `leave`. A form has unsaved
 * values while a field that it shows has another value than before the person changed it. A form that is saved shows new fields, or
 * none.
 */
export const useUnsaved = ({
  isChanged = false,
  isPageKept = false
}: {
  /** Whether the form has changes that its fields do not show, such as a row that was removed. */
  readonly isChanged?: boolean
  /** Whether the form stays when only the part of the address after `?` changes. */
  readonly isPageKept?: boolean
} = {}): Unsaved => {
  // The value of each field before its first change. A field that was never focused has none, and is changed by any input.
  const before = useRef(new Map<Control, string>())
  const touched = useRef(new Set<Control>())
  const isAgreed = useRef(false)
  const [asked, setAsked] = useState<{ readonly action: () => void } | null>(null)
  const isUnsaved = (): boolean =>
    !isAgreed.current &&
    (isChanged ||
      [...touched.current].some((control) => control.isConnected && before.current.get(control) !== stateOf(control)))
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved() && !(isPageKept && current.pathname === next.pathname),
    enableBeforeUnload: isUnsaved,
    withResolver: true
  })
  const onFocus = useCallback(({ target }: FocusEvent) => {
    if (isControl(target) && !before.current.has(target)) before.current.set(target, stateOf(target))
  }, [])
  const onInput = useCallback(({ target }: InputEvent) => {
    if (isControl(target)) touched.current.add(target)
  }, [])
  const question = (onDiscard: () => void, onStay: () => void) => (
    <ConfirmDialog
      title="Discard what you have changed?"
      label="Discard"
      doing="Discarding…"
      cancel="Go on editing"
      onClose={onStay}
      onConfirm={() => {
        isAgreed.current = true
        onDiscard()
        return Promise.resolve()
      }}
    >
      <p>It is not saved.</p>
    </ConfirmDialog>
  )
  return {
    watch: { onFocus, onInput },
    leave: (action) => {
      if (isUnsaved()) setAsked({ action })
      else action()
    },
    isDiscarded: () => isAgreed.current,
    question:
      asked !== null
        ? question(
            () => {
              asked.action()
              // The next form in the same place begins anew.
              touched.current.clear()
              before.current.clear()
              isAgreed.current = false
            },
            () => setAsked(null)
          )
        : blocker.status === "blocked"
          ? question(blocker.proceed, blocker.reset)
          : null
  }
}
