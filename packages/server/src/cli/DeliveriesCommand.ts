import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookOperations } from "@frontdesk/core/webhook/WebhookOperations"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DeliveryOutput from "./DeliveryOutput.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const common = { database: Parameters.databaseFlags, json: Parameters.json }

/** The argument that names a webhook by its id. */
export const webhookArgument = Parameters.readArgument("webhook", Parameters.id).pipe(
  Argument.map((id) => WebhookId.make(id)),
  Argument.withDescription("The id of the webhook")
)

/** The command `frontdesk webhooks deliveries`. */
export const deliveries = Command.make(
  "deliveries",
  {
    ...common,
    webhook: webhookArgument,
    status: Parameters.readFlag("status", Parameters.deliveryStatus).pipe(
      Flag.withMetavar("STATUS"),
      Flag.withDescription("List only deliveries with this status: pending, delivered, failed or cancelled"),
      Flag.optional
    ),
    ...Parameters.pageFlags
  },
  ({ database, json, limit, page, status, webhook }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        const only = Option.match(status, { onNone: () => ({}), onSome: (status) => ({ status }) })
        const found = yield* operations.deliveries(webhook, { ...only, page, limit })
        if (json) {
          return yield* Output.json({ ...Output.pageFields(found), deliveries: found.items.map(DeliveryOutput.view) })
        }
        yield* Output.line([...found.items.map(DeliveryOutput.text), Output.place("deliveries", found)].join("\n\n"))
      }),
      database
    )
).pipe(
  Command.withDescription("List the deliveries of a webhook, newest first, with their attempts and the last answer"),
  Command.withExamples([
    { command: "frontdesk webhooks deliveries 3 --status failed", description: "The failed deliveries of webhook 3" }
  ])
)

/** The command `frontdesk webhooks redeliver`. */
export const redeliver = Command.make(
  "redeliver",
  {
    ...common,
    delivery: Parameters.readArgument("delivery", Parameters.deliveryId).pipe(
      Argument.withDescription("The id of the delivery")
    )
  },
  ({ database, delivery, json }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        yield* operations.redeliver(delivery)
        const report = yield* operations.delivery(delivery)
        if (json) return yield* Output.json(DeliveryOutput.view(report))
        yield* Output.line(`Delivery ${report.id} is ${report.status}; ${DeliveryOutput.next(report)}`)
      }),
      database
    )
).pipe(
  Command.withDescription(
    "Send one delivery again, with the same id and the same bytes. A pending delivery is not changed"
  )
)

/** The command `frontdesk webhooks redeliver-failed`. */
export const redeliverFailed = Command.make(
  "redeliver-failed",
  {
    ...common,
    webhook: webhookArgument,
    since: Parameters.readFlag("since", Parameters.instant).pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("Send only webhook events from this time on again, for example 2026-12-31T00:00:00Z")
    )
  },
  ({ database, json, since, webhook }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        const count = yield* operations.redeliverFailed(webhook, since, (sofar) =>
          Output.progress(`${sofar} deliveries are due`)
        )
        const from = DateTime.formatIso(since)
        if (json) return yield* Output.json({ webhook_id: webhook, since: from, redelivered: count })
        yield* Output.line(`Failed deliveries of webhook ${webhook} since ${from} that will be sent again: ${count}`)
      }),
      database
    )
).pipe(
  Command.withDescription(
    "Send all failed deliveries of a webhook since a time again, the oldest first. This includes test deliveries, and works " +
      "for a disabled webhook too. To send deliveries that fail once more, run the command again"
  ),
  Command.withExamples([
    {
      command: "frontdesk webhooks redeliver-failed 3 --since 2026-12-31T08:00:00Z",
      description: "After the receiver of webhook 3 was down from 8 o'clock"
    }
  ])
)
