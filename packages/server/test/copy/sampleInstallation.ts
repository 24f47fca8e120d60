import type { AccountId } from "@frontdesk/core/access/Account"
import { KeyDigest } from "@frontdesk/core/access/ApiKey"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as Permission from "@frontdesk/core/access/Permission"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { Money } from "@frontdesk/core/values/Money"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as AuditEntries from "@frontdesk/testing/suite/AuditEntries"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { fold, range } from "@frontdesk/testing/suite/StatisticCounts"
import * as People from "@frontdesk/testing/suite/People"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const all = { page: 1, limit: 100 }

const digest = (digit: string): KeyDigest => KeyDigest.make(digit.repeat(64))

const idempotent = (accountId: AccountId) => ({
  accountId,
  method: "POST",
  path: "/api/v1/calls",
  key: "Order.1"
})

const hold = (accountId: AccountId) => ({
  accountId,
  holder: SlotHolder.make("key:1"),
  startTime: Samples.later(60),
  endTime: Samples.later(90),
  expiresAt: Samples.later(5)
})

const toolDigest = "0".repeat(64)

const times = { now: Samples.now, expiresAt: Samples.later(1_440), takeOverBefore: null }

/**
 * Fills every table of an installation. The rows have unusual texts, gaps of deleted rows, and references to later rows.
 * Of the deliveries, one is delivered, one waits for its retry, one is leased, and one is pending without an attempt.
 * Returns the ids of the records that the tests use.
 */
export const fill = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const team = yield* Samples.makeTeam("Sales 日本")
  const client = yield* Samples.makeAccount({ teamIds: [team.id] })
  // The partner has a higher id than its client, so a copy in the order of ids has a reference to a later row.
  const partner = yield* Samples.makeAccount({ name: "Partner", role: "partner" })
  yield* accounts.update({ ...client, role: "client", partnerId: partner.id })
  yield* accounts.changeFunds(
    client.id,
    { deposits: Money.make(12_345_678), reservations: Money.make(100_000) },
    Samples.cause
  )

  const keys = yield* ApiKeyStore
  const key = yield* keys.insert({
    accountId: client.id,
    name: "Everything",
    permissions: Permission.all,
    prefix: "fd_live_abcd",
    expiresAt: null,
    createdAt: Samples.now,
    digest: digest("a")
  })
  yield* keys.rotate(key.id, { digest: digest("b"), prefix: "fd_live_efgh", previousExpiresAt: Samples.later(60) })
  yield* (yield* InstallationStore).secret("links", Samples.stored("sealed:1:v1:secret"))
  yield* (yield* ProvisioningStore).insert({ kind: "account", accountRef: "", ref: "acme" }, client.id)
  const answers = yield* IdempotencyStore
  const begun = yield* answers.begin(idempotent(client.id), "fingerprint", times)
  yield* answers.complete(idempotent(client.id), begun._tag === "Started" ? begun.token : "", {
    status: 201,
    body: Samples.stored('{"a":"\u2028"}').pipe(Redacted.value)
  })

  const agent = yield* Samples.makeAgent(client.id, { teamId: team.id })
  const contact = yield* Samples.makeContact(client.id, {
    firstName: "Zoë",
    company: Samples.oddTexts.join("|"),
    team,
    tags: ["vip", "日本"],
    phoneNumbers: [Samples.newNumber("+12025550111", { doNotCall: true })],
    customContext: { odd: Samples.oddTexts, nul: "a\u0000b", number: 1e300, nested: { a: [null, true] } },
    // Before the year 1, and with a year of five digits.
    lastCallDate: Samples.at("-000042-03-01T12:00:00.001Z"),
    createdAt: Samples.at("+012026-03-01T12:00:00.999Z")
  })
  yield* (yield* AuditStore).append(AuditEntries.newEntry(client.id, 0))
  const member = yield* People.makeMember(client.id, { name: "Jörg 𝒥" })
  yield* People.makeLink(client.id, { memberId: member.id })
  yield* People.makeSession(client.id, { memberId: member.id })
  const imports = yield* ContactImportStore
  const imported = yield* imports.insert(Samples.newImport(client.id, { status: "running", dueAt: Samples.later(1) }))
  yield* imports.putPart(imported, 2, Samples.oddTexts.join("|").replaceAll("\0", ""))
  yield* imports.addRefused(imported, [Samples.refusedLine(2)])
  const deleted = yield* Samples.makeContact(client.id)
  yield* (yield* ContactStore).delete(Samples.scopeOf(client), deleted.id)
  yield* (yield* BusinessContextStore).write(client.id, { set: { industry: "care", hours: 8 }, remove: [] })
  yield* (yield* ContextVariableStore).insert({
    accountId: client.id,
    teamId: null,
    name: "size",
    displayName: "Size",
    description: null,
    variableType: "select",
    contextType: "contact",
    isDefault: false,
    selectOptions: ["S", "L"]
  })
  const call = yield* Samples.makeCall(client.id, agent, {
    contact: {
      id: contact.id,
      name: "Zoë",
      email: null,
      company: contact.company,
      status: contact.status,
      stage: contact.stage,
      lastCallDate: contact.lastCallDate
    },
    status: "in_progress",
    variables: { a: "b" },
    metadata: { order: 7 },
    transcript: "hello\n".repeat(10_000),
    startedAt: Samples.now,
    reconcileAt: Samples.later(5)
  })

  const event = yield* Samples.makeCalendarEvent(client.id, {
    isReminderEnabled: true,
    contactId: contact.id,
    externalCalendars: { google: { id: "1", revision: "a" } }
  })
  yield* (yield* SlotHoldStore).place(hold(client.id))
  const tools = yield* ToolCallStore
  const answer = { say: Samples.oddTexts.join("|"), nul: "a\u0000b" }
  yield* tools.insert(Samples.newToolCall(client.id, { callId: call.id, eventId: event.id, answer }), toolDigest)
  yield* tools.insert(Samples.newToolCall(client.id, { conversation: hold(client.id).holder }), toolDigest)
  const reminders = yield* ReminderStore
  for (const minutes of [1, 2]) {
    yield* reminders.schedule(event.id, Samples.later(minutes))
    if (minutes === 1) yield* reminders.markSent({ eventId: event.id, dueAt: Samples.later(minutes) }, event.startTime)
  }
  const connections = yield* CalendarConnectionStore
  yield* connections.put(
    { accountId: client.id, provider: "apple", calendar: "日本", createdAt: Samples.now, updatedAt: Samples.later(1) },
    Samples.stored("sealed:1:v1:password")
  )
  const outbox = yield* OutboxStore
  yield* outbox.add(event.accountId, [{ _tag: "SyncEvent", provider: "google", eventId: event.id }], Samples.now)

  const webhook = yield* Samples.makeWebhook(client.id, {}, "whsec_old")
  yield* (yield* WebhookStore).rotateSecret(webhook.id, Samples.stored("whsec_new"), Samples.later(600))
  const queue = yield* DeliveryQueue
  for (const subject of ["call:1", "call:2", "call:3"]) yield* Deliveries.add(webhook, subject)
  const [first, second, third] = yield* Deliveries.claim(1)
  if (first === undefined || second === undefined || third === undefined)
    return yield* Effect.die("Fewer than three deliveries were due")
  // The third delivery stays leased for another half minute.
  yield* queue.record([Deliveries.result(first, null), Deliveries.result(second, 30)], Samples.later(1))
  yield* Deliveries.add(webhook, "call:4", { createdAt: Samples.later(1) })
  // One part of the statistics is folded, and the others wait.
  yield* fold(client, 1)
  return { accountId: client.id, webhookId: webhook.id, eventId: event.id, contactId: contact.id }
})

/** The ids of the records that {@link fill} creates. */
export type Filled = Effect.Success<typeof fill>

/** Reads everything that the ports return about an installation, and changes nothing in it. */
export const readInstallation = Effect.fnUntraced(function* ({ accountId, eventId, webhookId }: Filled) {
  const accounts = yield* AccountStore
  const scope = { accountId, teamIds: (yield* Effect.map(accounts.find(accountId), Option.getOrThrow)).teamIds }
  const keys = yield* ApiKeyStore
  const webhooks = yield* WebhookStore
  const calls = yield* (yield* CallStore).list(scope, {}, all)
  const tools = yield* ToolCallStore
  return {
    accounts: yield* accounts.list(null, 10),
    funds: yield* accounts.funds(accountId),
    clients: yield* Effect.forEach(yield* accounts.list(null, 10), ({ id }) => accounts.clientsOf(id)),
    keys: yield* keys.list(accountId),
    byDigest: [yield* keys.findByDigest(digest("a")), yield* keys.findByDigest(digest("b"))],
    secrets: (yield* (yield* InstallationStore).secrets).map(({ name, stored }) => [name, Redacted.value(stored)]),
    ref: yield* (yield* ProvisioningStore).find({ kind: "account", accountRef: "", ref: "acme" }),
    answer: yield* (yield* IdempotencyStore).begin(idempotent(accountId), "fingerprint", times),
    agents: yield* (yield* AgentStore).list({ accountIds: [accountId], teamIds: [] }),
    contacts: yield* (yield* ContactStore).list(scope, {}, all),
    business: yield* (yield* BusinessContextStore).values(accountId),
    variables: yield* (yield* ContextVariableStore).list(scope, Option.none()),
    calls,
    events: yield* (yield* CalendarEventStore).list(scope, {}, all),
    event: yield* (yield* CalendarEventStore).findAnywhere({ id: eventId }),
    holds: yield* (yield* SlotHoldStore).ofHolder(accountId, hold(accountId).holder, Samples.now),
    tools: yield* Effect.forEach(calls.items, ({ id }) => tools.ofCall(accountId, id, 10)),
    toolWithoutCall: yield* tools.last({
      accountId,
      conversation: hold(accountId).holder,
      tool: "book",
      digest: toolDigest
    }),
    reminders: yield* (yield* ReminderStore).due(Samples.later(1_000), 10),
    connections: yield* (yield* CalendarConnectionStore).listAll(null, 10),
    credentials: (yield* (yield* CalendarConnectionStore).secrets(null, 10)).map(({ stored }) =>
      Redacted.value(stored)
    ),
    webhooks: yield* webhooks.list(accountId),
    webhookSecrets: (yield* webhooks.secrets(null, 10)).map(({ current, previous, ...webhook }) => ({
      ...webhook,
      current: Redacted.value(current),
      previous: previous === null ? null : Redacted.value(previous)
    })),
    deliveries: yield* (yield* DeliveryStore).list(accountId, webhookId, Option.none(), all),
    entries: yield* AuditEntries.allEntriesOf(accountId),
    members: yield* (yield* MemberStore).list(accountId),
    links: yield* (yield* SignInLinkStore).list(accountId, Samples.now, 10),
    sessions: yield* (yield* SessionStore).list(accountId, null, Samples.now, all),
    statistics: yield* (yield* StatisticStore).read(accountId, range)
  }
})
