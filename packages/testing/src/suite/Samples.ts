import { defaultSettings } from "@frontdesk/core/account/Accounts"
import type { RefusedLine, StoredImport } from "@frontdesk/core/contact-file/ContactImport"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { FundsCause } from "@frontdesk/core/access/FundMovement"
import { KeyDigest } from "@frontdesk/core/access/ApiKey"
import type { NewApiKey } from "@frontdesk/core/access/ApiKeyStore"
import type { CalendarConnection } from "@frontdesk/core/external-calendar/CalendarConnection"
import type { NewContextVariable } from "@frontdesk/core/variable/ContextVariableStore"
import { AccountStore, type NewAccount } from "@frontdesk/core/access/AccountStore"
import { ownRows, type Scope } from "@frontdesk/core/access/Scope"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore, type NewAgent } from "@frontdesk/core/agent/AgentStore"
import { type CalendarEvent, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import type { Call } from "@frontdesk/core/call/Call"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type { NewContactNumber } from "@frontdesk/core/contact/Contact"
import { ContactStore, type ContactWrite } from "@frontdesk/core/contact/ContactStore"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import type { StepLimit } from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** Returns the instant of a text such as `2026-03-08T13:00:00.123Z`. */
export const at = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)

/**
 * The instant at which samples are made. Its milliseconds are not zero, so that a test detects a storage that rounds.
 */
export const now: DateTime.Utc = at("2026-03-02T09:00:00.123Z")

/** Returns the instant some minutes after `now`, or before it for a negative number. */
export const later = (minutes: number): DateTime.Utc => DateTime.add(now, { minutes })

/** Returns the instant a millisecond before the one that is some minutes after `now`. */
export const justBefore = (minutes: number): DateTime.Utc => DateTime.subtract(later(minutes), { milliseconds: 1 })

/** Returns the instant a millisecond after the one that is some minutes after `now`. */
export const justAfter = (minutes: number): DateTime.Utc => DateTime.add(later(minutes), { milliseconds: 1 })

/** The cause of a change of funds that is for no call. */
export const cause: FundsCause = { callId: null, at: now }

/** Returns a text that is unique, even in a database that earlier test runs have filled. */
export const unique = (prefix: string): string => `${prefix}-${crypto.randomUUID()}`

/** Returns a phone number of 15 digits that no other record has, even in a database that earlier test runs have filled. */
export const uniqueNumber = (): PhoneNumber => {
  const random = BigInt(`0x${crypto.randomUUID().replaceAll("-", "")}`)
  return PhoneNumber.make(`+9${String(random % 100_000_000_000_000n).padStart(14, "0")}`)
}

/** Texts that a faulty storage changes, refuses or executes. */
export const oddTexts: ReadonlyArray<string> = [
  "",
  " leading and trailing ",
  "Zoë Ångström",
  "Zoe\u0308 decomposed",
  "日本語 العربية",
  "👩‍👩‍👧‍👦 🏳️‍🌈",
  "'; DROP TABLE contact; --",
  "percent % underscore _ backslash \\",
  "quotes \" and ' and `",
  "line\nbreak\r\nand\ttab",
  "line separator \u2028 and bell \u0007",
  "null",
  "{{first_name}}",
  "x".repeat(5_000)
]

/** Returns the fields of a new account. */
export const newAccount = (fields: Partial<NewAccount> = {}): NewAccount => ({
  name: "Acme",
  role: "standard",
  partnerId: null,
  teamIds: [],
  settings: defaultSettings,
  createdAt: now,
  ...fields
})

/** Stores a new account and returns it. */
export const makeAccount = (fields: Partial<NewAccount> = {}) =>
  Effect.flatMap(AccountStore, (accounts) => accounts.insert(newAccount(fields)))

/** Stores a new team and returns it. */
export const makeTeam = (name = "Sales") => Effect.flatMap(TeamStore, (teams) => teams.insert(name))

/** Returns the scope of an account that is in no team. */
export const scopeOf = (account: { readonly id: AccountId }): Scope => ownRows(account.id)

/** Returns the fields of a new agent. */
export const newAgent = (accountId: AccountId, fields: Partial<NewAgent> = {}): NewAgent => ({
  accountId,
  assistantId: unique("asst"),
  name: "Ada",
  role: "outbound agent",
  phoneNumber: PhoneNumber.make("+12025550100"),
  model: "gpt-x",
  voiceId: "v1",
  teamId: null,
  allowedTools: null,
  createdAt: now,
  ...fields
})

/** Stores a new agent of an account and returns it. */
export const makeAgent = (accountId: AccountId, fields: Partial<NewAgent> = {}) =>
  Effect.flatMap(AgentStore, (agents) => agents.insert(newAgent(accountId, fields)))

/** Stores an account with an agent, and returns both. */
export const makeCaller = Effect.gen(function* () {
  const account = yield* makeAccount()
  return { account, agent: yield* makeAgent(account.id) }
})

/** Returns a contact's phone number that is not stored yet, by default the primary one. */
export const newNumber = (phoneNumber: string, fields: Partial<NewContactNumber> = {}): NewContactNumber => ({
  id: null,
  phoneNumber: PhoneNumber.make(phoneNumber),
  phoneType: null,
  primary: true,
  doNotCall: false,
  ...fields
})

/** Returns the fields of a new contact. */
export const newContact = (
  accountId: AccountId,
  fields: Partial<Omit<ContactWrite, "id">> = {}
): Omit<ContactWrite, "id"> => ({
  accountId,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  website: null,
  address: null,
  city: null,
  state: null,
  zipCode: null,
  country: null,
  status: "new",
  stage: "lead",
  team: null,
  tags: [],
  phoneNumbers: [],
  customContext: {},
  industryContext: {},
  lastCallDate: null,
  createdAt: now,
  updatedAt: now,
  ...fields
})

/** Stores a new contact of an account and returns it. */
export const makeContact = (accountId: AccountId, fields: Partial<Omit<ContactWrite, "id">> = {}) =>
  Effect.flatMap(ContactStore, (contacts) => contacts.insert(newContact(accountId, fields)))

/** Returns the fields of a new import of contacts. */
export const newImport = (
  accountId: AccountId,
  fields: Partial<Omit<StoredImport, "id">> = {}
): Omit<StoredImport, "id"> => ({
  accountId,
  status: "uploading",
  onKnown: "skip",
  separator: ";",
  dryRun: false,
  columns: [{ column: "E-mail", field: "email" }],
  parts: 0,
  partsRead: 0,
  lines: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  refused: 0,
  failure: null,
  createdAt: now,
  updatedAt: now,
  cursor: { offset: 0, line: 0, fields: null, header: null, failures: 0 },
  dueAt: null,
  startedBy: null,
  ...fields
})

/** Returns a refused line with a number. */
export const refusedLine = (line: number): RefusedLine => ({
  line,
  problems: [{ field: "email", code: "invalid", message: "Expected an e-mail address" }],
  values: { "E-mail": `${line}@`, Näme: "Jo" }
})

/** Returns the fields of a new calendar event that starts at `now` and lasts half an hour. */
export const newCalendarEvent = (
  accountId: AccountId,
  fields: Partial<Omit<CalendarEvent, "id">> = {}
): Omit<CalendarEvent, "id"> => ({
  uuid: CalendarEventUuid.make(crypto.randomUUID()),
  accountId,
  title: "Demo",
  description: "",
  eventType: "meeting",
  status: "scheduled",
  startTime: now,
  endTime: later(30),
  location: null,
  hasVideoConference: false,
  videoConferenceUrl: "",
  videoConferenceProvider: "",
  createdByAiAgent: false,
  isReminderEnabled: false,
  remindBeforeMinutes: 30,
  customer: { name: "", email: "", phone: "", notes: "" },
  contactId: null,
  aiAgent: null,
  team: null,
  externalCalendars: {},
  externalCalendarsStatus: {},
  notifyOnCancel: true,
  invitation: null,
  sequence: 0,
  createdAt: now,
  updatedAt: now,
  ...fields
})

/** Stores a new calendar event of an account and returns it. */
export const makeCalendarEvent = (accountId: AccountId, fields: Partial<Omit<CalendarEvent, "id">> = {}) =>
  Effect.flatMap(CalendarEventStore, (events) => events.insert(newCalendarEvent(accountId, fields)))

/** Returns the fields of a new outbound call with the status `queued`. */
export const newCall = (
  accountId: AccountId,
  agent: Call["agent"],
  fields: Partial<Omit<Call, "id">> = {}
): Omit<Call, "id"> => ({
  accountId,
  callId: unique("call"),
  agent: { id: agent.id, name: agent.name, assistantId: agent.assistantId },
  status: "queued",
  type: "outbound",
  phoneNumber: PhoneNumber.make("+12025550111"),
  startedAt: null,
  endedAt: null,
  summary: null,
  transcript: null,
  recordingUrl: null,
  contact: null,
  team: null,
  billing: {
    status: "pending",
    initialCharge: Money.zero,
    finalCharge: Money.zero,
    pricePerMinute: Money.zero
  },
  endedReason: null,
  variables: {},
  metadata: null,
  submission: "intended",
  providerCallId: null,
  reconcileAt: null,
  reconcileCount: 0,
  confirmedAt: null,
  reservedMinutes: 1,
  reserveAt: null,
  createdAt: now,
  updatedAt: now,
  ...fields
})

/** Stores a new call of an account and returns it. */
export const makeCall = (accountId: AccountId, agent: Call["agent"], fields: Partial<Omit<Call, "id">> = {}) =>
  Effect.flatMap(CallStore, (calls) => calls.insert(newCall(accountId, agent, fields)))

/** Returns the fields of a new tool call of an account without a call. */
export const newToolCall = (
  accountId: AccountId,
  fields: Partial<Omit<ToolCall, "id">> = {}
): Omit<ToolCall, "id"> => ({
  accountId,
  callId: null,
  conversation: SlotHolder.make("call:7"),
  tool: "book",
  arguments: { slot: "tomorrow" },
  answer: { say: "It is booked." },
  durationMillis: 20,
  at: now,
  eventId: null,
  ...fields
})

/** Stores a new webhook of an account and returns it. By default it is subscribed to `call.ended`. */
export const makeWebhook = (accountId: AccountId, fields: Partial<Omit<Webhook, "id">> = {}, secret = "whsec_sample") =>
  Effect.flatMap(WebhookStore, (webhooks) =>
    webhooks.insert(
      {
        accountId,
        name: "Hook",
        url: "https://hooks.example.com/in",
        subscribedEvents: ["call.ended"],
        status: "active",
        createdAt: now,
        updatedAt: now,
        lastDeliveryAt: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        lastFailureStatus: null,
        consecutiveFailures: 0,
        ...fields
      },
      stored(secret)
    )
  )

/** Returns a text in the form in which stores take secrets: stored as it is, without encryption. */
export const stored = (text: string): Redacted.Redacted<StoredText> => Redacted.make(StoredText.make(text))

/** Returns a limit of rows for one step, without a limit of bytes. */
export const rowLimit = (count: number): StepLimit => ({ rows: count, bytes: Number.MAX_SAFE_INTEGER })

/** Sweeps everything from before an instant, which other tests or runs have left in a store. */
export const sweepAll = <E, R>(
  store: { readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, E, R> },
  before: DateTime.Utc
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while ((yield* store.sweep(before, rowLimit(1_000))) > 0) continue
  })

/** Returns a text of this length that compresses to three quarters at best. It is the same in every run. */
export const incompressibleText = (length: number): string => {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charAt(state % 64)
  }).join("")
}

/** Returns a digest of an API key that no other key has. */
export const newDigest = (): KeyDigest => KeyDigest.make(crypto.randomUUID().replaceAll("-", "").repeat(2))

/** Returns the fields of a new API key. */
export const newApiKey = (accountId: AccountId, fields: Partial<NewApiKey> = {}): NewApiKey => ({
  accountId,
  name: "Everything",
  permissions: ["can_read_agents"],
  prefix: "fd_live_abcd",
  expiresAt: null,
  createdAt: now,
  digest: newDigest(),
  ...fields
})

/** Returns the fields of a new context variable. */
export const newVariable = (
  accountId: AccountId,
  name: string,
  fields: Partial<NewContextVariable> = {}
): NewContextVariable => ({
  accountId,
  teamId: null,
  name,
  displayName: "Name",
  description: null,
  variableType: "text",
  contextType: "contact",
  isDefault: false,
  selectOptions: null,
  ...fields
})

/** Returns a connection of an account to its Google calendar. */
export const newConnection = (accountId: AccountId, fields: Partial<CalendarConnection> = {}): CalendarConnection => ({
  accountId,
  provider: "google",
  calendar: "primary",
  createdAt: now,
  updatedAt: now,
  ...fields
})
