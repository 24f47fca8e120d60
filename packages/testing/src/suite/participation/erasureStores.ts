import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Effect from "effect/Effect"
import * as ErasedPerson from "../ErasedPerson.ts"
import { page } from "../Pages.ts"
import * as Samples from "../Samples.ts"
import { participation, rolledBack } from "./Participation.ts"

const farFuture = Samples.later(200_000)

export const contactErasureStore = participation(
  ContactErasureStore,
  Effect.flatMap(
    Effect.suspend(() => Samples.makeAccount()),
    ({ id }) => ErasedPerson.plant(id, Samples.unique("jo"), "+12025550172")
  ),
  {
    view: (store, { call, contact, deliveries, imported, mailEvent, webhook }) =>
      Effect.gen(function* () {
        const [tools, events, keys] = [yield* ToolCallStore, yield* DeliveryStore, yield* IdempotencyStore]
        const [imports, outbox] = [yield* ContactImportStore, yield* OutboxStore]
        const scope = ErasedPerson.answerScope(contact.accountId, ErasedPerson.answerKey)
        const times = { now: Samples.later(60), expiresAt: farFuture, takeOverBefore: Samples.later(30) }
        return {
          calls: yield* store.calls(contact.id, null, 10),
          tools: yield* tools.ofCall(call.accountId, call.id, 10),
          answers: yield* events.lastAnswers(contact.accountId, webhook.id, deliveries),
          key: yield* rolledBack(keys.begin(scope, "digest", times)),
          refused: yield* imports.refused(imported, page(1)),
          mails: yield* rolledBack(
            Effect.map(outbox.claim(farFuture, farFuture, 10_000), (tasks) =>
              tasks.filter(({ work }) => work._tag === "Notify" && work.notification.event.id === mailEvent.id)
            )
          )
        }
      }),
    methods: {
      link: (store, { subject }) => store.link(subject, 10),
      calls: "reads",
      calendarEvents: "reads",
      clearToolCalls: (store, { call }) => store.clearToolCalls({ calls: [call.id], calendarEvents: [] }),
      dropMails: (store, { mailEvent }) => store.dropMails([mailEvent.id]),
      clearDeliveries: (store, { call, contact }) =>
        store.clearDeliveries(contact.accountId, [`call:${call.id}`], new Uint8Array(2), null, 100),
      clearAnswers: (store, { contact }) => store.clearAnswers(contact.accountId, null, 100),
      dropRefused: (store, { subject }) => store.dropRefused(subject, null, 100)
    }
  }
)

export const contactRecordStore = participation(ContactRecordStore, Effect.void, {
  view: () => Effect.void,
  methods: {
    writtenNumbers: "reads",
    calls: "reads",
    calendarEvents: "reads",
    toolCalls: "reads",
    deliveries: "reads",
    delivery: "reads"
  }
})
