import { useId } from "react"

/** How far a long task is. The sentence says the same as the bar. */
export const Progress = ({
  label,
  max,
  text,
  value
}: {
  readonly label: string
  readonly text: string
  readonly max?: number
  /** How much is done. Without it, the task has no known end. */
  readonly value?: number
}) => {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <progress
        id={id}
        max={max}
        value={value}
        className="bg-raised indeterminate:bg-accent-ground [&::-moz-progress-bar]:bg-accent-ground [&::-webkit-progress-value]:bg-accent-ground h-2 w-full appearance-none overflow-hidden rounded-full border-0 indeterminate:animate-pulse [&::-webkit-progress-bar]:bg-transparent indeterminate:[&::-moz-progress-bar]:bg-transparent"
      />
      <p className="text-muted text-sm" aria-live="polite">
        {text}
      </p>
    </div>
  )
}
