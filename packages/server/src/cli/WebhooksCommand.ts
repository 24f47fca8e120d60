import { Accounts } from "@frontdesk/core/account/Accounts"
import type { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { WebhookOperations, type WebhookOverview } from "@frontdesk/core/webhook/WebhookOperations"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { deliveries, redeliver, redeliverFailed, webhookArgument } from "./DeliveriesCommand.ts"
import * as DeliveryOutput from "./DeliveryOutput.ts"
import { failure } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const common = { database: Parameters.databaseFlags, json: Parameters.json }

/** The timeout of `--wait`. A server polls every second, and a receiver may take 10 seconds to answer. */
const timeout = "30 seconds"

/** Returns a URL without user, query and fragment, which may contain a secret. */
const address = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "" : `${parsed.origin}${parsed.pathname}`
}

const iso = (instant: DateTime.Utc | null): string | null => (instant === null ? null : DateTime.formatIso(instant))

const view = ({ backlog, webhook }: WebhookOverview) => ({
  id: webhook.id,
  account_id: webhook.accountId,
  name: webhook.name,
  url: address(webhook.url),
  subscribed_events: webhook.subscribedEvents,
  status: webhook.status,
  pending: backlog,
  last_delivery_at: iso(webhook.lastDeliveryAt),
  last_success_at: iso(webhook.lastSuccessAt),
  last_failure_at: iso(webhook.lastFailureAt),
  last_failure_status: webhook.lastFailureStatus,
  consecutive_failures: webhook.consecutiveFailures,
  created_at: iso(webhook.createdAt)
})

const list = Command.make(
  "list",
  { ...common, account: Flag.optional(Parameters.accountFlag) },
  ({ account, database, json }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        const owners = Option.isSome(account)
          ? [yield* OperatorServices.findAccount(account.value)]
          : yield* (yield* Accounts).list
        const found = yield* Effect.forEach(owners, (owner) => operations.list(owner.id))
        const views = found.flat().map(view)
        if (json) return yield* Output.json({ webhooks: views })
        yield* Output.table(
          ["ID", "ACCOUNT", "NAME", "STATUS", "PENDING", "FAILURES", "LAST SUCCESS", "LAST FAILURE", "URL", "EVENTS"],
          views.map((webhook) => [
            String(webhook.id),
            String(webhook.account_id),
            webhook.name,
            webhook.status,
            String(webhook.pending),
            String(webhook.consecutive_failures),
            webhook.last_success_at ?? "never",
            webhook.last_failure_at ?? "never",
            webhook.url,
            webhook.subscribed_events.join(",")
          ])
        )
      }),
      database
    )
).pipe(
  Command.withDescription(
    "List the webhooks of all accounts, or of one, with their status, the number of pending deliveries and the number of " +
      "failures since the last success. The query of a URL is not shown, because it may contain a secret"
  )
)

/** Returns the delivery after its first attempt, or without an attempt when the timeout has passed. */
const awaitAttempt = Effect.fnUntraced(function* (id: DeliveryId) {
  const operations = yield* WebhookOperations
  const delivery = operations.delivery(id)
  return yield* delivery.pipe(
    Effect.repeat({ until: ({ attempts }) => attempts.length > 0, schedule: Schedule.spaced("200 millis") }),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => delivery })
  )
})

const test = Command.make(
  "test",
  {
    ...common,
    webhook: webhookArgument,
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription(
        `Wait at most ${timeout} for the first attempt, and exit with 1 when it fails or does not happen`
      ),
      Flag.withDefault(false)
    )
  },
  ({ database, json, wait, webhook }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        const id = yield* operations.test(webhook)
        if (!wait) {
          if (json) return yield* Output.json({ delivery_id: id })
          return yield* Output.line(`Delivery ${id} is due; the server sends it within a second`)
        }
        const delivery = yield* awaitAttempt(id)
        const [attempt] = delivery.attempts
        yield* json ? Output.json(DeliveryOutput.view(delivery)) : Output.line(DeliveryOutput.text(delivery))
        if (attempt === undefined) {
          return yield* failure(
            `No attempt within ${timeout}: no server runs on this database, or other deliveries of this webhook come first`
          )
        }
        if (attempt.error !== null) return yield* failure(`The attempt failed; ${DeliveryOutput.next(delivery)}`)
      }),
      database
    )
).pipe(
  Command.withDescription("Send the event webhook.test to a webhook, regardless of its subscribed events"),
  Command.withExamples([
    { command: "frontdesk webhooks test 3 --wait", description: "Check whether the receiver of webhook 3 answers" }
  ])
)

/** The command `frontdesk webhooks`. */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Manage webhooks of all accounts, and their deliveries"),
  Command.withSubcommands([list, deliveries, redeliver, redeliverFailed, test])
)
