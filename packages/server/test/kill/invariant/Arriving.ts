import type { Invariant } from "../Invariants.ts"
import type { History, Told } from "../History.ts"
import type { Change, KnownEvent, KnownWebhook } from "../Ledger.ts"

const is2xx = (status: number | null): boolean => status !== null && status >= 200 && status <= 299

/** When an endpoint first said that it wants no more; null when it never did. */
const goneAt = (history: History, webhook: KnownWebhook): number | null =>
  history.arrivals.find((arrival) => arrival.endpoint === webhook.endpoint && arrival.answered === 410)?.at ?? null

/** Whether deliveries of a webhook may have been cancelled. */
export const mayBeCancelled = (history: History, webhook: KnownWebhook): boolean =>
  webhook.offSince !== null || goneAt(history, webhook) !== null

/** Whether a change was done: what was answered was; of what was not the database tells, because nothing came after. */
export const wasDone = ({ records }: History, { event, eventId, title, answeredAt }: Change): boolean => {
  if (answeredAt !== null) return true
  if (event === "calendar.created") return records.calendarEvents.some((row) => row.title === title)
  const row = records.calendarEvents.find((row) => row.id === eventId)
  if (row === undefined) return false
  if (event === "calendar.updated") return row.title === title
  return row.status === (event === "calendar.cancelled" ? "cancelled" : "completed")
}

/** Deliveries of changes of calendar events, by what they say. */
const byChange = (told: ReadonlyArray<Told>) =>
  Map.groupBy(told, ({ body, delivery }) =>
    [delivery.webhook_id, body.event_type, body.calendar_event?.id, body.calendar_event?.title].join(" ")
  )

/** Every change that was committed has one delivery to each webhook that was subscribed; one that was not has none. */
export const committed: Invariant = (history, told) => {
  const { ledger, records } = history
  const found = byChange(told)
  const webhooks = new Map(ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  const kept = new Set(records.webhooks.map((webhook) => webhook.id))

  const ofChange = (change: Change): ReadonlyArray<string> => {
    const name = `${change.event} of "${change.title}"`
    const id = change.eventId ?? records.calendarEvents.find((row) => row.title === change.title)?.id
    const of = (webhookId: number) => found.get([webhookId, change.event, id, change.title].join(" ")) ?? []
    if (!wasDone(history, change)) {
      const raised = records.webhooks.flatMap((webhook) => of(webhook.id))
      return raised.length === 0 ? [] : [`${name} was not committed and has ${raised.length} deliveries`]
    }
    return change.subscribers.flatMap((webhookId) => {
      const webhook = webhooks.get(webhookId)
      if (webhook === undefined || !kept.has(webhookId)) return []
      const gone = goneAt(history, webhook)
      if (gone !== null && (change.answeredAt === null || change.answeredAt > gone)) return []
      const { length } = of(webhookId)
      return length === 1 ? [] : [`${name} has ${length} deliveries to "${webhook.endpoint}"`]
    })
  }

  const titles = new Set(ledger.events.flatMap((event) => event.changes.map((change) => change.title)))
  const ids = new Set(ledger.events.flatMap(({ id }) => (id === null ? [] : [id])))
  const perTitle = Map.groupBy(records.calendarEvents, (row) => row.title)
  return [
    ...ledger.events.flatMap((event) => event.changes.flatMap(ofChange)),
    ...ledger.events.flatMap((event) => asAnswered(event, records.calendarEvents)),
    ...records.calendarEvents.flatMap((row) =>
      ids.has(row.id) || titles.has(row.title) ? [] : [`the calendar event ${row.id} was never asked for`]
    ),
    ...ledger.keyed.flatMap(({ answer, event, key, wasRunning }) =>
      answer === null && wasRunning && perTitle.has(event.title)
        ? [`${key} was answered as still running, and was done`]
        : []
    ),
    ...[...perTitle].flatMap(([title, rows]) =>
      rows.length === 1 ? [] : [`"${title}" was created ${rows.length} times`]
    )
  ]
}

/** An event whose last change was answered is as that change left it. */
const asAnswered = (event: KnownEvent, rows: History["records"]["calendarEvents"]): ReadonlyArray<string> => {
  if (event.id === null || !event.changes.every((change) => change.answeredAt !== null)) return []
  const row = rows.find((row) => row.id === event.id)
  if (row === undefined) return [`the calendar event "${event.title}" was created and is lost`]
  return row.title === event.title ? [] : [`the calendar event "${event.title}" is "${row.title}"`]
}

/** The state of each delivery agrees with what its receiver saw. */
export const ended: Invariant = (history, told) => {
  const webhooks = new Map(history.ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  return told.flatMap(({ arrivals, attempts, delivery, event }) => {
    const name = `${event.name} ${delivery.delivery_id}`
    const last = attempts.at(-1)
    const automatic = attempts.filter((attempt) => attempt.kind === "automatic")
    const answered = attempts.filter((attempt) => attempt.status_code !== null)
    const webhook = webhooks.get(delivery.webhook_id)
    const problems: Array<string> = []
    if (answered.length > arrivals.length) {
      problems.push(`${name} has ${answered.length} answers recorded and arrived ${arrivals.length} times`)
    }
    switch (delivery.state) {
      case "delivered":
        if (!arrivals.some((arrival) => is2xx(arrival.answered))) problems.push(`${name} was never taken`)
        if (last === undefined || !is2xx(last.status_code)) problems.push(`${name} is delivered without a success`)
        break
      case "failed": {
        const hasReason =
          last !== undefined &&
          last.error !== null &&
          (last.kind === "manual" ||
            last.status_code === 410 ||
            automatic.length === history.delays.length + 1 ||
            last.error.startsWith("given up"))
        if (!hasReason) problems.push(`${name} has failed after ${automatic.length} results`)
        break
      }
      case "cancelled":
        if (webhook !== undefined && !mayBeCancelled(history, webhook)) problems.push(`${name} is cancelled`)
        break
      case "pending":
      case "leased":
        problems.push(`${name} is ${delivery.state}`)
    }
    return problems
  })
}

/** Endpoints that answer every request well have got everything, whatever happened around them. */
export const well: Invariant = (history, told) => {
  const names = new Map(
    history.ledger.webhooks
      .filter(({ conduct, isLasting }) => isLasting && (conduct === "good" || conduct === "slow"))
      .map((webhook) => [webhook.id, webhook.endpoint])
  )
  return told.flatMap(({ arrivals, attempts, delivery, event }) => {
    const endpoint = names.get(delivery.webhook_id)
    const isGivenUp = attempts.some((attempt) => attempt.error?.startsWith("given up") === true)
    if (endpoint === undefined || isGivenUp) return []
    const took = arrivals.some((arrival) => arrival.endpoint === endpoint && is2xx(arrival.answered))
    return took ? [] : [`${event.name} ${delivery.delivery_id} never came to "${endpoint}"`]
  })
}

/** Nothing arrives that the database knows nothing of; no event has two deliveries to one webhook. */
export const recorded: Invariant = ({ arrivals, ledger, records, sends }, told) => {
  const ids = new Set(records.deliveries.map((delivery) => delivery.delivery_id))
  const kept = new Set(records.webhooks.map((webhook) => webhook.id))
  const endpoints = new Set(ledger.webhooks.filter(({ id }) => kept.has(id)).map((webhook) => webhook.endpoint))
  const sent = Map.groupBy(sends, (send) => send.deliveryId)
  const arrived = Map.groupBy(arrivals, (arrival) => arrival.deliveryId)
  const twice = Map.groupBy(told, ({ delivery }) => `${delivery.event_id} to webhook ${delivery.webhook_id}`)
  return [
    ...arrivals.flatMap((arrival) =>
      ids.has(arrival.deliveryId) || !endpoints.has(arrival.endpoint)
        ? []
        : [`${arrival.event} ${arrival.deliveryId} came to "${arrival.endpoint}" and is not recorded`]
    ),
    ...[...arrived].flatMap(([id, { length }]) => {
      const times = sent.get(id)?.length ?? 0
      // One that finds a kept connection closed is written once more, on a new one.
      return length <= 2 * times ? [] : [`${id} arrived ${length} times and was sent ${times} times`]
    }),
    ...[...twice].flatMap(([name, { length }]) => (length === 1 ? [] : [`event ${name} has ${length} deliveries`]))
  ]
}
