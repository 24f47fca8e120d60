import type { Invariant } from "../Invariants.ts"

const terminal = new Set(["completed", "busy", "no_answer", "failed", "cancelled"])

const expected = (wasAnswered: boolean): Readonly<Record<string, number>> =>
  wasAnswered
    ? { "call.started": 1, "call.ended": 1, "call.failed": 0 }
    : { "call.started": 0, "call.ended": 0, "call.failed": 1 }

/** The provider ended the call and told everything about it, not we, who had lost it. */
const isComplete = (reason: string | null): boolean => reason !== "provider_timeout"

/** Every call has ended, each thing about it was told once, and the money moved is what the calls cost. */
export const settled: Invariant = ({ ledger, records }, told) => {
  const lasting = ledger.webhooks.filter((webhook) => webhook.isLasting)
  const events = Map.groupBy(told, ({ body, delivery, event }) =>
    [delivery.webhook_id, event.name, body.call?.id].join(" ")
  )
  const ids = new Set(records.calls.map((call) => call.id))
  const [account] = records.accounts
  const charged = records.calls.reduce((sum, call) => sum + call.initial_charge + call.final_charge, 0)
  return [
    ...ledger.calls.flatMap((id) => (ids.has(id) ? [] : [`the call ${id} was accepted and is lost`])),
    ...records.calls.flatMap((call) => {
      if (!terminal.has(call.status)) return [`the call ${call.id} is ${call.status}`]
      const wasAnswered = call.started_at !== null
      const seconds = Math.max(0, Math.floor(((call.ended_at ?? 0) - (call.started_at ?? 0)) / 1_000))
      const price = wasAnswered ? call.price_per_minute * Math.max(1, Math.ceil(seconds / 60)) : 0
      const cost = call.initial_charge + call.final_charge
      const data = wasAnswered && isComplete(call.ended_reason) ? 1 : null
      const counts = {
        ...expected(wasAnswered),
        ...(data === 1 ? { "call.transcript": 1, "call.recording": 1, "call.summary": 1 } : {})
      }
      return [
        ...(cost === price && call.billing_status === (wasAnswered ? "charged" : "refunded")
          ? []
          : [`the call ${call.id} costs ${cost} and is ${call.billing_status}; it should cost ${price}`]),
        ...lasting.flatMap(({ endpoint, id }) =>
          Object.entries(counts).flatMap(([name, count]) => {
            const { length } = events.get([id, name, call.id].join(" ")) ?? []
            return length === count ? [] : [`${name} of call ${call.id} has ${length} deliveries to "${endpoint}"`]
          })
        )
      ]
    }),
    ...(account === undefined || (account.charges === charged && account.holds === 0)
      ? []
      : [`the calls cost ${charged}; the account was charged ${account.charges} and holds ${account.holds}`])
  ]
}
