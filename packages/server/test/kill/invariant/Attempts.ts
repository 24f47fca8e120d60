import type { Invariant } from "../Invariants.ts"
import { endOf, type DeliveryHistory } from "../History.ts"
import type { Attempt } from "../Records.ts"
import { mayBeCancelled } from "./Arriving.ts"

const nameOf = ({ delivery, event }: DeliveryHistory): string => `${event.name} ${delivery.delivery_id}`

const isAutomatic = (attempt: Attempt): boolean => attempt.kind === "automatic"

/** Returns whether a retry follows this attempt, if the retry plan has one. */
const isRetried = (attempt: Attempt): boolean => attempt.error !== null && attempt.status_code !== 410

/** Results are numbered from 1. There are at most as many automatic ones as the retry plan has, and all but the last failed. */
export const counted: Invariant = ({ delays }, deliveries) =>
  deliveries.flatMap((one) => {
    const { attempts, delivery } = one
    if (attempts.length === 0 && delivery.attempts === 0 && delivery.results === 0) return []
    const automatic = attempts.filter(isAutomatic)
    const problems: Array<string> = []
    if (attempts.some((attempt, index) => attempt.number !== index + 1) || delivery.attempts !== attempts.length) {
      problems.push(`${nameOf(one)} has the results ${attempts.map(({ number }) => number).join()}`)
    }
    if (automatic.length !== delivery.results || automatic.length > delays.length + 1) {
      problems.push(`${nameOf(one)} has ${automatic.length} automatic results and counts ${delivery.results}`)
    }
    if (!automatic.slice(0, -1).every(isRetried)) problems.push(`${nameOf(one)} was tried again after its end`)
    return problems.length === 0 ? [null] : problems
  })

/**
 * No attempt begins before its event, or before the previous result and the wait after it, to the millisecond. This is true
 * for the stored attempts, for the sends in the trace, and for the requests at the receiver.
 */
export const inTime: Invariant = ({ clockError, delays, ledger }, deliveries) => {
  const asked = new Map(
    ledger.events.flatMap((event) => event.changes.map((change) => [`${change.event} ${change.title}`, change.sentAt]))
  )
  return deliveries.flatMap((one) => {
    const { arrivals, attempts, body, event, sends } = one
    const automatic = attempts.filter(isAutomatic)
    const hasManual = automatic.length < attempts.length
    const raisedAt = Math.max(event.created_at, asked.get(`${event.name} ${body.calendar_event?.title ?? ""}`) ?? 0)
    const early = [...sends, ...arrivals].some(({ at }) => at < raisedAt - clockError)
    return [
      ...(sends.length + arrivals.length === 0
        ? []
        : [early ? `${nameOf(one)} was sent before it was raised at ${raisedAt}` : null]),
      ...automatic.flatMap((attempt, index) => {
        const delay = delays[index]
        const next = automatic[index + 1]
        if (delay === undefined || !isRetried(attempt) || (next === undefined && hasManual)) return []
        const ended = endOf(attempt)
        const due = ended + delay
        const isTooEarly = (at: number, error = 0): boolean => at > ended + error && at < due - error
        const problems: Array<string> = []
        const say = (what: string, at: number) =>
          problems.push(`${nameOf(one)} was ${what} ${due - at} ms too early after result ${index + 1}`)
        if (next !== undefined && next.started_at < due) say("tried", next.started_at)
        for (const { at } of sends) if (isTooEarly(at)) say("sent", at)
        // A request may arrive after its timeout. A request that was answered has arrived before.
        if (attempt.status_code !== null) {
          for (const { at } of arrivals) if (isTooEarly(at, clockError)) say("received", at)
        }
        return problems.length === 0 ? [null] : problems
      })
    ]
  })
}

/** The deliveries of the changes of an event were created in the order of the changes. */
export const queued: Invariant = ({ ledger }, deliveries) => {
  const places = new Map<string, number>()
  for (const { body, delivery } of deliveries) {
    const { id, title } = body.calendar_event ?? {}
    places.set([delivery.webhook_id, body.event_type, id, title].join(" "), delivery.id)
  }
  return ledger.webhooks
    .filter((webhook) => webhook.isLasting)
    .flatMap((webhook) =>
      ledger.events.flatMap((event) => {
        const found = event.changes
          .map((change) => places.get([webhook.id, change.event, event.id, change.title].join(" ")))
          .filter((place) => place !== undefined)
        if (found.length < 2) return []
        return [
          found.every((place, index) => place > (found[index - 1] ?? 0))
            ? null
            : `the changes of "${event.title}" are queued in another order for "${webhook.endpoint}"`
        ]
      })
    )
}

/** The first attempt of a later event begins after the first result of the earlier event of the same subject. */
export const inOrder: Invariant = ({ clockError }, deliveries) => {
  const lines = Map.groupBy(deliveries, ({ delivery }) => `${delivery.webhook_id} ${delivery.subject}`)
  return [...lines.values()].flatMap((line) =>
    line.flatMap((one, index) => {
      if (index === 0 || one.sends.length === 0) return []
      const sent = one.sends[0]?.at
      const earlier = line.slice(0, index).find(({ attempts: [first] }) => {
        if (sent === undefined || first === undefined || !isAutomatic(first)) return false
        return sent < endOf(first) - clockError
      })
      return [earlier === undefined ? null : `${nameOf(one)} overtook ${nameOf(earlier)}`]
    })
  )
}

/** Each accepted redelivery has a result, unless the webhook was turned off. */
export const onceMore: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const found = new Map(deliveries.map((one) => [one.delivery.delivery_id, one]))
  const webhookIds = new Set(records.webhooks.map((webhook) => webhook.id))
  const isOn = new Set(
    ledger.webhooks
      .filter((webhook) => webhookIds.has(webhook.id) && !mayBeCancelled(history, webhook))
      .map((webhook) => webhook.id)
  )
  return ledger.redelivered
    .filter(({ webhookId }) => isOn.has(webhookId))
    .map(({ deliveryId }) => {
      const attempts = found.get(deliveryId)?.attempts ?? []
      return attempts.some((attempt) => attempt.kind === "manual") ? null : `${deliveryId} was not redelivered`
    })
}

/** Each accepted test delivery is stored, and has a result unless its webhook was turned off. */
export const tested: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const found = new Map(deliveries.map((one) => [one.delivery.delivery_id, one]))
  const webhooks = new Map(ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  const webhookIds = new Set(records.webhooks.map((webhook) => webhook.id))
  return ledger.tests
    .filter(({ webhookId }) => webhookIds.has(webhookId))
    .map(({ deliveryId, webhookId }) => {
      const one = found.get(deliveryId)
      const webhook = webhooks.get(webhookId)
      if (one === undefined) return `the test ${deliveryId} is lost`
      const isSent = one.attempts.length > 0 || webhook === undefined || mayBeCancelled(history, webhook)
      return isSent ? null : `the test ${deliveryId} was not sent`
    })
}
