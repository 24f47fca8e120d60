import { AccountId } from "@frontdesk/core/access/Account"
import * as FairShare from "@frontdesk/core/background/FairShare"
import { type ClaimRequest, placesOf } from "@frontdesk/core/delivery/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Schema from "effect/Schema"

/** A delivery that may be claimed. */
export const Candidate = Schema.Struct({ id: Schema.Int, webhookId: WebhookId, accountId: AccountId })

/** A delivery that may be claimed. */
export type Candidate = typeof Candidate.Type

/** Returns the candidates that a claim leases. They must be ordered, earliest due first. */
export const choose = (candidates: ReadonlyArray<Candidate>, request: ClaimRequest): ReadonlyArray<Candidate> =>
  FairShare.choose(
    candidates,
    { account: ({ accountId }) => accountId, line: ({ webhookId }) => webhookId },
    placesOf(request)
  )

/** Returns the request for the rest of a claim, after it has leased these deliveries. */
export const rest = (request: ClaimRequest, leased: ReadonlyArray<Candidate>): ClaimRequest => ({
  ...request,
  limit: request.limit - leased.length,
  takenPlaces: added(
    request.takenPlaces,
    leased.map(({ webhookId }) => webhookId)
  ),
  takenByAccount: added(
    request.takenByAccount,
    leased.map(({ accountId }) => accountId)
  )
})

const added = <Owner>(counts: ReadonlyMap<Owner, number>, owners: ReadonlyArray<Owner>): ReadonlyMap<Owner, number> => {
  const after = new Map(counts)
  for (const owner of owners) after.set(owner, (after.get(owner) ?? 0) + 1)
  return after
}

/** Returns the webhooks without a free place. */
export const fullWebhooks = ({ perWebhook, takenPlaces }: ClaimRequest): ReadonlyArray<WebhookId> =>
  [...takenPlaces].flatMap(([webhookId, count]) => (count >= perWebhook ? [webhookId] : []))

/** Returns the accounts that may get no place. */
export const fullAccounts = ({ limit, takenByAccount }: ClaimRequest): ReadonlyArray<AccountId> =>
  [...takenByAccount].flatMap(([accountId, count]) => (FairShare.mayTake(count, limit) ? [] : [accountId]))
