import type { Delivery } from "@frontdesk/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Notice } from "../ui/Notice.tsx"
import { Card } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { DeliveryLink, DeliveryStatus, LastAttempt, mayBeSentAgain, statuses } from "./deliveryWords.tsx"
import { RedeliverFailed } from "./RedeliverFailed.tsx"

const route = getRouteApi("/webhooks/$id")

/** The deliveries of a webhook. Those that have failed or were cancelled can be sent again. */
export const Deliveries = ({
  isOff,
  webhookId
}: {
  readonly webhookId: string
  /** Whether the webhook is turned off, so that nothing can be sent to it. */
  readonly isOff: boolean
}) => {
  const { can, formats } = useSession()
  const { page = 1, status } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const known = statuses.find((one) => one === status)
  const query = { page, limit: 25, ...(known !== undefined && { status: known }) }
  const deliveries = useQuery({
    queryKey: ["deliveries", webhookId, query],
    queryFn: ({ signal }) => api.webhooks.deliveries(webhookId, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.status === "pending") === true ? 5_000 : false
  })
  const redeliver = useMutation({
    mutationFn: (id: string) => api.webhooks.redeliver(webhookId, id),
    onSettled: () => client.invalidateQueries({ queryKey: ["deliveries", webhookId] })
  })
  const columns: ReadonlyArray<Column<Delivery>> = [
    { name: "Event", cell: (delivery) => <DeliveryLink {...delivery} /> },
    {
      name: "Status",
      cell: ({ next_attempt_at: next, status: state }) => (
        <div className="grid justify-items-start gap-0.5">
          <DeliveryStatus status={state} />
          {next !== null && (
            <span className="text-muted text-xs">
              next try <Time at={next} />
            </span>
          )}
        </div>
      )
    },
    { name: "Attempts", cell: ({ attempts }) => <LastAttempt attempts={attempts} /> },
    ...(can("can_write_webhooks")
      ? [
          {
            name: "Action",
            cell: ({ created_at: at, event_type: name, id, status: state }: Delivery) =>
              mayBeSentAgain({ status: state }) && (
                <Button
                  disabled={isOff || redeliver.isPending}
                  aria-label={`Send again: ${name}, ${formats.time(at)}`}
                  onClick={() => redeliver.mutate(id)}
                >
                  Send again
                </Button>
              )
          }
        ]
      : [])
  ]
  return (
    <Card
      title="Deliveries"
      actions={
        <div className="flex flex-wrap items-end gap-3">
          {can("can_write_webhooks") && (
            <Button disabled={isOff} onClick={() => setAsked(true)}>
              Send all failed again
            </Button>
          )}
          <div className="w-44">
            <Select
              label="Status"
              value={known ?? ""}
              onChange={({ target: { value } }) =>
                void navigate({ search: () => (value === "" ? {} : { status: value }), replace: true })
              }
            >
              <option value="">Any</option>
              {statuses.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </Select>
          </div>
        </div>
      }
    >
      <Notice>{done}</Notice>
      <Problem error={redeliver.error} />
      <Remote query={deliveries}>
        {({ count, count_is_capped: isCapped, deliveries: rows, page: shown, pages }) => (
          <PagedTable
            label="Deliveries"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            count={formats.counted(count, "delivery", "deliveries", isCapped)}
            page={shown}
            pages={pages}
            onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
            empty={<Empty title={known === undefined ? "No deliveries yet" : "No delivery has this status"} />}
          />
        )}
      </Remote>
      {isAsked && <RedeliverFailed webhookId={webhookId} onClose={() => setAsked(false)} onDone={setDone} />}
    </Card>
  )
}
