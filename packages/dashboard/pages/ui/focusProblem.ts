import { type RefObject, useEffect } from "react"

/** Moves the focus to the first field of a form that has a problem, which may be out of sight in a long form. */
export const focusProblem = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()

/** Moves the focus to the first field with a problem each time a form was not accepted. Without an error it does nothing. */
export const useFocusOnProblem = (form: RefObject<HTMLFormElement | null>, error: unknown): void =>
  useEffect(() => {
    if (error !== null) focusProblem(form.current)
  }, [form, error])
