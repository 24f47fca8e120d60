import type { Frontdesk } from "@frontdesk/embed"

/** A calendar event far in the future. */
export const visit = { title: "Visit", startTime: "2099-03-02T10:00:00Z", endTime: "2099-03-02T10:30:00Z" }

type Method = (...values: ReadonlyArray<unknown>) => PromiseLike<unknown>

const isMethod = (value: unknown): value is Method => typeof value === "function"

/** Returns every method of services, by names such as `contacts.create`. */
export const methodsOf = (...all: ReadonlyArray<object>): ReadonlyMap<string, Method> => {
  const named = all
    .flatMap((services) => Object.entries(services))
    .flatMap(([name, service]: [string, object]) =>
      Object.entries(service).map(([key, method]: [string, unknown]) => [`${name}.${key}`, method] as const)
    )
  return new Map(named.flatMap(([name, method]) => (isMethod(method) ? [[name, method] as const] : [])))
}

/** Returns the error with which a method rejects, or its result. */
export const outcomeOf = async (method: Method | undefined, values: ReadonlyArray<unknown>): Promise<unknown> => {
  if (method === undefined) throw new Error("There is no such method.")
  try {
    return await method(...values)
  } catch (error) {
    return error
  }
}

/** Creates records that methods can name, and returns valid arguments for every method, by its service and name. */
export const prepare = async (frontdesk: Frontdesk) => {
  const voice = frontdesk.as("acme")
  const [account] = (await frontdesk.accounts.list()).items
  if (account === undefined) throw new Error("There is no account.")
  const contact = await voice.contacts.create({ firstName: "Jo", phoneNumbers: [{ phoneNumber: "+12025550111" }] })
  const contactImport = await voice.contactImports.create({})
  const event = await voice.calendar.create({
    title: "Visit",
    startTime: "2099-03-02T10:00:00Z",
    endTime: "2099-03-02T10:30:00Z"
  })
  const { webhook } = await voice.webhooks.create({
    name: "Hook",
    url: "https://hooks.example.com",
    subscribedEvents: ["calendar.created"]
  })
  const variable = await voice.variables.create({
    name: "visits",
    displayName: "Visits",
    variableType: "number",
    contextType: "contact"
  })
  const { apiKey } = await voice.apiKeys.create({ name: "key", permissions: [] })
  const member = await voice.members.create({ email: "jo@example.com", name: "Jo", role: "viewer" })
  const delivery = await voice.webhooks.test(webhook.id)
  const { call } = await voice.calls.start({ phoneNumber: "+12025550123", agentId: "asst_ada" })

  const changedAgent = await voice.agents.create({ assistantId: "asst_grace", name: "Grace", role: "inbound agent" })

  const page = { page: 1, limit: 20 }
  const contactBody = {
    firstName: "Jo",
    email: "jo@example.com",
    website: "https://a.example",
    status: "new",
    tags: ["vip"],
    phoneNumbers: [{ phoneNumber: "+12025550101", phoneType: "work", primary: true, doNotCall: false }],
    customContext: { a: { b: [1] }, visits: 3 },
    industryContext: { c: null },
    teamId: null
  }
  const eventBody = {
    title: "Demo",
    startTime: "2099-03-05T09:00:00Z",
    endTime: "2099-03-05T10:00:00Z",
    eventType: "meeting",
    status: "scheduled",
    location: "here",
    customerEmail: "al@example.com",
    aiAgentId: 1,
    isReminderEnabled: true,
    remindBeforeMinutes: 5,
    rejectConflicts: false,
    requireAvailable: false
  }
  const callBody = {
    phoneNumber: "+12025550123",
    agentId: "asst_ada",
    variables: { day: "Monday", n: 1, ok: true },
    contactId: contact.id,
    metadata: { any: [{ thing: 1 }] }
  }
  const agentBody = {
    assistantId: "asst_grace",
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
  const definition = { displayName: "Plan", description: "d", variableType: "select", selectOptions: ["a"] }
  const hook = { name: "Hook", url: "https://hooks.example.com/x", subscribedEvents: ["call.ended"], isActive: true }
  const connection = { accountId: account.id, provider: "google" }
  const { createdAt: _createdAt, id: _id, ...draft } = account
  const range = { startDate: "2099-03-04", endDate: "2099-03-05" }
  const samples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    "account.patch": [{ name: "Acme", workingHours: { mon: [["09:00", "17:00"]] }, slotIntervalMinutes: null }],
    "accounts.create": [draft],
    "accounts.update": [account],
    "accounts.get": [account.id],
    "accounts.deposit": [account.id, 1_000],
    "accounts.funds": [account.id],
    "agents.list": [{ archived: true }],
    "agents.get": ["asst_ada"],
    "agents.create": [newAgent],
    "agents.put": [changedAgent.id, agentBody],
    "agents.patch": [changedAgent.id, agentBody],
    "agents.delete": [999],
    "apiKeys.create": [{ name: "k", permissions: ["can_read_calls"], expiresAt: "2099-01-01T00:00:00Z", mode: "test" }],
    "apiKeys.get": [apiKey.id],
    "apiKeys.rotate": [apiKey.id, { grace: "1 hour", force: true }],
    "apiKeys.revoke": [apiKey.id],
    "availability.busy": [range],
    "availability.find": [{ ...range, duration: 30, timeZone: "UTC", excludeEventId: event.id, limit: 10 }],
    "businessContext.set": [{ variables: { company_name: "A", gone: null }, autoCreateVariables: true }],
    "calendar.create": [eventBody],
    "calendar.get": [event.uuid],
    "calendar.list": [{ ...range, ...page, status: "scheduled", eventType: "meeting", customerEmail: "a" }],
    "calendar.events": [{ ...range, ...page }],
    "calendar.deliveries": [event.id, page],
    "calendar.put": [event.id, eventBody],
    "calendar.patch": [event.id, eventBody],
    "calendar.cancel": [event.id, { reason: "ill" }],
    "calendar.resolveCopy": [event.id, "google", { resolution: "overwrite" }],
    "calendar.ics": [event.id],
    "calendarConnections.connect": [connection, "primary", "secret"],
    "calendarConnections.list": [account.id],
    "calendarConnections.disconnect": [connection],
    "calendarConnections.open": [connection],
    "calendarConnections.renew": [connection, "secret", "other"],
    "calls.start": [callBody],
    "calls.dryRun": [callBody],
    "calls.get": [call.callId],
    "calls.list": [{ ...range, ...page, status: "queued", type: "outbound", agentId: 1, phoneNumber: "+12025550123" }],
    "calls.deliveries": [call.callId, page],
    "calls.hangUp": [call.callId],
    "contactImports.create": [
      { onKnown: "update", separator: ";", dryRun: true, columns: [{ column: "E-mail", field: "email" }] }
    ],
    "contactImports.addPart": [contactImport.id, { number: 1, csv: "email\njo@example.com" }],
    "contactImports.start": [contactImport.id],
    "contactImports.cancel": [contactImport.id],
    "contactImports.get": [contactImport.id],
    "contactImports.list": [page],
    "contactImports.refused": [contactImport.id, page],
    "contactErasures.erase": [contact.id, { confirm: true }],
    "contactRecords.get": [contact.id],
    "contactExports.page": [{ after: contact.id }],
    "contacts.create": [contactBody],
    "contacts.get": [contact.id],
    "contacts.list": [{ ...page, search: "jo", phoneNumber: "+12025550111", tag: "vip", teamId: 1 }],
    "contacts.put": [contact.id, contactBody],
    "contacts.patch": [contact.id, contactBody],
    "contacts.deletePhoneNumber": [contact.id, 999],
    "contacts.delete": [999],
    "doNotCall.list": [{ ...page, phoneNumber: "+12025550199" }],
    "doNotCall.add": [["+12025550199"]],
    "doNotCall.remove": [["+12025550199"]],
    "funds.movements": [{ ...page, kind: "deposit", callId: "call_1", startDate: "2026-01-01", endDate: "2026-12-31" }],
    "statistics.get": [{ startDate: "2026-01-01", endDate: "2026-12-31", agentId: 1 }],
    "audit.read": [
      {
        ...range,
        actorType: "program",
        actorId: "1",
        operation: "contacts.patch",
        entityType: "contact",
        entityId: "1",
        limit: 10,
        cursor: "1-1"
      }
    ],
    "externalCalendars.beginAuthorization": [{ provider: "google", calendar: "work" }],
    "externalCalendars.check": ["apple"],
    "externalCalendars.disconnect": ["google"],
    "tasks.list": [{ ...page, kind: "mail" }],
    "members.create": [{ email: "new@example.com", name: "New", role: "viewer", sendLink: false }],
    "members.get": [member.id],
    "members.patch": [member.id, { name: "Jo", role: "editor" }],
    "members.delete": [999],
    "sessions.list": [{ ...page, memberId: member.id }],
    "sessions.delete": [999],
    "sessions.deleteAll": [{ memberId: member.id }],
    "signInLinks.create": [{ role: "viewer", name: "Guest", userId: "user 7", expiresInMinutes: 5 }],
    "signInLinks.delete": [999],
    "tasks.retry": [1],
    "tasks.retryAll": [{ kind: "calendar", beforeId: 1_000 }],
    "outbox.list": [{ ...page, accountId: account.id, kind: "mail" }],
    "outbox.retry": [1],
    "outbox.retryAll": [{ accountId: account.id, kind: "calendar" }],
    "variables.list": ["contact"],
    "variables.create": [{ ...definition, name: "plan", contextType: "contact", teamId: null }],
    "variables.put": [variable.id, definition],
    "variables.patch": [variable.id, definition],
    "variables.delete": [999],
    "webhookOperations.list": [account.id],
    "webhookOperations.get": [webhook.id],
    "webhookOperations.deliveries": [webhook.id, { ...page, status: "pending" }],
    "webhookOperations.delivery": [delivery],
    "webhookOperations.redeliver": [delivery],
    "webhookOperations.redeliverFailed": [webhook.id, "2026-01-01T00:00:00Z"],
    "webhookOperations.test": [webhook.id],
    "webhooks.create": [hook],
    "webhooks.get": [webhook.id],
    "webhooks.put": [webhook.id, hook],
    "webhooks.patch": [webhook.id, hook],
    "webhooks.delete": [999],
    "webhooks.rotateSecret": [webhook.id, { graceHours: 1 }],
    "webhooks.test": [webhook.id],
    "webhooks.deliveries": [webhook.id, { ...page, status: "pending" }],
    "webhooks.delivery": [webhook.id, delivery],
    "webhooks.redeliver": [webhook.id, delivery],
    "webhooks.redeliverFailed": [webhook.id, { since: "2026-01-01T00:00:00Z" }]
  }
  return { samples, webhookId: webhook.id }
}
