import type { AuditEntry, Json } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { words } from "../ui/formats.ts"
import { actorOf, entityOf, type Names, operations, wordsOf } from "./auditWords.ts"

/** The changes of an entry that are shown at once. The others open. */
const maxShown = 5

const useNames = (): Names => {
  const { can } = useSession()
  const keys = useQuery({
    queryKey: ["api-keys"],
    queryFn: ({ signal }) => api.apiKeys.list({ signal }),
    enabled: can("can_manage_keys")
  })
  const members = useQuery({
    queryKey: ["members", "names"],
    queryFn: ({ signal }) => api.members.list({ signal }),
    enabled: can("can_manage_people")
  })
  return {
    ofKey: (id) => keys.data?.api_keys.find((key) => String(key.id) === id)?.name,
    ofMember: (id) => members.data?.members.find((member) => String(member.id) === id)?.name
  }
}

/** Returns a value that is neither a list nor an object as text, and null for any other. */
const scalar = (value: Json): string | null => {
  if (value === null) return "empty"
  return typeof value === "object" ? null : String(value)
}

const Value = ({ value }: { readonly value: Json }) => {
  const { formats } = useSession()
  if (value === null || value === "") return <i>empty</i>
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") return String(value)
  if (typeof value === "object") {
    const parts: ReadonlyArray<readonly [string, Json]> = Object.entries(value)
    const texts = parts.map(([name, part]) => (Array.isArray(value) ? scalar(part) : `${words(name)} ${scalar(part)}`))
    if (parts.length === 0) return <i>empty</i>
    if (parts.some(([, part]) => scalar(part) === null))
      return <code className="font-mono text-xs break-all">{JSON.stringify(value)}</code>
    return <bdi className="wrap-anywhere">{texts.join(", ")}</bdi>
  }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)) return formats.time(value)
  return <bdi className="wrap-anywhere">{value}</bdi>
}

const Change = ({ after, before, field }: AuditEntry["changes"][number]) => (
  <li>
    <span className="text-muted">{words(field)}:</span>{" "}
    {before === undefined && after === undefined ? (
      <i className="text-muted">value not logged</i>
    ) : (
      <>
        {before !== undefined && (
          <>
            <Value value={before} /> <span aria-hidden="true">→</span>
            <span className="sr-only">became</span>{" "}
          </>
        )}
        {after === undefined ? "removed" : <Value value={after} />}
      </>
    )}
  </li>
)

const Changes = ({ changes, unlisted_changes: unlisted }: Pick<AuditEntry, "changes" | "unlisted_changes">) => {
  const { formats } = useSession()
  if (changes.length === 0) return null
  const rest = changes.slice(maxShown)
  return (
    <div className="grid min-w-0 gap-1 text-sm">
      <ul className="grid gap-1">
        {changes.slice(0, maxShown).map((change) => (
          <Change key={change.field} {...change} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details>
          <summary className="text-accent w-max">
            {rest.length === 1 ? "1 more field" : `${formats.number(rest.length)} more fields`}
          </summary>
          <ul className="mt-1 grid gap-1">
            {rest.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </ul>
        </details>
      )}
      {unlisted > 0 && <p className="text-muted">And {formats.number(unlisted)} more, which the log does not name.</p>}
    </div>
  )
}

/** The name of a record, as a link where it has a page. */
const Entity = ({ entity, names }: { readonly entity: AuditEntry["entity"]; readonly names: Names }) => {
  const text = <bdi className="break-all">{entityOf(entity, names)}</bdi>
  const look = "text-accent underline"
  if (entity.id === null) return text
  switch (entity.type) {
    case "call":
      return (
        <Link to="/calls/$id" params={{ id: entity.id }} className={look}>
          {text}
        </Link>
      )
    case "contact":
      return (
        <Link to="/contacts/$id" params={{ id: entity.id }} className={look}>
          {text}
        </Link>
      )
    case "webhook":
      return (
        <Link to="/webhooks/$id" params={{ id: entity.id }} className={look}>
          {text}
        </Link>
      )
    case "calendar_event":
      return (
        <Link to="/calendar" search={{ event: entity.id }} className={look}>
          {text}
        </Link>
      )
    default:
      return text
  }
}

/** Entries of the audit log. */
export const AuditEntries = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }) => {
  const { formats } = useSession()
  const names = useNames()
  return (
    <ol>
      {entries.map(({ actor, at, changes, entity, id, operation, request_id: request, unlisted_changes: unlisted }) => (
        <li
          key={id}
          className="border-line grid gap-x-6 gap-y-2 border-b px-4 py-3 last:border-b-0 lg:grid-cols-[14rem_17rem_minmax(0,1fr)]"
        >
          <div className="grid min-w-0 content-start gap-0.5">
            <time dateTime={at}>{formats.time(at)}</time>
            <p className="text-muted text-xs wrap-anywhere">
              <span className="sr-only">By </span>
              <bdi>{actorOf(actor, names)}</bdi>
            </p>
            {request !== null && <p className="text-muted text-xs break-all">Request {request}</p>}
          </div>
          <div className="grid min-w-0 content-start gap-0.5">
            <h2 className="font-medium">{wordsOf(operations, operation)}</h2>
            <p className="text-xs">
              <Entity entity={entity} names={names} />
            </p>
          </div>
          <Changes changes={changes} unlisted_changes={unlisted} />
        </li>
      ))}
    </ol>
  )
}
