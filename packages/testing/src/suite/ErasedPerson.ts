import type { AccountId } from "@frontdesk/core/access/Account"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as ErasureSubject from "@frontdesk/core/erasure/ErasureSubject"
import { type IdempotencyScope, IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import type { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import * as Effect from "effect/Effect"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"

/** The name under which {@link plant} stores an answer. */
export const answerKey = "answer"

/** Returns the key of an answer that is stored under a name. */
export const answerScope = (accountId: AccountId, key: string): IdempotencyScope => ({
  accountId,
  method: "POST",
  path: "/api/v1/calls",
  key
})

const storeAnswer = Effect.fnUntraced(function* (accountId: AccountId, key: string, text: string) {
  const keys = yield* IdempotencyStore
  const scope = answerScope(accountId, key)
  const times = { now: Samples.now, expiresAt: Samples.later(1_440), takeOverBefore: null }
  const state = yield* keys.begin(scope, "digest", times)
  if (state._tag === "Started") yield* keys.complete(scope, state.token, { status: 201, body: StoredText.make(text) })
})

/**
 * Stores a contact with everything that other records can have of a person, with a text in every field that can have one.
 *
 * @param marker the text, as it occurs in a name, an e-mail address and a JSON document
 * @param number the number of the contact
 */
export const plant = Effect.fnUntraced(function* (accountId: AccountId, marker: string, number: string) {
  const email = `${marker}@example.com`
  const contact = yield* Samples.makeContact(accountId, {
    firstName: marker,
    lastName: marker,
    email,
    company: marker,
    website: `https://${marker}.example`,
    address: marker,
    city: marker,
    state: marker,
    zipCode: marker,
    country: marker,
    tags: [marker],
    phoneNumbers: [{ ...Samples.newNumber(number), phoneType: marker }],
    customContext: { [marker]: marker },
    industryContext: { [marker]: marker }
  })
  const [own] = contact.phoneNumbers
  if (own === undefined) return yield* Effect.die(new Error("The contact has no number"))
  const agent = yield* Samples.makeAgent(accountId)
  const said = {
    status: "completed",
    phoneNumber: own.phoneNumber,
    startedAt: Samples.now,
    endedAt: Samples.later(1),
    summary: marker,
    transcript: marker,
    recordingUrl: `https://${marker}.example`,
    variables: { [marker]: marker },
    metadata: { [marker]: marker }
  } as const
  const linkedCall = yield* Samples.makeCall(accountId, agent, {
    ...said,
    contact: { id: contact.id, name: marker, email, company: marker, status: "new", stage: "lead", lastCallDate: null }
  })
  const call = yield* Samples.makeCall(accountId, agent, said)
  const customer = { name: marker, email: "", phone: "", notes: marker }
  const about = {
    title: marker,
    description: marker,
    location: marker,
    videoConferenceUrl: `https://${marker}.example`,
    externalCalendars: { google: { id: "copy", revision: marker } },
    invitation: { email, isSent: true, status: "scheduled" }
  } as const
  const linkedEvent = yield* Samples.makeCalendarEvent(accountId, { ...about, contactId: contact.id, customer })
  const phoneEvent = yield* Samples.makeCalendarEvent(accountId, {
    ...about,
    customer: { ...customer, phone: own.phoneNumber }
  })
  const mailEvent = yield* Samples.makeCalendarEvent(accountId, { ...about, customer: { ...customer, email } })
  const tools = yield* ToolCallStore
  yield* tools.insert(
    Samples.newToolCall(accountId, { callId: call.id, arguments: { marker }, answer: marker }),
    "digest"
  )
  yield* tools.insert(
    Samples.newToolCall(accountId, { eventId: mailEvent.id, arguments: { marker }, answer: { say: marker } }),
    "digest"
  )
  const mail: OutboxWork = { _tag: "Notify", notification: { kind: "reminder", event: mailEvent } }
  yield* (yield* OutboxStore).add(accountId, [mail], Samples.later(100_000))
  const webhook = yield* Samples.makeWebhook(accountId)
  const body = new TextEncoder().encode(JSON.stringify({ marker }))
  const inCall = yield* Deliveries.add(webhook, `call:${call.id}`, { body, name: "call.ended" })
  const inEvent = yield* Deliveries.add(webhook, `event:${mailEvent.id}`, { body, name: "calendar.created" })
  const claimed = (yield* Deliveries.claim(0)).filter(({ webhookId }) => webhookId === webhook.id)
  const answered = claimed.map((one) => ({ ...Deliveries.finalFailure(one, null), responseBody: marker }))
  yield* (yield* DeliveryQueue).record(answered, Samples.now)
  yield* storeAnswer(accountId, answerKey, JSON.stringify({ marker }))
  const imports = yield* ContactImportStore
  const imported = yield* imports.insert(Samples.newImport(accountId, { status: "finished" }))
  yield* imports.addRefused(imported, [
    { line: 2, problems: [], values: { name: marker, mail: email.toUpperCase() } },
    {
      line: 3,
      problems: [],
      values: { name: marker, phone: own.phoneNumber.replace("+1", "+1 (").replace("555", ") 555-") }
    }
  ])
  return {
    contact,
    subject: ErasureSubject.of(contact),
    agent,
    call,
    linkedCall,
    linkedEvent,
    phoneEvent,
    mailEvent,
    webhook,
    deliveries: [inCall, inEvent],
    imported
  }
})

/** {@link plant} for a contact of a new account. The marker is that of no other contact. */
export const person = Effect.suspend(() =>
  Effect.flatMap(Samples.makeAccount(), ({ id }) => plant(id, Samples.unique("jo"), "+12025550171"))
)
