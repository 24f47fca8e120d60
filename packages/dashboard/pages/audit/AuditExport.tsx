import type { AuditExportQuery } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { download } from "../ui/download.ts"
import { Problem } from "../ui/Problem.tsx"

/** Returns the cursor of the last line of a page of the export. */
const lastCursor = (page: string): string => {
  const last: unknown = JSON.parse(page.trimEnd().split("\n").at(-1) ?? "null")
  if (typeof last === "object" && last !== null && "cursor" in last && typeof last.cursor === "string")
    return last.cursor
  throw new Error("The last line of the export has no cursor")
}

/** Downloads all entries that match the filters as a file. The API gives them a page at a time. */
export const AuditExport = ({ query }: { readonly query: AuditExportQuery }) => {
  const { formats } = useSession()
  const [count, setCount] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const exporting = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const parts: Array<string> = []
      let sum = 0
      let cursor: string | undefined
      for (;;) {
        const page = await api.audit.export({ ...query, limit: 500, cursor }, { signal })
        if (page === "") break
        parts.push(page)
        sum += page.trimEnd().split("\n").length
        setCount(sum)
        cursor = lastCursor(page)
      }
      download(`audit-log-${formats.today()}.jsonl`, "application/x-ndjson", parts)
      return sum
    }
  })
  const entries = (number: number) => formats.counted(number, "entry", "entries")
  const state = exporting.isPending
    ? `${entries(count)} loaded…`
    : exporting.isSuccess
      ? `${entries(exporting.data)} in the file.`
      : ""
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={state === "" ? "sr-only" : "text-muted text-sm"} role="status">
        {state}
      </p>
      {exporting.isPending ? (
        <Button onClick={() => stop.current?.abort()}>Stop</Button>
      ) : (
        <Button
          onClick={() => {
            const controller = new AbortController()
            stop.current = controller
            setCount(0)
            exporting.mutate(controller.signal)
          }}
        >
          Download as JSON Lines
        </Button>
      )}
      {stop.current?.signal.aborted !== true && <Problem error={exporting.error} />}
    </div>
  )
}
