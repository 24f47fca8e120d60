import type { ExternalCalendar } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Problem.tsx"
import { connectionStates, nameOf, type Provider } from "./calendarProviders.ts"

/** What a person should know of the state of a connection. */
const State = ({ connection }: { readonly connection: ExternalCalendar }) => {
  const { formats } = useSession()
  const { calendar, conflicts, created_at: since, status, updated_at: updated } = connection
  return (
    <div className="grid gap-1 text-sm">
      <p className="text-muted break-all">
        <bdi>{calendar}</bdi>
      </p>
      <p className="text-muted">
        Since {formats.time(since)}
        {updated !== since && `, changed ${formats.time(updated)}`}
      </p>
      {status === "credentials_lost" && <p>Frontdesk can no longer use this calendar. Connect it again.</p>}
      {status === "not_set_up" && (
        <p>The operator of this server has switched off this kind of calendar, so it is not used.</p>
      )}
      {conflicts > 0 && (
        <p className="text-warn">
          {conflicts === 1 ? "One appointment ahead was" : `${formats.number(conflicts)} appointments ahead were`}{" "}
          changed or deleted by a person in this calendar.{" "}
          <Link to="/calendar" className="underline">
            Open the calendar
          </Link>
        </p>
      )}
    </div>
  )
}

const Actions = ({
  isOffered,
  onConnect,
  provider
}: {
  readonly provider: Provider
  readonly isOffered: boolean
  readonly onConnect: () => void
}) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const name = nameOf(provider)
  const refresh = () => client.invalidateQueries({ queryKey: ["externalCalendars"] })
  const check = useMutation({ mutationFn: () => api.externalCalendars.check(provider), onSettled: refresh })
  return (
    <div className="grid content-start gap-2 md:max-w-sm">
      <div className="flex flex-wrap gap-2 md:justify-end">
        <Button disabled={check.isPending} aria-label={`Check now: ${name}`} onClick={() => check.mutate()}>
          {check.isPending ? "Checking…" : "Check now"}
        </Button>
        {isOffered && (
          <Button aria-label={`Connect again: ${name}`} onClick={onConnect}>
            Connect again
          </Button>
        )}
        <Button kind="danger" aria-label={`Disconnect ${name}`} onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      </div>
      <div aria-live="polite">
        {check.data !== undefined && (
          <p className={check.data.is_usable ? "text-good" : "text-bad"}>
            {check.data.is_usable ? "The calendar works: " : "The calendar does not work: "}
            {check.data.message}
          </p>
        )}
      </div>
      <Problem error={check.error} />
      {isAsking && (
        <ConfirmDialog
          title={`Disconnect ${name}?`}
          label="Disconnect"
          doing="Disconnecting…"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.externalCalendars.disconnect(provider)
            await refresh()
          }}
        >
          <p>What is busy in this calendar no longer counts, and appointments are no longer copied to it.</p>
          <p>Appointments that were copied to it stay there. The access that was stored is deleted.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** One provider: its connection, or the way to one. */
export const Connection = ({
  connection,
  isOffered,
  mayChange,
  onConnect,
  provider
}: {
  readonly provider: Provider
  readonly connection: ExternalCalendar | null
  readonly isOffered: boolean
  readonly mayChange: boolean
  readonly onConnect: () => void
}) => {
  const name = nameOf(provider)
  const [tone, text] = connection === null ? (["plain", "Not connected"] as const) : connectionStates[connection.status]
  return (
    <li className="border-line grid gap-3 border-b p-4 last:border-b-0 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-1">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {name} <Badge tone={tone}>{text}</Badge>
        </h2>
        {connection !== null && <State connection={connection} />}
        {connection === null && !isOffered && (
          <p className="text-muted">The operator of this server has not set up this kind of calendar.</p>
        )}
      </div>
      {mayChange && connection !== null && <Actions provider={provider} isOffered={isOffered} onConnect={onConnect} />}
      {mayChange && connection === null && isOffered && (
        <div>
          <Button kind="primary" aria-label={`Connect ${name}`} onClick={onConnect}>
            Connect
          </Button>
        </div>
      )}
    </li>
  )
}
