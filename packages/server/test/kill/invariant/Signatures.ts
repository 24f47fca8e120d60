import { createHmac } from "node:crypto"
import type { Invariant } from "../Invariants.ts"
import type { SecretPeriod } from "../Ledger.ts"
import type { Arrival } from "../Receivers.ts"

/** How long after its replacement a secret may have signed requests in flight. */
const onTheWay = 3_000

/** The maximum difference between the timestamp of a request and its arrival, in milliseconds. */
const tolerance = 5_000

const contract = (secret: string, body: Buffer): string => createHmac("sha256", secret).update(body).digest("hex")

const standard = (secret: string, { body, standard: { id, timestamp } }: Arrival): string => {
  const mac = createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
  return `v1,${mac.update(`${id}.${timestamp}.`).update(body).digest("base64")}`
}

/** All requests of a delivery have the same bytes as the stored body. */
export const same: Invariant = ({ arrivals }, deliveries) => {
  const recorded = new Map(deliveries.map(({ delivery, event }) => [delivery.delivery_id, event]))
  const first = new Map<string, Arrival>()
  return arrivals.flatMap((arrival) => {
    const { body, deliveryId } = arrival
    const before = first.get(deliveryId) ?? arrival
    first.set(deliveryId, before)
    const event = recorded.get(deliveryId)
    const problems: Array<string> = []
    if (!before.body.equals(body) || before.event !== arrival.event) problems.push(`${deliveryId} differs from before`)
    if (event !== undefined && (!body.equals(event.body) || event.name !== arrival.event)) {
      problems.push(`${deliveryId} differs from the stored body`)
    }
    if (arrival.standard.id !== deliveryId) problems.push(`${deliveryId} is ${arrival.standard.id} in webhook-id`)
    return problems.length === 0 ? [null] : problems
  })
}

/** Both signatures are valid for a secret that the webhook had at the time of the request. */
export const signed: Invariant = ({ arrivals, ledger }) => {
  const secrets = new Map(ledger.webhooks.map((webhook) => [webhook.endpoint, webhook.secrets]))
  return arrivals.flatMap((arrival) => {
    const periods: ReadonlyArray<SecretPeriod> = secrets.get(arrival.endpoint) ?? []
    const valid = periods.filter(({ from, until }) => arrival.at >= from && arrival.at <= until + onTheWay)
    // The client does not know a secret whose answer did not arrive.
    if (periods.length === 0 || valid.some(({ secret }) => secret === null)) return []
    const candidates = valid.flatMap(({ secret }) => (secret === null ? [] : [secret]))
    const name = `${arrival.event} ${arrival.deliveryId} to "${arrival.endpoint}"`
    const offered = arrival.standard.signature.split(" ")
    const problems: Array<string> = []
    if (!candidates.some((secret) => contract(secret, arrival.body) === arrival.signature)) {
      problems.push(`${name} is not signed as the contract says`)
    }
    if (!candidates.some((secret) => offered.includes(standard(secret, arrival)))) {
      problems.push(`${name} has no right signature in webhook-signature`)
    }
    if (Math.abs(Number(arrival.standard.timestamp) * 1_000 - arrival.at) > tolerance) {
      problems.push(`${name} says it was sent at ${arrival.standard.timestamp}`)
    }
    return problems.length === 0 ? [null] : problems
  })
}
