import type { AuditListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { api } from "../app/api.ts"
import { filterIn, type Filters } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { AuditEntries } from "./AuditEntries.tsx"
import { AuditExport } from "./AuditExport.tsx"
import { actorTypes, entityTypes, operations } from "./auditWords.ts"

const route = getRouteApi("/audit")

type Search = Filters<"actor_type" | "operation" | "entity_type" | "entity_id" | "start_date" | "end_date" | "cursor">

const isName = <Name extends string>(names: Readonly<Record<Name, string>>, text: string): text is Name =>
  Object.hasOwn(names, text)

/** Returns a text of the address if the API knows it. A filter with any other text is left out. */
const known = <Name extends string>(names: Readonly<Record<Name, string>>, text = ""): Name | undefined =>
  isName(names, text) ? text : undefined

/** Returns the query of the API for the filters in the address of the page. */
const queryOf = (search: Search): AuditListQuery => ({
  entity_id: search.entity_id,
  start_date: search.start_date,
  end_date: search.end_date,
  actor_type: known(actorTypes, search.actor_type),
  entity_type: known(entityTypes, search.entity_type),
  operation: known(operations, search.operation)
})

const Options = ({ names }: { readonly names: Readonly<Record<string, string>> }) => (
  <>
    <option value="">Any</option>
    {Object.entries(names).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)

const AuditFilters = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter = (change: Partial<Search>) =>
    void navigate({ search: (current) => ({ ...current, cursor: undefined, ...change }), replace: true })
  const record = useRef<HTMLInputElement>(null)
  // The field keeps the focus when the address changes, so it is not made anew.
  useEffect(() => {
    if (record.current !== null) record.current.value = search.entity_id ?? ""
  }, [search.entity_id])
  return (
    <div className="grid grid-cols-2 gap-3 p-4 md:grid-cols-3 xl:grid-cols-6">
      <Select
        label="Who"
        value={search.actor_type ?? ""}
        onChange={({ target: { value } }) => filter({ actor_type: filterIn(value) })}
      >
        <Options names={actorTypes} />
      </Select>
      <Select
        label="What"
        value={search.operation ?? ""}
        onChange={({ target: { value } }) => filter({ operation: filterIn(value) })}
      >
        <Options names={operations} />
      </Select>
      <Select
        label="Kind of record"
        value={search.entity_type ?? ""}
        onChange={({ target: { value } }) => filter({ entity_type: filterIn(value), entity_id: undefined })}
      >
        <Options names={entityTypes} />
      </Select>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get("id")
          filter({ entity_id: filterIn(typeof given === "string" ? given.trim() : "") })
        }}
      >
        <Field
          label="Id of the record"
          name="id"
          maxLength={200}
          disabled={search.entity_type === undefined}
          {...(search.entity_type === undefined && { placeholder: "Choose its kind first" })}
          ref={record}
          defaultValue={search.entity_id}
          onBlur={(event) => {
            if (event.currentTarget.value.trim() !== (search.entity_id ?? "")) event.currentTarget.form?.requestSubmit()
          }}
        />
      </form>
      <Field
        label="From"
        type="date"
        value={search.start_date ?? ""}
        onChange={({ target: { value } }) => filter({ start_date: filterIn(value) })}
      />
      <Field
        label="To"
        type="date"
        value={search.end_date ?? ""}
        onChange={({ target: { value } }) => filter({ end_date: filterIn(value) })}
      />
    </div>
  )
}

/** The way to older entries, and back. The log has no page numbers, because it grows while it is read. */
const Older = ({ next }: { readonly next: string | null }) => {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  /** For each place that was read, the place before it. The first is at the beginning. */
  const [newer, setNewer] = useState<ReadonlyMap<string, string | undefined>>(new Map())
  if (cursor === undefined && next === null) return null
  const go = (to: string | undefined) => void navigate({ search: (current) => ({ ...current, cursor: to }) })
  return (
    <nav aria-label="Pages" className="border-line flex flex-wrap justify-end gap-2 border-t px-4 py-2.5">
      <Button disabled={cursor === undefined} onClick={() => go(undefined)}>
        Newest
      </Button>
      <Button
        disabled={cursor === undefined || !newer.has(cursor)}
        onClick={() => go(cursor === undefined ? undefined : newer.get(cursor))}
      >
        Newer
      </Button>
      <Button
        disabled={next === null}
        onClick={() => {
          if (next === null) return
          setNewer(new Map([...newer, [next, cursor]]))
          go(next)
        }}
      >
        Older
      </Button>
    </nav>
  )
}

/** The changes in the account, with filters that are a part of the address. */
export const AuditPage = () => {
  const { can } = useSession()
  const search = route.useSearch()
  const filters = queryOf(search)
  const query = { ...filters, limit: 50, cursor: search.cursor }
  const log = useQuery({
    queryKey: ["audit", query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }),
    placeholderData: keepPreviousData
  })
  const isFiltered = Object.keys(search).some((name) => name !== "cursor")
  return (
    <Page
      title="Audit log"
      hint="Every change in the account, newest first: who made it, from where, and what it changed."
      actions={can("can_read_audit") && <AuditExport key={JSON.stringify(filters)} query={filters} />}
    >
      <Card>
        <AuditFilters />
        <div className="border-line border-t">
          <Remote query={log}>
            {({ entries, next_cursor: next }) => (
              <>
                {entries.length === 0 ? (
                  <Empty
                    title={
                      search.cursor !== undefined
                        ? "No older entries"
                        : isFiltered
                          ? "No entry has all of these"
                          : "No changes yet"
                    }
                  >
                    {isFiltered && (
                      <Link to="/audit" className="text-accent underline">
                        Show the whole log
                      </Link>
                    )}
                  </Empty>
                ) : (
                  <AuditEntries entries={entries} />
                )}
                <Older next={next} />
              </>
            )}
          </Remote>
        </div>
      </Card>
    </Page>
  )
}
