import type { ContactImport, RefusedLine } from "@frontdesk/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { api } from "../app/api.ts"
import { labelOf, sentenceOf } from "../app/problemWords.ts"
import { useSession } from "../app/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { Facts } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Progress } from "../ui/Progress.tsx"
import { Remote } from "../ui/Remote.tsx"
import { type Column, Pages, Table } from "../ui/Table.tsx"
import { importStates, isUnfinished, knownWays } from "./importWords.ts"

const columns: ReadonlyArray<Column<RefusedLine>> = [
  { name: "Line", cell: ({ line }) => line },
  {
    name: "Problems",
    cell: ({ problems }) => (
      <ul className="grid gap-1">
        {problems.map(({ field, message }, index) => (
          <li key={index}>
            {field !== "" && (
              <>
                <bdi className="font-medium">{labelOf(field)}</bdi>:{" "}
              </>
            )}
            {sentenceOf(message)}
          </li>
        ))}
      </ul>
    )
  },
  {
    name: "Cells",
    cell: ({ line, values }) => (
      <details className="max-w-72">
        <summary className="w-max" aria-label={`Cells of line ${line}`}>
          Show
        </summary>
        <dl className="mt-1 grid gap-1 text-xs">
          {Object.entries(values)
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <div key={name}>
                <dt className="text-muted">
                  <bdi>{name}</bdi>
                </dt>
                <dd className="break-words">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
        </dl>
      </details>
    )
  }
]

/** The lines that were not imported, with the reasons. */
const Refused = ({
  count,
  id,
  isRunning
}: {
  readonly id: number
  readonly count: number
  readonly isRunning: boolean
}) => {
  const { formats } = useSession()
  const [page, setPage] = useState(1)
  const query = { page, limit: 20 }
  const lines = useQuery({
    // While the import runs, the number of refused lines tells when there are more of them.
    queryKey: ["contact-imports", id, "refused", query, count],
    queryFn: ({ signal }) => api.contactImports.refused(id, query, { signal }),
    placeholderData: keepPreviousData,
    enabled: !isRunning || count <= query.limit
  })
  return (
    <section className="grid min-w-0 grid-cols-1 gap-2">
      <h3 className="font-medium">Refused lines</h3>
      {isRunning && count > query.limit ? (
        <p className="text-muted">They are listed when the import has ended.</p>
      ) : (
        <div className="border-line min-w-0 rounded-md border">
          <Remote query={lines}>
            {({ count: listed, lines: rows, page: shown, pages }) => (
              <>
                <Table label="Refused lines" columns={columns} rows={rows} keyOf={({ line }) => line} />
                <Pages
                  label="Pages of refused lines"
                  count={
                    listed < count
                      ? `The first ${formats.number(listed)} of ${formats.number(count)}`
                      : `${formats.number(listed)} refused`
                  }
                  page={shown}
                  pages={pages}
                  onPage={setPage}
                />
              </>
            )}
          </Remote>
        </div>
      )}
    </section>
  )
}

const State = ({ found }: { readonly found: ContactImport }) => {
  const { formats } = useSession()
  const { text, tone } = importStates[found.status]
  const [created, updated] = found.dry_run ? ["Would be created", "Would be changed"] : ["Created", "Changed"]
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {found.status === "running" && (
        <Progress
          label="Reading the lines"
          max={Math.max(found.parts, 1)}
          value={found.parts_read}
          text={`${formats.number(found.lines)} lines read`}
        />
      )}
      {found.failure !== null && (
        <p role="alert" className="bg-bad-ground text-bad rounded-md px-3 py-2">
          {found.failure.message}
        </p>
      )}
      <div className="border-line rounded-md border">
        <Facts
          facts={[
            [
              "Status",
              <span key="status" role="status">
                <Badge tone={tone}>{text}</Badge>
              </span>
            ],
            ...(found.dry_run ? [["Kind", "Only a check"] as const] : []),
            ["Created at", formats.time(found.created_at)],
            ["Known contacts", knownWays[found.on_known]],
            ["Lines read", formats.number(found.lines)],
            [created, formats.number(found.created)],
            [updated, formats.number(found.updated)],
            ["Skipped", formats.number(found.skipped)],
            ["Refused", formats.number(found.refused)]
          ]}
        />
      </div>
      {found.refused > 0 && <Refused id={found.id} count={found.refused} isRunning={isUnfinished(found)} />}
    </div>
  )
}

/** How far an import is, and what it came to. While it runs, it is followed. */
export const ImportProgress = ({
  id,
  onClose,
  onImport
}: {
  readonly id: number
  readonly onClose: () => void
  /** Imports the same file after a check. Absent where the file is not at hand. */
  readonly onImport?: () => void
}) => {
  const client = useQueryClient()
  const found = useQuery({
    queryKey: ["contact-imports", id],
    queryFn: ({ signal }) => api.contactImports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnfinished(state.data) ? 1_000 : false)
  })
  const cancel = useMutation({
    mutationFn: () => api.contactImports.cancel(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["contact-imports"] })
  })
  const status = found.data?.status
  const isChecked = found.data?.dry_run === true && status === "finished"
  useEffect(() => {
    if (status === undefined || status === "uploading" || status === "running") return
    void client.invalidateQueries({ queryKey: ["contacts", "list"] })
    void client.invalidateQueries({ queryKey: ["contact-imports", "list"] })
  }, [client, status])
  return (
    <>
      <Remote query={found}>{(one) => <State found={one} />}</Remote>
      <Problem error={cancel.error} />
      {isChecked && onImport === undefined && (
        <p className="text-muted text-sm">This was only a check. To import the contacts, choose the file again.</p>
      )}
      {found.data !== undefined && isUnfinished(found.data) && (
        <p className="text-muted text-sm">
          {found.data.status === "uploading"
            ? "The file is not here in full. If nobody is sending it any more, cancel the import."
            : "The import goes on when this is closed. Cancelling it leaves the contacts that it has created or changed."}
        </p>
      )}
      <DialogActions>
        {found.data !== undefined && isUnfinished(found.data) && (
          <Button kind="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {cancel.isPending ? "Cancelling…" : "Cancel the import"}
          </Button>
        )}
        <Button kind={isChecked && onImport !== undefined ? "plain" : "primary"} onClick={onClose}>
          Close
        </Button>
        {isChecked && onImport !== undefined && (
          <Button kind="primary" onClick={onImport}>
            Import now
          </Button>
        )}
      </DialogActions>
    </>
  )
}
