import type { ExternalBusyTimes } from "@frontdesk/client"
import { Link } from "@tanstack/react-router"
import { useSession } from "../app/Session.tsx"
import { connectionStates, nameOf, useExternalCalendars } from "../settings/calendarProviders.ts"
import { Badge } from "../ui/Badge.tsx"

/** The external calendars of the account, with what is known of each, and the way to their settings. */
export const Connections = ({ busy }: { readonly busy: ExternalBusyTimes | undefined }) => {
  const { can, formats } = useSession()
  const { data } = useExternalCalendars(can("can_read_account"))
  if (data === undefined) return null
  return (
    <section
      aria-label="Connected calendars"
      className="border-line flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2 text-sm"
    >
      {data.connections.length === 0 && <p className="text-muted">No other calendar is connected.</p>}
      <ul className="flex flex-wrap gap-x-4 gap-y-2">
        {data.connections.map(({ conflicts, provider, status }) => {
          const isUnread = status === "connected" && busy?.unavailable.includes(provider) === true
          const [tone, text] = isUnread ? (["warn", "Cannot be read now"] as const) : connectionStates[status]
          const readAt = busy?.external_calendars[provider]
          return (
            <li key={provider} className="flex flex-wrap items-center gap-2">
              {nameOf(provider)} <Badge tone={tone}>{text}</Badge>
              {readAt !== undefined && <span className="text-muted text-xs">read at {formats.clock(readAt)}</span>}
              {conflicts > 0 && (
                <span className="text-warn text-xs">
                  {formats.counted(conflicts, "event changed there", "events changed there")}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <Link to="/settings/calendars" className="text-accent underline">
        {data.connections.length === 0 ? "Connect a calendar" : "Calendars in the settings"}
      </Link>
    </section>
  )
}
