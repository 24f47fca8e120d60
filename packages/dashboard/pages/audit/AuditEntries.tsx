import type { AuditEntry, Json } from "@frontdesk/client"
import { Link } from "@tanstack/react-router"
import { useSession } from "../app/Session.tsx"
import { words } from "../ui/formats.ts"
import { valueOf } from "./auditValues.ts"
import { actorOf, entityOf, type Names, operations, wordsOf } from "./auditWords.ts"
import { useNames } from "./useNames.ts"

/** The changes of an entry that are shown at once. The others open. */
const maxShown = 5

const Value = ({ field, value }: { readonly field: string; readonly value: Json }) => {
  const { formats } = useSession()
  const text = valueOf(field, value, formats)
  return text === "" ? <i>empty</i> : <bdi className="wrap-anywhere">{text}</bdi>
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
            <Value field={field} value={before} /> <span aria-hidden="true">→</span>
            <span className="sr-only">became</span>{" "}
          </>
        )}
        {after === undefined ? "removed" : <Value field={field} value={after} />}
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
    case "agent":
      return (
        <Link to="/agents/$id" params={{ id: entity.id }} className={look}>
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
      {entries.map((entry) => (
        <li
          key={entry.id}
          className="border-line grid gap-x-6 gap-y-2 border-b px-4 py-3 last:border-b-0 lg:grid-cols-[14rem_17rem_minmax(0,1fr)]"
        >
          <div className="grid min-w-0 content-start gap-0.5">
            <time dateTime={entry.at}>{formats.moment(entry.at)}</time>
            <p className="text-muted text-xs wrap-anywhere">
              <span className="sr-only">By </span>
              <bdi>{actorOf(entry.actor, names)}</bdi>
            </p>
            {entry.client_address !== null && (
              <p className="text-muted text-xs break-all">From {entry.client_address}</p>
            )}
            {entry.request_id !== null && <p className="text-muted text-xs break-all">Request {entry.request_id}</p>}
          </div>
          <div className="grid min-w-0 content-start gap-0.5">
            <h2 className="font-medium">{wordsOf(operations, entry.operation)}</h2>
            <p className="text-xs">
              <Entity entity={entry.entity} names={names} />
            </p>
          </div>
          <Changes {...entry} />
        </li>
      ))}
    </ol>
  )
}
