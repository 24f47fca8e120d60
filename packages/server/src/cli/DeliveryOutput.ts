import type { Attempt } from "@frontdesk/core/delivery/Delivery"
import type { DeliveryReport } from "@frontdesk/core/webhook/WebhookOperations"
import * as WebhookView from "@frontdesk/http/webhook/WebhookView"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Output from "./Output.ts"

/** The maximum number of characters of a receiver's answer in the text output. */
const maxAnswerLength = 200

const iso = (instant: DateTime.Utc | null): string | null => (instant === null ? null : DateTime.formatIso(instant))

const encode = Schema.encodeSync(WebhookView.DeliveryView)

/** Returns a delivery as JSON: the fields of the API, and the last answer of the receiver. */
export const view = (delivery: DeliveryReport) => ({
  ...encode(WebhookView.deliveryView(delivery)),
  last_answer: delivery.lastAnswer
})

/** Returns the result of an attempt as text: `503 in 12 ms: the receiver answered 503`. */
export const result = ({ durationMs, error, statusCode }: Attempt): string =>
  `${statusCode ?? "no answer"} in ${durationMs} ms${error === null ? "" : `: ${error}`}`

/** Returns a text that says when the next attempt is due, or that there is none or that one is in progress. */
export const next = ({ nextAttemptAt, status }: Pick<DeliveryReport, "nextAttemptAt" | "status">): string => {
  if (status !== "pending") return "there is no further attempt"
  return nextAttemptAt === null ? "an attempt is in progress" : `the next attempt is due at ${iso(nextAttemptAt)}`
}

/**
 * Returns a delivery as text. The first line has its id, webhook event, status and time. A line for each attempt, one with
 * the beginning of the last answer, and for a pending delivery one with its next attempt follow.
 */
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
  return characters.length <= maxAnswerLength ? answer : `${characters.slice(0, maxAnswerLength).join("")}…`
}
