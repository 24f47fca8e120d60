import * as DeliveryEngine from "@frontdesk/core/delivery/DeliveryEngine"
import * as DeliveryEngineState from "@frontdesk/core/delivery/DeliveryEngineState"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { AccountId } from "@frontdesk/core/access/Account"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"

/** A lease that is new and has time left. */
export const lease = { hasTime: () => true, isOld: () => false }

/** Settings with a limit of 6 deliveries in flight, and of 2 for each webhook. */
export const settings = DeliveryEngineState.settingsOf(
  new DeliverySettings({ maxInFlight: 6, maxInFlightPerWebhook: 2 })
)

export const unavailable = new StorageError({ reason: "unavailable", operation: "a test", cause: "a test" })

export const corrupt = new StorageError({ reason: "corrupt", operation: "a test", cause: "a test" })

export const at = (millis: number): DeliveryEngineState.Now => ({ millis, time: DateTime.makeUnsafe(millis) })

export const delivery = (key: number, webhook: number, claims = 1): ClaimedDelivery => ({
  key,
  id: DeliveryId.make(`00000000-0000-7000-8000-${String(key).padStart(12, "0")}`),
  leaseId: `lease ${key}`,
  accountId: AccountId.make(1),
  webhookId: WebhookId.make(webhook),
  url: `https://${webhook}.example`,
  secrets: { current: Redacted.make("whsec_test"), previous: null },
  eventName: "call.ended",
  body: new Uint8Array(),
  dueAt: DateTime.makeUnsafe(0),
  results: 0,
  claims,
  kind: "automatic"
})

export const resultOf = (
  { accountId, key, leaseId, url, webhookId }: ClaimedDelivery,
  durationMs: number
): DeliveryResult => ({
  key,
  leaseId,
  accountId,
  webhookId,
  url,
  kind: "automatic",
  attempt: { startedAt: DateTime.makeUnsafe(0), durationMs, statusCode: 200, error: null },
  responseBody: "",
  next: { state: "delivered" },
  webhookStatus: "active"
})

export const claimedInput = (...deliveries: ReadonlyArray<ClaimedDelivery>): DeliveryEngineState.Input => ({
  _tag: "Claimed",
  deliveries,
  lease,
  isSomePostponed: false
})

/** Passes each input to the engine at its time. Returns the last state, and the commands of each input. */
export const run = (
  inputs: ReadonlyArray<readonly [millis: number, input: DeliveryEngineState.Input]>,
  initial = DeliveryEngineState.make(settings, "forever")
) => {
  let state = initial
  const commands = inputs.map(([millis, input]) => {
    const [next, commands] = DeliveryEngine.step(state, input, at(millis))
    state = next
    return commands
  })
  return { state, commands }
}

/** Passes each input to the engine at its time. Returns the last state, and the tags of the commands of each input. */
export const play = (...args: Parameters<typeof run>) => {
  const { commands, state } = run(...args)
  return { state, commands: commands.map((some) => some.map(({ _tag }) => _tag)) }
}

export const tick: DeliveryEngineState.Input = { _tag: "Tick" }
export const notified: DeliveryEngineState.Input = { _tag: "Notified" }
export const nothingDue: DeliveryEngineState.Input = { _tag: "NextDue", inMillis: Number.POSITIVE_INFINITY }
export const attempted = (delivery: ClaimedDelivery): DeliveryEngineState.Input => ({
  _tag: "Attempted",
  result: resultOf(delivery, 0)
})
export const recorded = (...deferred: ReadonlyArray<number>): DeliveryEngineState.Input => ({
  _tag: "Recorded",
  deferred
})
export const queueFailed = (error: StorageError): DeliveryEngineState.Input => ({ _tag: "QueueFailed", error })
