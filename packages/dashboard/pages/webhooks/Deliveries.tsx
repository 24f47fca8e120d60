import type { Delivery } from "@frontdesk/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Card } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"

const route = getRouteApi("/webhooks/$id")

const statuses = ["pending", "delivered", "failed", "cancelled"] as const satisfies ReadonlyArray<Delivery["status"]>

const tones: { readonly [Status in Delivery["status"]]: Tone } = {
  pending: "info",
  delivered: "good",
  failed: "bad",
  cancelled: "plain"
}

/** The attempts of a delivery, with what each came to. */
const Attempts = ({ attempts }: Pick<Delivery, "attempts">) => {
  const { formats } = useSession()
  if (attempts.length === 0) return <span className="text-muted">None yet</span>
  return (
    <details>
      <summary className="w-max">
        {formats.number(attempts.length)} · {attempts.at(-1)?.status_code ?? attempts.at(-1)?.error}
      </summary>
      <ol className="text-muted mt-1 grid gap-1 text-xs">
        {attempts.map(({ duration_ms: duration, error, kind, number, started_at: at, status_code: status }) => (
          <li key={number}>
            {formats.time(at)}: {status ?? error} in {formats.number(duration)} ms
            {kind === "manual" && ", by a person"}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The deliveries of a webhook. Those that have failed or were cancelled can be sent again. */
export const Deliveries = ({ webhookId }: { readonly webhookId: string }) => {
  const { can, formats } = useSession()
  const { page = 1, status } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
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
    {
      name: "Event",
      cell: ({ created_at: at, event_type: name }) => (
        <div className="grid">
          <code className="font-mono text-xs">{name}</code>
          <time dateTime={at} className="text-muted text-xs">
            {formats.time(at)}
          </time>
        </div>
      )
    },
    {
      name: "Status",
      cell: ({ next_attempt_at: next, status: state }) => (
        <div className="grid justify-items-start gap-0.5">
          <Badge tone={tones[state]}>{words(state)}</Badge>
          {next !== null && <span className="text-muted text-xs">next try {formats.time(next)}</span>}
        </div>
      )
    },
    { name: "Attempts", cell: ({ attempts }) => <Attempts attempts={attempts} /> },
    ...(can("can_write_webhooks")
      ? [
          {
            name: "Action",
            cell: ({ event_type: name, id, status: state }: Delivery) =>
              (state === "failed" || state === "cancelled") && (
                <Button
                  disabled={redeliver.isPending}
                  aria-label={`Send ${name} again`}
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
      }
    >
      <Problem error={redeliver.error} />
      <Remote query={deliveries}>
        {({ count, count_is_capped: isCapped, deliveries: rows, page: shown, pages }) => (
          <PagedTable
            label="Deliveries"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            count={`${isCapped ? "more than " : ""}${formats.counted(count, "delivery", "deliveries")}`}
            page={shown}
            pages={pages}
            onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
            empty={<Empty title={known === undefined ? "No deliveries yet" : "No delivery has this status"} />}
          />
        )}
      </Remote>
    </Card>
  )
}
