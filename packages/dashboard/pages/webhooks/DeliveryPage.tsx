import type { DeliveryAttempt, DeliveryDetail } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Copy } from "../ui/Copy.tsx"
import { Json } from "../ui/Json.tsx"
import { Card, Facts, Page } from "../ui/Page.tsx"
import { Preformatted } from "../ui/Preformatted.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { CheckSecret } from "./CheckSecret.tsx"
import { DeliveryStatus, mayBeSentAgain } from "./deliveryWords.tsx"
import { signatureIn } from "./signatureCheck.ts"
import { TurnedOff, useWebhook } from "./TurnedOff.tsx"

const route = getRouteApi("/webhooks/$id/deliveries/$deliveryId")

/** Returns what a body says, as far as it is JSON. */
const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const Attempts = ({ attempts }: Pick<DeliveryDetail, "attempts">) => {
  const { formats } = useSession()
  const columns: ReadonlyArray<Column<DeliveryAttempt>> = [
    { name: "Started", cell: ({ started_at: at }) => <time dateTime={at}>{formats.moment(at)}</time> },
    { name: "Attempt", cell: ({ number }) => formats.number(number), isNumber: true },
    {
      name: "Answer",
      cell: ({ error, status_code: status }) => <span className="wrap-anywhere">{error ?? status}</span>
    },
    { name: "Took", cell: ({ duration_ms: duration }) => `${formats.number(duration)} ms`, isNumber: true },
    { name: "Caused by", cell: ({ kind }) => (kind === "manual" ? "A person" : "Frontdesk") }
  ]
  return (
    <Card title="Attempts">
      {attempts.length === 0 ? (
        <Empty title="No attempt yet" />
      ) : (
        <Table label="Attempts" columns={columns} rows={attempts} keyOf={({ number }) => number} />
      )}
    </Card>
  )
}

/** Why the headers have no signatures. */
const signatureNotes: { readonly [State in DeliveryDetail["request"]["signatures"]]: string } = {
  present: "",
  not_permitted: "The signatures are left out, because they would let you repeat the request.",
  secret_unreadable:
    "The signatures are missing, because the secret of the webhook cannot be opened with the keys of this server. Rotate the secret, or ask the operator."
}

const Request = ({ attempts, request }: Pick<DeliveryDetail, "attempts" | "request">) => {
  const { formats } = useSession()
  return (
    <Card title="Request">
      <div className="grid gap-4 p-4">
        <p className="text-sm wrap-anywhere">
          <code className="font-mono text-xs">
            {request.method} {request.url}
          </code>
        </p>
        <p className="text-muted text-sm">
          {attempts.length === 0
            ? "With these headers it would be sent now."
            : "These are the headers of the last attempt, with the present address and secret of the webhook."}{" "}
          {signatureNotes[request.signatures]}
        </p>
        <Json value={request.headers} />
        <p className="text-sm font-medium">Body, {formats.counted(request.body_bytes, "byte", "bytes")}</p>
        <Json value={parsed(request.body)} />
        <Copy label="The exact bytes" value={request.body} />
      </div>
    </Card>
  )
}

/** One delivery: its attempts, what was sent, and what the receiver said. */
export const DeliveryPage = () => {
  const { deliveryId, id } = route.useParams()
  const { can, formats } = useSession()
  const client = useQueryClient()
  const delivery = useQuery({
    queryKey: ["deliveries", id, deliveryId],
    queryFn: ({ signal }) => api.webhooks.delivery(id, deliveryId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 5_000 : false)
  })
  const mayWrite = can("can_write_webhooks")
  const webhook = useWebhook(id)
  const redeliver = useMutation({
    mutationFn: () => api.webhooks.redeliver(id, deliveryId),
    onSettled: () => client.invalidateQueries({ queryKey: ["deliveries", id] })
  })
  return (
    <Page
      title="Delivery"
      hint={
        <Link to="/webhooks/$id" params={{ id }} className="underline">
          {webhook.data?.name ?? "The webhook"}
        </Link>
      }
      actions={
        delivery.data !== undefined &&
        mayWrite &&
        mayBeSentAgain(delivery.data) && (
          <Button
            kind="primary"
            disabled={redeliver.isPending || webhook.data?.is_active === false}
            onClick={() => redeliver.mutate()}
          >
            Send again
          </Button>
        )
      }
    >
      {webhook.data !== undefined && delivery.data !== undefined && <TurnedOff webhook={webhook.data} />}
      <Problem error={redeliver.error} />
      <Remote query={delivery}>
        {(found) => {
          const signature = signatureIn(found.request.headers)
          return (
            <>
              <Card>
                <Facts
                  facts={[
                    ["Status", <DeliveryStatus key="status" status={found.status} />],
                    [
                      "Event",
                      <code key="event" className="font-mono text-xs">
                        {found.event_type}
                      </code>
                    ],
                    ["Happened", formats.moment(found.created_at)],
                    ["Next attempt", found.next_attempt_at === null ? "None" : formats.moment(found.next_attempt_at)],
                    [
                      "Id",
                      <code key="id" className="font-mono text-xs">
                        {found.id}
                      </code>
                    ]
                  ]}
                />
              </Card>
              <Attempts attempts={found.attempts} />
              <Card title="Last answer">
                {found.answer === null || found.answer === "" ? (
                  <Empty
                    title={found.answer === null ? "No answer yet" : "The last attempt had no answer, or an empty one"}
                  />
                ) : (
                  <div className="p-4">
                    <Preformatted>{found.answer}</Preformatted>
                  </div>
                )}
              </Card>
              <Request attempts={found.attempts} request={found.request} />
              {signature !== undefined && isSecureContext && (
                <CheckSecret body={found.request.body} signature={signature} />
              )}
            </>
          )
        }}
      </Remote>
    </Page>
  )
}
