import { useState } from "react"
import { Button } from "./Button.tsx"

/** A value that is shown in this moment alone, with a button that copies it. */
export const Copy = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex gap-2">
        <code className="bg-raised border-line min-w-0 flex-1 rounded-md border px-2.5 py-2 font-mono text-xs break-all">
          {value}
        </code>
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(value).then(() => setCopied(true))
          }}
        >
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
    </div>
  )
}
