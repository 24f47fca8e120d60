import { defaultSettings } from "@frontdesk/core/account/Accounts"
import type { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore, type NewAccount } from "@frontdesk/core/access/AccountStore"
import type { Scope } from "@frontdesk/core/access/Principal"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore, type NewAgent } from "@frontdesk/core/agent/AgentStore"
import { type CalendarEvent, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
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

/** An instant by its text, `2026-03-08T13:00:00.123Z`. */
export const at = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)

/** When samples are made: odd milliseconds, so that a storage that rounds is found out. */
export const now: DateTime.Utc = at("2026-03-02T09:00:00.123Z")

/** So many minutes after `now`. */
export const later = (minutes: number): DateTime.Utc => DateTime.add(now, { minutes })

/** A text that no other test uses, also not in a database that lives longer than the test. */
export const unique = (prefix: string): string => `${prefix}-${crypto.randomUUID()}`

/** Texts that a careless storage changes, refuses or runs. */
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

/** A new account. */
export const newAccount = (fields: Partial<NewAccount> = {}): NewAccount => ({
  name: "Acme",
  role: "standard",
  partnerId: null,
  teamIds: [],
  settings: defaultSettings,
  createdAt: now,
  ...fields
})

/** Keeps a new account. */
export const makeAccount = (fields: Partial<NewAccount> = {}) =>
  Effect.flatMap(AccountStore, (accounts) => accounts.insert(newAccount(fields)))

/** Keeps a new team. */
export const makeTeam = (name = "Sales") => Effect.flatMap(TeamStore, (teams) => teams.insert(name))

/** What an account sees that is in no team. */
export const alone = (account: { readonly id: AccountId }): Scope => ({ accountId: account.id, teamIds: [] })

/** A new agent of an account. */
export const newAgent = (accountId: AccountId, fields: Partial<NewAgent> = {}): NewAgent => ({
  accountId,
  assistantId: unique("asst"),
  name: "Ada",
  role: "outbound agent",
  phoneNumber: PhoneNumber.make("+12025550100"),
  model: "gpt-x",
  voiceId: "v1",
  teamId: null,
  createdAt: now,
  ...fields
})

/** Keeps a new agent of an account. */
export const makeAgent = (accountId: AccountId, fields: Partial<NewAgent> = {}) =>
  Effect.flatMap(AgentStore, (agents) => agents.insert(newAgent(accountId, fields)))

/** A phone number of a contact that has no id yet. */
export const newNumber = (phoneNumber: string, fields: Partial<NewContactNumber> = {}): NewContactNumber => ({
  id: null,
  phoneNumber: PhoneNumber.make(phoneNumber),
  phoneType: null,
  primary: true,
  doNotCall: false,
  ...fields
})

/** A new contact of an account. */
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

/** Keeps a new contact of an account. */
export const makeContact = (accountId: AccountId, fields: Partial<Omit<ContactWrite, "id">> = {}) =>
  Effect.flatMap(ContactStore, (contacts) => contacts.insert(newContact(accountId, fields)))

/** A new calendar event of an account: half an hour from `now`. */
export const newEvent = (
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

/** Keeps a new calendar event of an account. */
export const makeEvent = (accountId: AccountId, fields: Partial<Omit<CalendarEvent, "id">> = {}) =>
  Effect.flatMap(CalendarEventStore, (events) => events.insert(newEvent(accountId, fields)))

/** A new call of an account with an agent. */
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

/** Keeps a new call of an account with an agent. */
export const makeCall = (accountId: AccountId, agent: Call["agent"], fields: Partial<Omit<Call, "id">> = {}) =>
  Effect.flatMap(CallStore, (calls) => calls.insert(newCall(accountId, agent, fields)))

/** Keeps a new webhook of an account, subscribed to `call.ended` unless the fields say otherwise. */
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

/** A text that a store is to keep as it is. */
export const stored = (text: string): Redacted.Redacted<StoredText> => Redacted.make(StoredText.make(text))

/** The limit of a step that looks at so many rows, of any size. */
export const rows = (count: number): StepLimit => ({ rows: count, bytes: Number.MAX_SAFE_INTEGER })

/** A text of this length that cannot be compressed to less than three quarters; always the same. */
export const noise = (length: number): string => {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charAt(state % 64)
  }).join("")
}
