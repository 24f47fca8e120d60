import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { SlotIds } from "@frontdesk/core/booking/SlotIds"
import { Calls } from "@frontdesk/core/call/Calls"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { Members } from "@frontdesk/core/people/Members"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { caldavAccount } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"

/** Creates records that methods can name, and returns valid arguments for every method. */
export const prepare = Effect.gen(function* () {
  const account = yield* (yield* Accounts).create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: { ...defaultSettings, maxRunningCalls: 100_000 }
  })
  const principal = yield* (yield* Accounts).principal(account.id)
  return yield* Effect.gen(function* () {
    const agent = yield* makeAgent(account.id, { assistantId: "asst_fuzz" })
    const changedAgent = yield* makeAgent(account.id, { assistantId: "asst_changed" })
    const contact = yield* (yield* Contacts).create({
      firstName: "Jo",
      phoneNumbers: [{ phoneNumber: PhoneNumber.make("+12025550100") }]
    })
    const patched = yield* (yield* Contacts).create({
      phoneNumbers: [{ phoneNumber: PhoneNumber.make("+12025550101") }]
    })
    const contactImport = yield* (yield* ContactImports).create({})
    const event = yield* (yield* CalendarEvents).create({
      title: "Demo",
      startTime: "2030-03-04T09:00:00Z",
      endTime: "2030-03-04T10:00:00Z"
    })
    const { webhook } = yield* (yield* Webhooks).create({
      name: "Hook",
      url: "https://hooks.example.com",
      subscribedEvents: ["calendar.created"]
    })
    const variable = yield* (yield* ContextVariables).create({
      name: "visits",
      displayName: "Visits",
      variableType: "number",
      contextType: "contact"
    })
    const { apiKey, value } = yield* (yield* ApiKeys).create({ accountId: account.id, name: "key", permissions: [] })
    const ownKeys = yield* OwnApiKeys
    const own = yield* ownKeys.create({ name: "own", permissions: [] })
    const revoked = yield* ownKeys.create({ name: "revoked", permissions: [] })
    const member = yield* (yield* Members).create({ email: "jo@example.com", name: "Jo", role: "viewer" })
    const links = yield* SignInLinks
    const { token } = yield* links.use((yield* links.create({ role: "viewer" })).token, null)
    const changes = {
      name: "Acme",
      timeZone: "Europe/Zurich",
      workingHours: { mon: [["09:00", "17:00"]] },
      dateOverrides: { "2030-12-25": [] },
      slotIntervalMinutes: 15,
      rejectConflicts: false,
      contactStatuses: ["new"],
      agentContactFields: ["email"],
      language: "en"
    }
    const deliveryId = yield* (yield* Webhooks).test(webhook.id)
    const { call } = yield* (yield* Calls).start({ phoneNumber: "+12025550123", agentId: agent.id })

    const page = { page: 1, limit: 20 }
    const number = { phoneNumber: "+12025550101", phoneType: "work", primary: true, doNotCall: false }
    const contactBody = {
      firstName: "Jo",
      lastName: "Li",
      email: "jo@example.com",
      company: "Acme",
      website: "https://a.example",
      address: "1 Main St",
      city: "Bern",
      state: "BE",
      zipCode: "3000",
      country: "CH",
      status: "new",
      stage: "lead",
      tags: ["vip"],
      phoneNumbers: [number],
      customContext: {
        a: { b: [1] },
        visits: 3
      },
      industryContext: { c: null }
    }
    const eventBody = {
      title: "Demo",
      description: "d",
      startTime: "2030-03-05T09:00:00Z",
      endTime: "2030-03-05T10:00:00Z",
      eventType: "meeting",
      status: "scheduled",
      location: "here",
      customerName: "Al",
      customerPhone: "1",
      customerEmail: "al@example.com",
      customerNotes: "n",
      hasVideoConference: true,
      aiAgentId: agent.id,
      videoConferenceUrl: "https://v.example",
      videoConferenceProvider: "v",
      isReminderEnabled: true,
      remindBeforeMinutes: 5,
      syncExternalCalendars: true,
      sendNotifications: true,
      rejectConflicts: false,
      requireAvailable: false
    }
    const bookedFields = Struct.omit(eventBody, ["startTime", "endTime", "rejectConflicts", "requireAvailable"])
    const owner = { accountId: account.id, agentId: null }
    const start = Date.parse("2030-03-06T09:00:00Z")
    const slot = { start, end: start + 30 * 60_000 }
    const slotId = yield* (yield* SlotIds).make(owner, slot)
    const conversation = Conversation.ofAccount(account.id)
    const numbers = { from: "+12025550111", to: "+12025550188" }
    const recording = {
      conversation,
      tool: "book",
      arguments: { title: "Demo" },
      startedAt: DateTime.makeUnsafe(start),
      answerOf: () => null
    }
    const hook = { name: "Hook", url: "https://hooks.example.com/x", subscribedEvents: ["call.ended"], isActive: true }
    const callBody = {
      phoneNumber: "+12025550123",
      agentId: agent.id,
      variables: {
        day: "Monday",
        n: 1,
        ok: true
      },
      contactId: contact.id,
      metadata: { any: [{ thing: 1 }] }
    }
    const agentBody = {
      assistantId: "asst_changed",
      name: "Grace",
      role: "inbound agent",
      phoneNumber: "+12025550102",
      model: "gpt-x",
      voiceId: "v1",
      teamId: null,
      allowedTools: ["find_slots", "book"]
    }
    const newAgent = {
      ...agentBody,
      // Every agent has another one.
      get assistantId() {
        return `asst_${crypto.randomUUID()}`
      }
    }
    const definition = {
      name: "plan",
      displayName: "Plan",
      description: "d",
      variableType: "select",
      selectOptions: ["a"]
    }
    const connection = { accountId: account.id, provider: "google" }
    const at = DateTime.makeUnsafe("2030-01-01T00:00:00Z")
    const { id: _id, createdAt: _createdAt, ...draft } = account
    const document = {
      teams: [{ ref: "sales", name: "Sales" }],
      accounts: [
        {
          ref: "acme",
          name: "Acme",
          role: "standard",
          teams: ["sales"],
          balance: 1e6,
          timeZone: "Europe/Zurich",
          apiKeys: [
            {
              ref: "key",
              name: "k",
              permissions: ["*"],
              expiresAt: at
            }
          ],
          agents: [
            {
              ref: "ada",
              name: "Ada",
              assistantId: "asst_doc",
              phoneNumber: "+12025550100",
              team: "sales"
            }
          ],
          contacts: [
            {
              ref: "jo",
              ...contactBody
            }
          ]
        }
      ]
    }
    const range = { startDate: "2030-03-04", endDate: "2030-03-05" }
    const samples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
      "Accounts.create": [draft],
      "Accounts.update": [account],
      "Accounts.get": [account.id],
      "Accounts.deposit": [account.id, 1_000],
      "Accounts.funds": [account.id],
      "Accounts.principal": [account.id],
      "ApiKeys.create": [
        { accountId: account.id, name: "k", permissions: ["can_read_calls"], expiresAt: at, mode: "test" }
      ],
      "ApiKeys.authenticate": [value],
      "ApiKeys.list": [account.id],
      "ApiKeys.rotate": [account.id, apiKey.id, Duration.hours(1)],
      "ApiKeys.revoke": [account.id, apiKey.id],
      "OwnApiKeys.create": [
        { name: "k", permissions: ["can_read_calls"], expiresAt: "2030-01-01T00:00:00Z", mode: "test" }
      ],
      "OwnApiKeys.get": [apiKey.id],
      "OwnApiKeys.rotate": [own.apiKey.id, { grace: Duration.hours(1), force: true }],
      "OwnApiKeys.revoke": [revoked.apiKey.id],
      "Members.get": [member.id],
      "Members.create": [{ email: "new@example.com", name: "New", role: "viewer", sendLink: false }],
      "Members.patch": [member.id, { name: "Jo", role: "editor" }],
      "Members.delete": [999_999],
      "SignInLinks.create": [{ role: "viewer", name: "Guest", userId: "user 7", expiresInMinutes: 5 }],
      "SignInLinks.createForOperator": [{ name: "Olga", expiresInMinutes: 5 }],
      "SignInLinks.delete": [999_999],
      "SignInLinks.use": [Redacted.make("x".repeat(43)), null],
      "SignInMails.request": ["jo@example.com"],
      "Sessions.authenticate": [token],
      "Sessions.end": [Redacted.make("x".repeat(43))],
      "Sessions.endEverywhere": [Redacted.make("x".repeat(43))],
      "Sessions.list": [{ ...page, memberId: member.id }],
      "Sessions.delete": [999_999],
      "Sessions.deleteAll": [{ memberId: member.id }],
      "OwnAccount.patch": [changes],
      "Agents.get": [{ id: agent.id }],
      "Agents.getActive": [{ id: agent.id }],
      "Agents.list": [{ archived: true }],
      "Agents.create": [newAgent],
      "Agents.put": [changedAgent.id, agentBody],
      "Agents.patch": [changedAgent.id, agentBody],
      "Agents.delete": [999_999],
      "Availability.find": [{ ...range, duration: 30, timeZone: "UTC", excludeEventId: { id: event.id } }],
      "Availability.busy": [range],
      "BusinessContext.set": [{ variables: { company_name: "A", n: 1, gone: null }, autoCreateVariables: true }],
      "CalendarConnections.connect": [connection, "primary", Redacted.make("secret")],
      "CalendarConnections.list": [account.id],
      "CalendarConnections.disconnect": [connection],
      "CalendarConnections.open": [connection],
      "CalendarConnections.renew": [connection, Redacted.make("secret"), Redacted.make("other")],
      "CalendarEvents.create": [eventBody],
      "CalendarEvents.get": [{ id: event.id }],
      "CalendarEvents.list": [{ ...range, status: "scheduled", eventType: "meeting", customerEmail: "a" }, page],
      "CalendarEvents.deliveries": [{ id: event.id }, page],
      "CalendarEvents.put": [{ uuid: event.uuid }, eventBody],
      "CalendarEvents.patch": [{ id: event.id }, eventBody],
      "CalendarEvents.cancel": [{ id: event.id }, { reason: "r" }],
      "CalendarEvents.resolveCopy": [{ id: event.id }, "google", { resolution: "overwrite" }],
      "CalendarEvents.ics": [{ id: event.id }],
      "CalendarEvents.icsBySignature": [event.uuid, "signature"],
      "SlotIds.make": [owner, slot],
      "SlotIds.read": [owner, slotId],
      "Appointments.list": [call],
      "Appointments.get": [call, { id: event.id }],
      "Bookings.firstAnswer": [recording],
      "Bookings.hold": [conversation, slotId],
      "Bookings.book": [recording, slotId, bookedFields],
      "Bookings.move": [recording, { id: event.id }, slotId],
      "Bookings.cancel": [recording, { uuid: event.uuid }, "ill"],
      "CallSessions.ofProvider": [{ providerCallId: "p1", ref: null, inbound: numbers }],
      "CallSessions.ofCaller": [call.callId],
      "CallSessions.setVariables": [call, { a: "b", n: 1 }],
      "InboundCalls.answer": ["p1", numbers],
      "InboundCalls.record": ["p1", numbers],
      "ToolCalls.record": [
        call,
        { tool: "book", arguments: { slot_id: "s" }, answer: { say: "Done." }, durationMillis: 1, at }
      ],
      "Calls.start": [callBody],
      "Calls.dryRun": [callBody],
      "Calls.get": [call.callId],
      "Calls.agentVariables": [call.callId],
      "Calls.list": [{ status: "queued", type: "outbound", agentId: agent.id, startDate: "2030-03-04" }, page],
      "Calls.deliveries": [call.callId, page],
      "Calls.hangUp": [call.callId],
      "Calls.applyReport": [
        {
          providerCallId: "p1",
          ref: call.callId,
          report: { _tag: "Ended", endedAt: at, reason: "done", status: "completed", answeredAt: at }
        }
      ],
      "ContactImports.create": [
        { onKnown: "update", separator: ";", dryRun: true, columns: [{ column: "E-mail", field: "email" }] }
      ],
      "ContactImports.addPart": [contactImport.id, { number: 1, csv: "email\njo@example.com" }],
      "ContactImports.start": [contactImport.id],
      "ContactImports.cancel": [contactImport.id],
      "ContactImports.get": [contactImport.id],
      "ContactImports.list": [page],
      "ContactImports.refused": [contactImport.id, page],
      "ContactErasures.erase": [patched.id, { confirm: true }],
      "ContactRecords.get": [patched.id],
      "ContactExports.page": [{ after: contact.id }],
      "Contacts.create": [contactBody],
      "Contacts.get": [contact.id],
      "Contacts.list": [{ search: "jo", phoneNumber: "+12025550100", tag: "vip", status: "new", stage: "lead" }, page],
      "Contacts.put": [contact.id, contactBody],
      "Contacts.patch": [
        patched.id,
        { ...contactBody, phoneNumbers: [{ ...number, id: patched.phoneNumbers[0]?.id }] }
      ],
      "Contacts.deletePhoneNumber": [contact.id, 999_999],
      "Contacts.delete": [contact.id],
      "ContextVariables.list": ["contact"],
      "ContextVariables.create": [{ ...definition, contextType: "contact" }],
      "ContextVariables.put": [variable.id, { displayName: "V", description: "d", variableType: "number" }],
      "ContextVariables.patch": [variable.id, { displayName: "V", description: "d", variableType: "number" }],
      "ContextVariables.delete": [variable.id],
      "DoNotCallLists.add": [["+12025550199"]],
      "DoNotCallLists.list": [{ phoneNumber: "+12025550199" }, page],
      "DoNotCallLists.remove": [["+12025550199"]],
      "Idempotency.run": [
        { accountId: account.id, method: "POST", path: "/x", key: "k" },
        "fingerprint",
        { atomic: true },
        Effect.succeed({ status: 200, body: "{}" })
      ],
      "AuditLog.read": [{ actorType: "api_key", actorId: "1", entityType: "contact", entityId: "1", cursor: "1-1" }],
      "FundMovements.movements": [{ kind: "deposit", callId: "call_1", startDate: "2030-03-04" }, page],
      "Statistics.get": [{ startDate: "2030-03-04", endDate: "2030-03-10", agentId: 7 }],
      "DeadLetteredTasks.list": [{ kind: "mail", page: 1, limit: 20 }],
      "DeadLetteredTasks.retry": [1],
      "DeadLetteredTasks.retryAll": [{ kind: "mail", beforeId: 7 }],
      "ExternalCalendars.beginAuthorization": [{ provider: "google", calendar: "work" }],
      "ExternalCalendars.endAuthorization": [{ state: "a.b", code: Redacted.make("code") }],
      "ExternalCalendars.caldavCalendars": [{ url: "https://dav.example.com/", ...caldavAccount }],
      "ExternalCalendars.connectCaldav": [{ ...caldavAccount, calendar: "https://dav.example.com/jo/work/" }],
      "ExternalCalendars.check": ["apple"],
      "ExternalCalendars.disconnect": ["google"],
      "Operator.accounts": [{ search: "acme", page: 1, limit: 20 }],
      "Operator.deposit": [account.id, { amount: 1_000 }],
      "Operator.tasks": [{ accountId: account.id, kind: "mail", page: 1, limit: 20 }],
      "Operator.retryTask": [1],
      "Operator.retryTasks": [{ accountId: account.id, kind: "mail", beforeId: 7 }],
      "OutboxOperations.list": [{ accountId: account.id, kind: "mail", page: 1, limit: 20 }],
      "OutboxOperations.retry": [1],
      "OutboxOperations.retryAll": [{ accountId: account.id, kind: "mail" }],
      "Provisioning.apply": [document],
      "WebhookOperations.list": [account.id],
      "WebhookOperations.get": [webhook.id],
      "WebhookOperations.deliveries": [webhook.id, { status: "failed", page: 1, limit: 20 }],
      "WebhookOperations.delivery": [deliveryId],
      "WebhookOperations.redeliver": [deliveryId],
      "WebhookOperations.redeliverFailed": [webhook.id, at, () => Effect.void],
      "WebhookOperations.test": [webhook.id],
      "Webhooks.create": [hook],
      "Webhooks.get": [webhook.id],
      "Webhooks.delivery": [webhook.id, deliveryId],
      "Webhooks.redeliverFailed": [webhook.id, { since: "2026-01-01T00:00:00Z" }],
      "Webhooks.put": [webhook.id, hook],
      "Webhooks.patch": [webhook.id, hook],
      "Webhooks.delete": [webhook.id],
      "Webhooks.rotateSecret": [webhook.id, { graceHours: 1 }],
      "Webhooks.test": [webhook.id],
      "Webhooks.deliveries": [webhook.id, { status: "failed", page: 1, limit: 20 }],
      "Webhooks.redeliver": [webhook.id, deliveryId]
    }
    return { principal, samples, webhook }
  }).pipe(Effect.provideService(Principal, principal))
})
