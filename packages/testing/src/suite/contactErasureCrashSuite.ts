import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { ownRows } from "@frontdesk/core/access/Scope"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as fc from "fast-check"
import { allEntriesOf } from "./AuditEntries.ts"
import * as Crashes from "./Crashes.ts"
import * as Deliveries from "./Deliveries.ts"
import * as ErasedPerson from "./ErasedPerson.ts"
import { expect } from "./Expect.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"

const points = [
  "Transaction.run",
  "CallStore.update",
  "CalendarEventStore.update",
  "ContactStore.delete",
  "OutboxStore.add",
  "ContactErasureStore.link",
  "ContactErasureStore.clearToolCalls",
  "ContactErasureStore.clearDeliveries",
  "ContactErasureStore.clearAnswers",
  "ContactErasureStore.dropMails",
  "ContactErasureStore.dropRefused"
]

/**
 * Verifies, on a storage, that an erasure ends in the same state however often the storage fails or the process is killed
 * meanwhile (D-ERASE-1): no record has anything of the person, and everything else stays.
 */
export const contactErasureCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: erasures of contacts (D-ERASE-1)`,
    "after faults and kills at any point, a repeated erasure leaves nothing of the person and everything of others",
    storage,
    fc.array(Crashes.plannedFault(points), { maxLength: 4 }),
    play,
    options
  )

type Planted = Effect.Success<ReturnType<typeof ErasedPerson.plant>>

/** Returns what the ports show of everything that was planted, as text. */
const shown = Effect.fnUntraced(function* ({ call, contact, deliveries, imported, mailEvent, webhook }: Planted) {
  const { accountId } = contact
  const scope = ownRows(accountId)
  const key = ErasedPerson.answerScope(accountId, ErasedPerson.answerKey)
  const times = { now: Samples.later(60), expiresAt: Samples.later(1_440), takeOverBefore: Samples.later(30) }
  const seen = {
    contacts: yield* (yield* ContactStore).list(scope, {}, page(1)),
    calls: yield* (yield* CallStore).list(scope, {}, page(1)),
    events: yield* (yield* CalendarEventStore).list(scope, {}, page(1)),
    tools: yield* (yield* ToolCallStore).ofCall(accountId, call.id, 10),
    refused: yield* (yield* ContactImportStore).refused(imported, page(1)),
    answers: [...(yield* (yield* DeliveryStore).lastAnswers(accountId, webhook.id, deliveries))],
    key: yield* (yield* IdempotencyStore).begin(key, "digest", times),
    tasks: (yield* (yield* OutboxStore).claim(Samples.later(200_000), Samples.later(200_001), 1_000)).filter(
      (task) => task.accountId === accountId
    )
  }
  for (const id of deliveries) yield* (yield* DeliveryStore).redeliver(accountId, webhook.id, id, Samples.now)
  const bodies = (yield* Deliveries.claim(2))
    .filter((one) => one.accountId === accountId)
    .map(({ body }) => new TextDecoder().decode(body))
  return { seen, bodies, text: JSON.stringify({ seen, bodies }), mailEvent }
})

const play = Effect.fnUntraced(function* (faults: ReadonlyArray<Crashes.PlannedFault>) {
  const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
  const planted = yield* ErasedPerson.plant(account.id, "marker-erased", "+12025550173")
  const stranger = yield* ErasedPerson.plant(other.id, "marker-kept", "+12025550173")
  const listed = planted.subject.numbers
  yield* (yield* DoNotCallStore).add(account.id, listed)
  const erasures = yield* ContactErasures
  const erase = erasures
    .erase(planted.contact.id, { confirm: true })
    .pipe(Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) }))
  for (const fault of faults) yield* Crashes.runUnderFault(fault, [erase])
  const done = yield* Effect.exit(erase)
  if (Exit.isFailure(done)) expect(Predicate.isTagged(Cause.squash(done.cause), "ContactNotFound")).toBe(true)
  else if (faults.length === 0) {
    expect(done.value).toEqual({
      contactId: planted.contact.id,
      calls: 2,
      toolCalls: 2,
      calendarEvents: 3,
      futureCalendarEvents: 3,
      mails: 1,
      deliveries: 2,
      storedAnswers: 1,
      refusedLines: 2,
      remaining: ["do_not_call_list", "sent_webhooks", "sent_mails", "provider_data", "external_calendars", "backups"]
    })
  }
  // However often it was begun, the deletion of the contact and its entry are stored together (D-AUD-1).
  const entries = (yield* allEntriesOf(account.id)).map(({ entity, operation }) => [operation, entity.id])
  const entryOf = (operation: string) => [operation, String(planted.contact.id)]
  expect(entries.filter(([operation]) => operation === "contactErasures.erase")).toEqual([
    entryOf("contactErasures.erase")
  ])
  expect(entries).toContainEqual(entryOf("contactErasures.begin"))
  const { bodies, seen, text } = yield* shown(planted)
  expect(text.toLowerCase()).not.toContain("marker-erased")
  expect(text).not.toContain("2025550173")
  expect(bodies).toEqual(['{"erased":true}', '{"erased":true}'])
  expect(seen.key).toEqual({ _tag: "Executed" })
  // What bills and plans need stays.
  expect(
    seen.calls.items.map(({ billing, endedAt, startedAt, status }) => ({ billing, endedAt, startedAt, status }))
  ).toEqual(
    [planted.call, planted.linkedCall].map(({ billing, endedAt, startedAt, status }) => ({
      billing,
      endedAt,
      startedAt,
      status
    }))
  )
  expect(seen.events.items.map(({ endTime, startTime, status }) => ({ endTime, startTime, status }))).toEqual(
    [planted.linkedEvent, planted.phoneEvent, planted.mailEvent].map(({ endTime, startTime, status }) => ({
      endTime,
      startTime,
      status
    }))
  )
  expect(seen.tasks.map(({ work }) => work._tag)).toEqual(["SyncEvent", "SyncEvent", "SyncEvent"])
  expect((yield* (yield* DoNotCallStore).list(account.id, {}, page(1))).items).toEqual(listed)
  const kept = yield* shown(stranger)
  expect(kept.seen).toMatchObject({
    contacts: { items: [stranger.contact] },
    calls: { count: 2 },
    events: { count: 3 },
    refused: { count: 2 },
    key: { _tag: "Answered" }
  })
  expect(kept.bodies).toEqual(['{"marker":"marker-kept"}', '{"marker":"marker-kept"}'])
})
