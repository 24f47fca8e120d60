import { type ComponentProps, useEffect, useRef } from "react"
import { Field } from "./Field.tsx"

/** How long a person pauses before a text filters a list, in milliseconds. */
const pause = 400

/** A field that filters a list by a text: after a short pause, with Enter, and when the person leaves the field. */
export const TextFilter = ({
  onFilter,
  value = "",
  ...field
}: Omit<ComponentProps<typeof Field>, "defaultValue" | "onChange" | "value"> & {
  /** The text by which the list is filtered. */
  readonly value?: string | undefined
  /** Receives the text without white space around it. */
  readonly onFilter: (text: string) => void
}) => {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // A link can change the filter. What the person types meanwhile stays.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value
  }, [value])
  const filter = () => {
    clearTimeout(timer.current)
    const text = input.current?.value.trim() ?? ""
    if (text !== value) onFilter(text)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        filter()
      }}
    >
      <Field
        {...field}
        ref={input}
        defaultValue={value}
        onBlur={filter}
        onChange={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(filter, pause)
        }}
      />
    </form>
  )
}
