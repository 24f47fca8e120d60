import type { Delivery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { DeliveryLink, DeliveryStatus } from "./deliveryWords.tsx"

/** The record that the webhook events are about, by an id that its page has. */
type About = { readonly call: string } | { readonly event: string }

/** Reads a page of the deliveries about a call or a calendar event. */
const read = (about: About, query: { readonly page: number; readonly limit: number }, signal: AbortSignal) =>
  "call" in about
    ? api.calls.deliveries(about.call, query, { signal })
    : api.calendar.deliveries(about.event, query, { signal })

/** How often a delivery was tried, and what came of the last attempt. */
const Attempts = ({ attempts }: Pick<Delivery, "attempts">) => {
  const { formats } = useSession()
  const last = attempts.at(-1)
  if (last === undefined) return <span className="text-muted">None yet</span>
  const outcome = last.status_code === null ? last.error : `answer ${last.status_code}`
  return (
    <div className="grid">
      <span>{formats.counted(attempts.length, "attempt", "attempts")}</span>
      <span className="text-muted text-xs wrap-anywhere">
        {attempts.length === 1 ? outcome : `the last one: ${outcome}`}
      </span>
    </div>
  )
}

/** The deliveries of the webhook events about one call or calendar event, to all webhooks of the account. */
export const RelatedDeliveries = ({
  about,
  liveUntil = 0
}: {
  readonly about: About
  /** Until when more webhook events may follow, in epoch milliseconds, so that the list is read again and again. */
  readonly liveUntil?: number
}) => {
  const { formats } = useSession()
  const [page, setPage] = useState(1)
  const query = { page, limit: 10 }
  const webhooks = useQuery({ queryKey: ["webhooks"], queryFn: ({ signal }) => api.webhooks.list({ signal }) })
  const deliveries = useQuery({
    queryKey: ["related-deliveries", about, query],
    queryFn: ({ signal }) => read(about, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      Date.now() < liveUntil || state.data?.deliveries.some(({ status }) => status === "pending") === true
        ? 5_000
        : false
  })
  const nameOf = (id: number): string => webhooks.data?.webhooks.find((webhook) => webhook.id === id)?.name ?? `${id}`
  const columns: ReadonlyArray<Column<Delivery>> = [
    { name: "Event", cell: (delivery) => <DeliveryLink {...delivery} /> },
    { name: "Webhook", cell: ({ webhook_id: id }) => <bdi className="wrap-anywhere">{nameOf(id)}</bdi> },
    { name: "Status", cell: ({ status }) => <DeliveryStatus status={status} /> },
    { name: "Attempts", cell: ({ attempts }) => <Attempts attempts={attempts} />, isExtra: true }
  ]
  return (
    <Remote query={deliveries}>
      {({ count, count_is_capped: isCapped, deliveries: rows, page: shown, pages }) => (
        <PagedTable
          label="Webhook deliveries"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          pagesLabel="Pages of deliveries"
          count={formats.counted(count, "delivery", "deliveries", isCapped)}
          page={shown}
          pages={pages}
          onPage={setPage}
          empty={
            <p className="text-muted p-4">
              There are none: no webhook subscribes to these events, or they are too old to be kept.
            </p>
          }
        />
      )}
    </Remote>
  )
}
