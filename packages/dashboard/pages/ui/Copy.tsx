import { useRef, useState } from "react"
import { Button } from "./Button.tsx"

/** A value that is shown in this moment alone, with a button that copies it. */
export const Copy = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const shown = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // A page over http may not copy, so it selects the value for the person to copy.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
    }
  }
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex items-start gap-2">
        <code
          ref={shown}
          className="bg-raised border-line min-w-0 flex-1 rounded-md border px-2.5 py-2 font-mono text-xs break-all"
        >
          {value}
        </code>
        <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</Button>
      </div>
    </div>
  )
}
