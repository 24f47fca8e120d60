import type { Invariant } from "../Invariants.ts"

const terminal = new Set(["completed", "busy", "no_answer", "failed", "cancelled"])

const expected = (wasAnswered: boolean): Readonly<Record<string, number>> =>
  wasAnswered
    ? { "call.started": 1, "call.ended": 1, "call.failed": 0 }
    : { "call.started": 0, "call.ended": 0, "call.failed": 1 }

/** Returns whether the provider ended and reported the call, and not Frontdesk after a timeout. */
const isComplete = (reason: string | null): boolean => reason !== "provider_timeout"

/** Every call has ended, and has each of its webhook events once. */
export const settled: Invariant = ({ ledger, records }, deliveries) => {
  const lasting = ledger.webhooks.filter((webhook) => webhook.isLasting)
  const events = Map.groupBy(deliveries, ({ body, delivery, event }) =>
    [delivery.webhook_id, event.name, body.call?.id].join(" ")
  )
  const ids = new Set(records.calls.map((call) => call.id))
  return [
    ...ledger.calls.map((id) => (ids.has(id) ? null : `the call ${id} was accepted and is lost`)),
    ...records.calls.flatMap((call) => {
      if (!terminal.has(call.status)) return [`the call ${call.id} is ${call.status}`]
      const wasAnswered = call.started_at !== null
      const counts = {
        ...expected(wasAnswered),
        ...(wasAnswered && isComplete(call.ended_reason)
          ? { "call.transcript": 1, "call.recording": 1, "call.summary": 1 }
          : {})
      }
      return lasting.flatMap(({ endpoint, id }) =>
        Object.entries(counts).map(([name, count]) => {
          const { length } = events.get([id, name, call.id].join(" ")) ?? []
          return length === count ? null : `${name} of call ${call.id} has ${length} deliveries to "${endpoint}"`
        })
      )
    })
  ]
}

/** The account was charged exactly what its calls cost, and its movements add up to its balance. */
export const charged: Invariant = ({ records }) => {
  const [account] = records.accounts
  const sum = records.calls.reduce((sum, call) => sum + call.initial_charge + call.final_charge, 0)
  return [
    ...records.calls.map((call) => {
      const wasAnswered = call.started_at !== null
      const seconds = Math.max(0, Math.floor(((call.ended_at ?? 0) - (call.started_at ?? 0)) / 1_000))
      const price = wasAnswered ? call.price_per_minute * Math.max(1, Math.ceil(seconds / 60)) : 0
      const cost = call.initial_charge + call.final_charge
      return cost === price && call.billing_status === (wasAnswered ? "charged" : "refunded")
        ? null
        : `the call ${call.id} costs ${cost} and is ${call.billing_status}; it should cost ${price}`
    }),
    account !== undefined && account.charges === sum && account.holds === 0
      ? null
      : `the calls cost ${sum}; the account was charged ${account?.charges} and holds ${account?.holds}`,
    account === undefined || account.moved === account.deposits - account.charges - account.holds
      ? null
      : `the movements of the account add up to ${account.moved}`
  ]
}
