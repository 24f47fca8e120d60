import type { AuditExportQuery } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Problem.tsx"

/** Returns the cursor of the last line of a page of the export. */
const lastCursor = (page: string): string => {
  const last: unknown = JSON.parse(page.trimEnd().split("\n").at(-1) ?? "null")
  if (typeof last === "object" && last !== null && "cursor" in last && typeof last.cursor === "string")
    return last.cursor
  throw new Error("The last line of the export has no cursor")
}

const save = (parts: ReadonlyArray<string>, name: string) => {
  const url = URL.createObjectURL(new Blob([...parts], { type: "application/x-ndjson" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Downloads all entries that match the filters as a file. The API gives them a page at a time. */
export const AuditExport = ({ query }: { readonly query: AuditExportQuery }) => {
  const { formats } = useSession()
  const [count, setCount] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const download = useMutation({
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
      save(parts, `audit-log-${formats.today()}.jsonl`)
      return sum
    }
  })
  const entries = (number: number) => formats.counted(number, "entry", "entries")
  const state = download.isPending
    ? `${entries(count)} loaded…`
    : download.isSuccess
      ? `${entries(download.data)} in the file.`
      : ""
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={state === "" ? "sr-only" : "text-muted text-sm"} role="status">
        {state}
      </p>
      {download.isPending ? (
        <Button onClick={() => stop.current?.abort()}>Stop</Button>
      ) : (
        <Button
          onClick={() => {
            const controller = new AbortController()
            stop.current = controller
            setCount(0)
            download.mutate(controller.signal)
          }}
        >
          Download as JSON Lines
        </Button>
      )}
      {stop.current?.signal.aborted !== true && <Problem error={download.error} />}
    </div>
  )
}
