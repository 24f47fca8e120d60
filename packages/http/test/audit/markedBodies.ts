import { AgentTool } from "@frontdesk/core/agent/AgentTool"
import type { Operation } from "@frontdesk/core/access/Permission"
import { caldavAccount, caldavCalendars } from "@frontdesk/testing/fake/FakeCalendarConnector"
import * as Redacted from "effect/Redacted"
import type { Target } from "../operations/OperationRequest.ts"

let count = 0

/** Texts of requests that an audit log must not have: they are personal or secret. */
export const hidden: Array<string> = [caldavAccount.username, Redacted.value(caldavAccount.password)]

const next = (): string => {
  count += 1
  return `${count}x${crypto.randomUUID().slice(0, 8)}`
}

/** Returns a unique text that an audit log must not have. */
const secret = (form: (unique: string) => string = (unique) => `personal ${unique}`): string => {
  const text = form(next())
  hidden.push(text)
  return text
}

/** Returns a unique text that an audit log may have. */
const plain = (): string => `shown ${next()}`

const phoneNumber = (): string => {
  count += 1
  const text = `+1303${String(5_550_000 + count)}`
  hidden.push(text)
  return text
}

// The number that is removed from the do-not-call list is the one that was added.
const listed = [phoneNumber()]

const url = () => secret((unique) => `https://${unique}.example.com/hook`)
const email = () => secret((unique) => `${unique}@example.com`)

const contact = () => ({
  first_name: secret(),
  last_name: secret(),
  email: email(),
  company: secret(),
  website: url(),
  address: secret(),
  city: secret(),
  state: secret(),
  zip_code: secret((unique) => unique),
  country: secret(),
  status: plain(),
  stage: plain(),
  tags: [secret()],
  phone_numbers: [{ phone_number: phoneNumber(), phone_type: secret() }],
  custom_context: { [secret((unique) => unique)]: secret() },
  industry_context: { [secret((unique) => unique)]: [secret()] },
  team_id: null
})

const event = (hour: number) => ({
  title: secret(),
  description: secret(),
  event_type: "video_call",
  status: "confirmed",
  start_time: `2031-03-04T${hour}:00:00Z`,
  end_time: `2031-03-04T${hour}:30:00Z`,
  customer_name: secret(),
  customer_email: email(),
  customer_phone: secret((unique) => `+49 ${unique}`),
  customer_notes: secret(),
  has_video_conference: true,
  video_conference_url: url(),
  video_conference_provider: plain(),
  is_reminder_enabled: true,
  remind_before_minutes: 45,
  location: secret(),
  team_id: null,
  sync_external_calendars: true,
  send_notifications: true,
  reject_conflicts: false,
  require_available: false
})

const agent = (role: string) => ({
  name: plain(),
  role,
  assistant_id: plain(),
  phone_number: `+1404${String(5_550_000 + ++count)}`,
  model: plain(),
  voice_id: plain(),
  team_id: null,
  allowed_tools: [AgentTool.literals[++count % AgentTool.literals.length]]
})

const webhook = () => ({ name: plain(), url: url(), subscribed_events: ["call.ended"], is_active: true })

const variable = () => ({
  display_name: plain(),
  description: plain(),
  variable_type: "select",
  select_options: [plain(), plain()]
})

/**
 * The body of each operation that has one, with every field and a text of its own in each. A missing operation, and one with a
 * body for which there is none, fails.
 */
export const markedBodies: { readonly [Op in Operation]?: (target: Target) => Readonly<Record<string, unknown>> } = {
  "calls.start": ({ ids }) => ({
    phone_number: phoneNumber(),
    agent_id: Number(ids.agent),
    contact_id: Number(ids.contact),
    variables: { note: secret() },
    metadata: { [secret((unique) => unique)]: secret() }
  }),
  "contacts.create": contact,
  "contacts.put": contact,
  "contacts.patch": contact,
  "contactImports.create": () => ({
    on_known: "update",
    separator: ";",
    dry_run: true,
    columns: [{ column: secret(), field: "first_name" }]
  }),
  "contactImports.addPart": () => ({ number: 1, csv: secret() }),
  "contactErasures.erase": () => ({ confirm: true }),
  "doNotCall.add": () => ({ phone_numbers: listed }),
  "doNotCall.remove": () => ({ phone_numbers: listed }),
  "members.create": () => ({ email: email(), name: secret(), role: "editor" }),
  "members.patch": () => ({ name: secret(), role: "viewer" }),
  "sessions.deleteAll": ({ ids }) => ({ member_id: Number(ids.member) }),
  "signInLinks.create": () => ({ role: "viewer", name: secret(), user_id: secret(), expires_in_minutes: 10 }),
  "variables.create": () => ({ ...variable(), name: `v_${next()}`, context_type: "contact", team_id: null }),
  "variables.put": variable,
  "variables.patch": variable,
  "business.set": () => ({ variables: { company_name: plain() }, auto_create_variables: false }),
  "events.create": ({ ids }) => ({ ...event(10), created_by_ai_agent: true, ai_agent_id: Number(ids.agent) }),
  "events.put": ({ ids }) => ({ ...event(11), ai_agent_id: Number(ids.agent) }),
  "events.patch": ({ ids }) => ({ ...event(12), ai_agent_id: Number(ids.agent) }),
  "events.cancel": () => ({ reason: secret() }),
  "events.resolveCopy": () => ({ resolution: "overwrite" }),
  "webhooks.create": webhook,
  "webhooks.put": webhook,
  "webhooks.patch": webhook,
  "webhooks.rotateSecret": () => ({ grace_hours: 1 }),
  "webhooks.redeliverFailed": () => ({ since: "2026-01-01T00:00:00Z", until: "2028-01-01T00:00:00Z", after: 0 }),
  "apiKeys.create": () => ({
    name: plain(),
    permissions: ["can_read_calls"],
    expires_at: "2099-01-01T00:00:00Z",
    mode: "live"
  }),
  "apiKeys.rotate": () => ({ grace_hours: 1, force: false }),
  "account.patch": () => ({
    name: plain(),
    time_zone: "Asia/Tokyo",
    working_hours: { mon: [["08:00", "09:00"]] },
    date_overrides: { "2031-01-01": [] },
    slot_interval_minutes: 17,
    buffer_before_minutes: 3,
    buffer_after_minutes: 4,
    minimum_notice_minutes: 5,
    reject_conflicts: true,
    contact_statuses: null,
    contact_stages: null,
    inbound_identity: "trusted",
    inbound_contacts: "create",
    agent_contact_fields: ["email"],
    language: "de"
  }),
  "agents.create": () => agent("inbound agent"),
  "agents.put": () => agent("outbound agent"),
  "agents.patch": () => agent("inbound agent"),
  "tasks.retryAll": () => ({ kind: "calendar" }),
  "externalCalendars.beginAuthorization": () => ({
    provider: "google",
    calendar: secret(),
    return_url: `https://app.example.com/${secret((unique) => unique)}`
  }),
  "externalCalendars.connectCaldav": () => ({
    username: caldavAccount.username,
    password: Redacted.value(caldavAccount.password),
    calendar: caldavCalendars[0]?.url ?? "",
    url: "https://dav.example.com/"
  })
}

/** The fields of bodies that the requests leave out, each with its reason. */
export const leftOut: { readonly [Op in Operation]?: Readonly<Record<string, string>> } = {
  "calls.start": { dry_run: "A dry run changes nothing" },
  "members.create": { send_link: "It would need a mail server" },
  "signInLinks.create": { member_id: "A link for a member has no role and no name" },
  "apiKeys.create": { value: "The API has no such field for callers" },
  "tasks.retryAll": { before_id: "It would select no task" },
  "account.patch": Object.fromEntries(
    ["role", "partner", "partner_id", "teams", "team_ids", "balance", "price_per_minute", "max_running_calls"].map(
      (field) => [field, "Only the operator changes it"]
    )
  )
}
