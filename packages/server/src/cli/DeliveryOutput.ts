import type { Attempt } from "@frontdesk/core/delivery/Delivery"
import type { DeliveryReport } from "@frontdesk/core/webhook/WebhookOperations"
import * as WebhookView from "@frontdesk/http/webhook/WebhookView"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Output from "./Output.ts"

/** How much of an answer people are shown. */
const shownOfAnswer = 200

const iso = (instant: DateTime.Utc | null): string | null => (instant === null ? null : DateTime.formatIso(instant))

const encode = Schema.encodeSync(WebhookView.DeliveryView)

/** A delivery for machines: what the API shows of it, its webhook and the last answer. */
export const view = (delivery: DeliveryReport) => {
  const { id, ...shown } = encode(WebhookView.deliveryView(delivery))
  return { id, webhook_id: delivery.webhookId, ...shown, last_answer: delivery.lastAnswer }
}

/** What came of an attempt: `503 in 12 ms: the receiver answered 503`. */
export const result = ({ durationMs, error, statusCode }: Attempt): string =>
  `${statusCode ?? "no answer"} in ${durationMs} ms${error === null ? "" : `: ${error}`}`

/** When the next attempt is made. */
export const next = ({ nextAttemptAt, status }: Pick<DeliveryReport, "nextAttemptAt" | "status">): string => {
  if (status !== "pending") return "there is no further attempt"
  return nextAttemptAt === null ? "an attempt is being made" : `the next attempt is due at ${iso(nextAttemptAt)}`
}

/** A delivery for people: a line, one for each attempt, and the beginning of the last answer. */
export const text = (delivery: DeliveryReport): string =>
  [
    [delivery.id, delivery.eventType, delivery.status, iso(delivery.createdAt)].join("  "),
    ...delivery.attempts.map(
      (attempt) => `  ${attempt.number}  ${attempt.kind}  ${iso(attempt.startedAt)}  ${result(attempt)}`
    ),
    ...(delivery.lastAnswer === null || delivery.lastAnswer === ""
      ? []
      : [`  last answer: ${beginning(delivery.lastAnswer)}`]),
    ...(delivery.status === "pending" ? [`  ${next(delivery)}`] : [])
  ]
    .map(Output.plain)
    .join("\n")

const beginning = (answer: string): string => {
  const characters = Array.from(answer)
  return characters.length <= shownOfAnswer ? answer : `${characters.slice(0, shownOfAnswer).join("")}…`
}
