import type { CallDetail } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { getRouteApi, Link } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { words } from "../ui/formats.ts"
import { Json } from "../ui/Json.tsx"
import { Card, Facts, Page } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"
import { RelatedDeliveries } from "../webhooks/RelatedDeliveries.tsx"
import { CallStatus, isRunning } from "./callStatus.tsx"

const route = getRouteApi("/calls/$id")

interface Turn {
  readonly speaker: string
  readonly text: string
}

/** Until when webhook events about a call may follow: its end, and a while for the deliveries to be made. */
const liveUntil = ({ ended_at: end, status }: CallDetail): number =>
  isRunning({ status }) ? Number.POSITIVE_INFINITY : Date.parse(end ?? "") + 120_000

/** Returns the turns of a transcript, whose lines begin with who speaks. Other lines belong to the turn before them. */
export const turnsOf = (transcript: string): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const line of transcript.split("\n")) {
    const [, speaker, text = ""] = /^([\p{L} ]{1,20}):\s*(.*)$/u.exec(line) ?? []
    const last = turns.at(-1)
    if (speaker !== undefined) turns.push({ speaker, text })
    else if (last === undefined) turns.push({ speaker: "", text: line })
    else turns[turns.length - 1] = { ...last, text: `${last.text}\n${line}` }
  }
  return turns
}

const Transcript = ({ text }: { readonly text: string }) => (
  <ol className="grid gap-3 p-4">
    {turnsOf(text).map(({ speaker, text: said }, index) => (
      // A transcript does not change while it is shown.
      <li key={index} className="grid gap-0.5 sm:grid-cols-[6rem_minmax(0,1fr)] sm:gap-3">
        <span className="text-muted text-xs font-medium sm:pt-0.5">{words(speaker)}</span>
        <p className="break-words whitespace-pre-wrap">
          <bdi>{said}</bdi>
        </p>
      </li>
    ))}
  </ol>
)

const ToolCalls = ({ calls }: { readonly calls: CallDetail["tool_calls"] }) => {
  const { formats } = useSession()
  return (
    <ul>
      {calls.map(({ answer, arguments: given, at, duration_ms: duration, name }, index) => (
        // The list of tool calls only grows at its end.
        <li key={index} className="border-line border-b last:border-b-0">
          <details>
            <summary className="hover:bg-raised flex flex-wrap items-baseline gap-x-3 px-4 py-2.5">
              <code className="font-mono text-sm">{name}</code>
              <span className="text-muted text-xs">
                {formats.clock(at)} · {formats.number(duration)} ms
              </span>
            </summary>
            <div className="grid gap-3 px-4 pb-4 lg:grid-cols-2">
              <div className="grid min-w-0 content-start gap-1">
                <p className="text-muted text-xs">Arguments</p>
                <Json value={given} />
              </div>
              <div className="grid min-w-0 content-start gap-1">
                <p className="text-muted text-xs">Answer</p>
                <Json value={answer} />
              </div>
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}

/** What happened to a call, and when. */
const Timeline = ({ call }: { readonly call: CallDetail }) => {
  const { formats } = useSession()
  const moments = [
    ["Created", call.created_at],
    ["Answered", call.started_at],
    ["Ended", call.ended_at]
  ] as const
  return (
    <ol className="grid gap-2 p-4">
      {moments.map(([name, at]) =>
        at === null ? null : (
          <li key={name} className="flex flex-wrap justify-between gap-x-4">
            <span>{name}</span>
            <time dateTime={at} className="text-muted tabular-nums">
              {formats.moment(at)}
            </time>
          </li>
        )
      )}
    </ol>
  )
}

/** The recording of a call, which the browser loads from the call provider when a person plays it. */
const Recording = ({ url }: { readonly url: string }) => {
  const [isMissing, setMissing] = useState(false)
  return (
    <div className="grid gap-2 p-4">
      <audio controls preload="none" src={url} className="w-full" onError={() => setMissing(true)} />
      {isMissing && (
        <p role="alert" className="text-bad text-sm">
          The recording cannot be played. The call provider does not have it, or its address has expired.
        </p>
      )}
    </div>
  )
}

/** The contact of a call, which leads to its page where the person may read contacts. */
const CallContact = ({ contact }: Pick<CallDetail, "contact">) => {
  const { can } = useSession()
  if (contact === null) return "None"
  const name = <bdi>{contact.name === "" ? `Contact ${contact.id}` : contact.name}</bdi>
  return can("can_read_contacts") ? (
    <Link to="/contacts/$id" params={{ id: String(contact.id) }} className="text-accent underline">
      {name}
    </Link>
  ) : (
    name
  )
}

const Detail = ({ call }: { readonly call: CallDetail }) => {
  const { can, formats } = useSession()
  const variables = Object.entries(call.variables)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 gap-4">
        {call.summary !== null && (
          <Card title="Summary">
            <p className="p-4 break-words whitespace-pre-wrap">
              <bdi>{call.summary}</bdi>
            </p>
          </Card>
        )}
        {call.recording_url !== null && (
          <Card title="Recording">
            <Recording url={call.recording_url} />
          </Card>
        )}
        <Card title="Transcript">
          {call.transcript === null ? (
            <p className="text-muted p-4">{isRunning(call) ? "It follows after the call." : "There is none."}</p>
          ) : (
            <Transcript text={call.transcript} />
          )}
        </Card>
        {call.tool_calls.length > 0 && (
          <Card title="What the agent did">
            <ToolCalls calls={call.tool_calls} />
          </Card>
        )}
        {can("can_read_webhooks") && (
          <Card title="Webhook deliveries">
            <RelatedDeliveries about={{ call: call.call_id }} liveUntil={liveUntil(call)} />
          </Card>
        )}
      </div>
      <div className="grid min-w-0 gap-4">
        <Card title="Call">
          <Facts
            facts={[
              ["Status", <CallStatus key="status" status={call.status} />],
              ...(call.ended_reason === null
                ? []
                : ([["Reason", words(call.ended_reason.replaceAll("-", " "))]] as const)),
              ["Direction", words(call.type)],
              ["Number", call.phone_number],
              ["Contact", <CallContact key="contact" contact={call.contact} />],
              ["Agent", <bdi key="agent">{call.agent.name}</bdi>],
              ["Length", call.duration_seconds === null ? "–" : formats.duration(call.duration_seconds)],
              [
                "Identifier",
                <code key="id" className="font-mono text-xs break-all">
                  {call.call_id}
                </code>
              ]
            ]}
          />
        </Card>
        <Card title="Timeline">
          <Timeline call={call} />
        </Card>
        <Card title="Billing">
          <Facts
            facts={[
              ["State", words(call.billing.status)],
              ["Held at the start", formats.money(call.billing.initial_charge)],
              ["For the minutes", formats.money(call.billing.final_charge)],
              ["In all", formats.money(call.billing.total_charge)]
            ]}
          />
          <p className="text-muted px-4 pb-4 text-xs">Amounts are in the currency of the account.</p>
        </Card>
        {variables.length > 0 && (
          <Card title="Variables">
            <Facts facts={variables.map(([name, value]) => [name, <bdi key={name}>{String(value)}</bdi>])} />
          </Card>
        )}
        {call.metadata !== null && (
          <Card title="Metadata">
            <div className="p-4">
              <Json value={call.metadata} />
            </div>
          </Card>
        )}
      </div>
    </div>
  )
}

/** One call. While it runs, the page follows it. */
export const CallPage = () => {
  const { id } = route.useParams()
  const { can } = useSession()
  const client = useQueryClient()
  const call = useQuery({
    queryKey: ["call", id],
    queryFn: ({ signal }) => api.calls.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? 2_000 : false)
  })
  const hangUp = useMutation({
    mutationFn: () => api.calls.hangUp(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["call", id] })
  })
  const { data } = call
  return (
    <Page
      title={data === undefined ? "Call" : `Call with ${data.contact?.name || data.phone_number}`}
      hint={
        <Link to="/calls" className="underline">
          All calls
        </Link>
      }
      actions={
        data !== undefined &&
        isRunning(data) &&
        can("can_write_calls") && (
          <Confirm
            label="Hang up"
            doing="Hanging up…"
            title="Hang up this call?"
            onConfirm={() => hangUp.mutateAsync()}
          >
            <p>The person on the telephone is cut off at once.</p>
          </Confirm>
        )
      }
    >
      <Remote query={call}>{(found) => <Detail call={found} />}</Remote>
    </Page>
  )
}
