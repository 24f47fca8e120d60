import * as Schema from "effect/Schema"
import * as BookingClient from "./BookingClient.ts"
import * as EventClient from "./EventClient.ts"
import type * as Ledger from "./Ledger.ts"
import type { Receivers } from "./Receivers.ts"
import * as Replies from "./Replies.ts"
import type { Operation } from "./Script.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import * as WebhookClient from "./WebhookClient.ts"

const { allEvents, someEvents } = WebhookClient

const Made = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))

/** The client of the servers of a world. It uses one process after the other, and records every answer. */
export interface Client {
  /** Creates the webhooks that no operation changes. */
  readonly setUp: (server: ServerProcess) => Promise<void>
  /** Finds out whether the requests without an answer were executed. */
  readonly catchUp: (server: ServerProcess) => Promise<void>
  readonly perform: (server: ServerProcess, operation: Operation) => Promise<void>
}

/** Creates the client of a world. */
export const make = (ledger: Ledger.Ledger, receivers: Receivers): Client => {
  const replies = Replies.make(ledger)
  const events = EventClient.make(ledger, replies)
  const bookings = BookingClient.make(ledger, replies)
  const webhooks = WebhookClient.make(ledger, receivers, replies)

  /** Chooses one of the webhooks that certainly exist, including those that no operation changes. */
  const known = (pick: number): Ledger.KnownWebhook | undefined =>
    Replies.pickOf(
      ledger.webhooks.filter((webhook) => webhook.isCertain && !webhook.isDeleted),
      pick
    )

  const perform = async (server: ServerProcess, operation: Operation): Promise<void> => {
    switch (operation._tag) {
      case "CreateCalendarEvent":
        return events.create(server, operation.title, operation.reminder, operation.key)
      case "CreateEvents":
        await Promise.all(operation.titles.map((title) => events.create(server, title, false, null)))
        return
      case "RepeatCreate":
        return events.repeat(server, operation.pick)
      case "RenameEvent":
        return events.change(server, operation.pick, "calendar.updated", operation.title, (id) => [
          "PATCH",
          `/api/v1/calendar/events/${id}/update`,
          { title: operation.title }
        ])
      case "MoveEvent":
        return events.move(server, operation.pick, operation.title)
      case "CancelCalendarEvent":
        return events.change(server, operation.pick, "calendar.cancelled", null, (id) => [
          "POST",
          `/api/v1/calendar/events/${id}/cancel`,
          { reason: "Ill" }
        ])
      case "CompleteEvent":
        return events.change(server, operation.pick, "calendar.completed", null, (id) => [
          "PATCH",
          `/api/v1/calendar/events/${id}/update`,
          { status: "completed" }
        ])
      case "Book":
        return bookings.book(server, operation)
      case "RepeatBook":
        return bookings.repeat(server, operation.pick)
      case "StartCall": {
        const body = { phone_number: operation.phoneNumber, agent_id: "asst_ada" }
        // 502: the provider rejects the call. 429: ten calls are already running.
        const answer = replies.good("a call", await server.ask("POST", "/api/v1/calls", body), [502, 429])
        if (answer !== null) ledger.calls.push(Made(answer.body).id)
        return
      }
      case "CreateWebhook":
        return webhooks.create(
          server,
          operation.name,
          operation.behaviour,
          operation.all ? allEvents : someEvents,
          false
        )
      case "SwitchWebhook": {
        const webhook = webhooks.any(operation.pick)
        if (webhook === undefined) return
        if (webhook.isActive) webhooks.off(webhook)
        return webhooks.patch(server, webhook, { is_active: !webhook.isActive })
      }
      case "ChangeEvents": {
        const webhook = webhooks.any(operation.pick)
        if (webhook === undefined) return
        const events = webhook.events.length === allEvents.length ? someEvents : allEvents
        return webhooks.patch(server, webhook, { subscribed_events: events })
      }
      case "DeleteWebhook": {
        const webhook = webhooks.any(operation.pick)
        return webhook === undefined ? undefined : webhooks.remove(server, webhook)
      }
      case "RotateSecret": {
        // Also for the webhooks that otherwise do not change. Their signatures are checked with every secret.
        const webhook = known(operation.pick)
        return webhook === undefined ? undefined : webhooks.rotate(server, webhook)
      }
      case "TestWebhook": {
        const webhook = known(operation.pick)
        return webhook === undefined ? undefined : webhooks.test(server, webhook)
      }
      case "Redeliver": {
        const webhook = known(operation.pick)
        return webhook === undefined ? undefined : webhooks.redeliver(server, webhook, operation.which)
      }
    }
  }

  return {
    setUp: async (server) => {
      for (const behaviour of ["good", "slow", "flaky", "intermittent"] as const) {
        await webhooks.create(server, behaviour, behaviour, allEvents, true)
      }
    },
    catchUp: async (server) => {
      await webhooks.catchUp(server)
      await events.catchUp(server)
      await bookings.catchUp(server)
    },
    perform
  }
}
