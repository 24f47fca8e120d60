import type { ContactImport } from "@frontdesk/client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Card } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { ImportProgress } from "./ImportProgress.tsx"
import { importStates, isUnfinished } from "./importWords.ts"

/** The imports of the last 30 days. Those that run are followed. */
export const Imports = () => {
  const { formats } = useSession()
  const client = useQueryClient()
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<number | null>(null)
  const query = { page, limit: 5 }
  const imports = useQuery({
    queryKey: ["contact-imports", "list", query],
    queryFn: ({ signal }) => api.contactImports.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.imports.some(isUnfinished) === true ? 3_000 : false)
  })
  // An import that was running has changed contacts when it ends, also while no dialog shows it.
  const running = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const rows = imports.data?.imports ?? []
    const hasEnded = rows.some((one) => running.current.has(one.id) && !isUnfinished(one))
    running.current = new Set(rows.filter(isUnfinished).map(({ id }) => id))
    if (hasEnded) void client.invalidateQueries({ queryKey: ["contacts", "list"] })
  }, [client, imports.data])
  const columns: ReadonlyArray<Column<ContactImport>> = [
    {
      name: "Begun",
      cell: ({ created_at: at, dry_run: isDry }) => (
        <div className="grid">
          <span>{formats.time(at)}</span>
          {isDry && <span className="text-muted text-xs">Only a check</span>}
        </div>
      )
    },
    {
      name: "Status",
      cell: ({ status }) => <Badge tone={importStates[status].tone}>{importStates[status].text}</Badge>
    },
    { name: "Lines", cell: ({ lines }) => formats.number(lines), isNumber: true, isExtra: true },
    { name: "Created", cell: ({ created }) => formats.number(created), isNumber: true, isExtra: true },
    { name: "Changed", cell: ({ updated }) => formats.number(updated), isNumber: true, isExtra: true },
    { name: "Refused", cell: ({ refused }) => formats.number(refused), isNumber: true, isExtra: true },
    {
      name: "Action",
      cell: ({ created_at: at, id }) => (
        <Button aria-label={`Show the import of ${formats.time(at)}`} onClick={() => setShown(id)}>
          Show
        </Button>
      )
    }
  ]
  return (
    <Card title="Imports">
      <Remote query={imports}>
        {({ count, imports: rows, page: current, pages }) => (
          <PagedTable
            label="Imports"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            pagesLabel="Pages of imports"
            count={formats.counted(count, "import", "imports")}
            page={current}
            pages={pages}
            onPage={setPage}
            empty={<Empty title="No imports yet">An import stays here for 30 days.</Empty>}
          />
        )}
      </Remote>
      {shown !== null && (
        <Dialog title="Import" onClose={() => setShown(null)}>
          <ImportProgress id={shown} onClose={() => setShown(null)} />
        </Dialog>
      )}
    </Card>
  )
}
