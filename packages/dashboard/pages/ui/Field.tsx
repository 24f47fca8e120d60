import { type ComponentProps, type ReactNode, useId } from "react"

/** The classes of a date on a narrow screen, where two beside each other would be cut off. */
const narrowDate =
  "max-xs:[&[type=date]]:px-1.5 max-xs:[&[type=date]]:text-xs max-xs:[&::-webkit-calendar-picker-indicator]:ml-0"

/** The classes of a control, for one that has its label elsewhere. */
export const inputLook = `border-field bg-card text-ink min-h-9 w-full min-w-0 rounded-md border px-2.5 py-1.5 text-sm disabled:opacity-60 aria-invalid:border-bad ${narrowDate}`

interface Labelled {
  readonly label: string
  /** A sentence below the field. */
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly problem?: string | undefined
}

/** A label above a control, with a hint and a problem below, which screen readers read with it. */
const Frame = ({
  children,
  hint,
  id,
  label,
  problem
}: Labelled & { readonly id: string; readonly children: ReactNode }) => (
  <div className="grid content-start gap-1">
    <label htmlFor={id} className="text-sm font-medium">
      {label}
    </label>
    {children}
    {hint !== undefined && (
      <p id={`${id}-hint`} className="text-muted text-xs">
        {hint}
      </p>
    )}
    {problem !== undefined && (
      <p id={`${id}-problem`} className="text-bad text-xs">
        {problem}
      </p>
    )}
  </div>
)

const described = (
  id: string,
  { autoFocus, hint, problem }: Labelled & { readonly autoFocus?: boolean | undefined }
) => ({
  id,
  "data-autofocus": autoFocus,
  "aria-invalid": problem !== undefined,
  "aria-describedby":
    [hint === undefined ? "" : `${id}-hint`, problem === undefined ? "" : `${id}-problem`].filter(Boolean).join(" ") ||
    undefined
})

/** A field for one line of text. */
export const Field = ({ hint, label, problem, ...input }: Labelled & ComponentProps<"input">) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input
        className={inputLook}
        {...described(id, { label, hint, problem, autoFocus: input.autoFocus })}
        {...input}
      />
    </Frame>
  )
}

/** A field for several lines of text. */
export const TextField = ({
  hint,
  isFitted = false,
  label,
  problem,
  ...input
}: Labelled &
  ComponentProps<"textarea"> & {
    /** Whether the field is as high as its text, up to a maximum. */
    readonly isFitted?: boolean
  }) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <textarea
        className={isFitted ? `${inputLook} field-sizing-content max-h-60` : inputLook}
        rows={4}
        {...described(id, { label, hint, problem, autoFocus: input.autoFocus })}
        {...input}
      />
    </Frame>
  )
}

/** A choice of one of several values. The options are its children. */
export const Select = ({ hint, label, problem, ...input }: Labelled & ComponentProps<"select">) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select
        className={inputLook}
        {...described(id, { label, hint, problem, autoFocus: input.autoFocus })}
        {...input}
      />
    </Frame>
  )
}

/** A choice between yes and no. */
export const Checkbox = ({ label, ...input }: { readonly label: ReactNode } & ComponentProps<"input">) => (
  <label className="flex min-h-6 items-start gap-2 text-sm">
    <input type="checkbox" className="accent-accent-ground mt-0.5 size-4 shrink-0" {...input} />
    <span>{label}</span>
  </label>
)
