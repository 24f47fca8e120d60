import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import { caldavAccount } from "@frontdesk/testing/fake/FakeCalendarConnector"
import * as Redacted from "effect/Redacted"
import { contactRequests } from "./operations/contactRequests.ts"
import { type Kind, type OperationRequest, type Target, team, v1 } from "./operations/OperationRequest.ts"
import { operatorRequests } from "./operations/operatorRequests.ts"
import { peopleRequests } from "./operations/peopleRequests.ts"
import type { Caller, TestAnswer } from "./testApi.ts"

/** Ids that no record has. */
export const absent: { readonly [K in Kind]: string } = {
  agent: "9007199254740991",
  contact: "9007199254740991",
  phoneNumber: "9007199254740991",
  event: "9007199254740991",
  call: "9007199254740991",
  variable: "9007199254740991",
  webhook: "9007199254740991",
  delivery: "0198c2f0-0000-7000-8000-000000000000",
  apiKey: "9007199254740991",
  task: "9007199254740991",
  contactImport: "9007199254740991",
  member: "9007199254740991",
  session: "9007199254740991",
  link: "9007199254740991"
}

const hour = (n: number) => String(9 + (n % 4)).padStart(2, "0")

const event = (target: Target) => ({
  title: `Event ${target.n}`,
  start_time: `2030-03-04T${hour(target.n)}:00:00Z`,
  end_time: `2030-03-04T${hour(target.n)}:30:00Z`,
  reject_conflicts: target.n % 2 === 0,
  require_available: target.n % 3 === 0,
  team_id: team(target),
  ...(target.n % 4 === 0 ? { ai_agent_id: Number(target.ids.agent) } : {})
})

const webhook = {
  name: "Hook",
  url: "https://hooks.example.com",
  subscribed_events: ["calendar.created", "call.ended"]
}

// Assistant ids and phone numbers are unique beyond the account (D-AGENT-6), so that a repeated one would tell of the others.
const agent = ({ n }: Target) => ({
  name: `Agent ${n}`,
  role: n % 2 ? "inbound agent" : "outbound agent",
  assistant_id: `asst_${crypto.randomUUID()}`
})

/** Returns a request of each operation. A missing operation does not compile. */
export const requests: { readonly [Op in Operation]: (target: Target) => OperationRequest } = {
  "agents.list": () => ({ method: "GET", path: `${v1}/agents` }),
  "agents.get": ({ ids }) => ({ method: "GET", path: `${v1}/agents/${ids.agent}`, names: ["agent"] }),
  "calls.start": ({ agent, ids, n }) => ({
    method: "POST",
    path: `${v1}/calls`,
    body: {
      phone_number: `+1202555010${n % 3}`,
      agent_id: Number(ids.agent),
      ...(n % 2 === 0 ? {} : { contact_id: Number(ids.contact) })
    },
    // The key contains the position of the agent, because agents have other ids in another installation. A repeated key
    // then has the same body in both installations, or another body in both.
    ...(n % 2 === 0 ? { key: `key${n % 6}.${agent}` } : {}),
    makes: "call"
  }),
  "calls.get": ({ ids }) => ({ method: "GET", path: `${v1}/calls/${ids.call}`, names: ["call"] }),
  "calls.hangUp": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/calls/${ids.call}/hang-up`,
    names: ["call"],
    ...(n % 2 === 0 ? { key: `hangup${n % 3}` } : {})
  }),
  "calls.list": ({ ids, n }) => ({ method: "GET", path: `${v1}/calls${n % 2 ? "" : `?agent_id=${ids.agent}`}` }),
  "calls.deliveries": ({ ids }) => ({
    method: "GET",
    path: `${v1}/calls/${ids.call}/deliveries`,
    names: ["call"]
  }),
  ...contactRequests,
  "variables.list": ({ n }) => ({
    method: "GET",
    path: `${v1}/context-variables${n % 2 ? "" : "?context_type=business"}`
  }),
  "variables.create": (target) => ({
    method: "POST",
    path: `${v1}/context-variables/create`,
    body: {
      name: `v_${target.n % 4}`,
      display_name: "V",
      variable_type: "text",
      context_type: target.n % 2 ? "contact" : "business",
      team_id: team(target)
    },
    makes: "variable"
  }),
  "variables.put": ({ ids, n }) => ({
    method: "PUT",
    path: `${v1}/context-variables/${ids.variable}/update`,
    body: { display_name: `V ${n}` },
    names: ["variable"]
  }),
  "variables.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/context-variables/${ids.variable}/update`,
    body: { description: `V ${n}` },
    names: ["variable"]
  }),
  "variables.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/context-variables/${ids.variable}/delete`,
    names: ["variable"]
  }),
  "business.get": () => ({ method: "GET", path: `${v1}/business/context` }),
  "business.set": ({ n }) => ({
    method: "POST",
    path: `${v1}/business/context`,
    body: { variables: { [`v_${n % 4}`]: "x", company_name: `Acme ${n}` }, auto_create_variables: n % 2 === 0 }
  }),
  "events.list": ({ n }) => ({ method: "GET", path: `${v1}/calendar/events${n % 2 ? "" : "?status=scheduled"}` }),
  "events.get": ({ ids }) => ({ method: "GET", path: `${v1}/calendar/events/${ids.event}`, names: ["event"] }),
  "events.ics": ({ ids }) => ({ method: "GET", path: `${v1}/calendar/events/${ids.event}/ics`, names: ["event"] }),
  "events.deliveries": ({ ids }) => ({
    method: "GET",
    path: `${v1}/calendar/events/${ids.event}/deliveries`,
    names: ["event"]
  }),
  "events.create": (target) => ({
    method: "POST",
    path: `${v1}/calendar/events/create`,
    body: event(target),
    key: `key${target.n % 5}.${target.agent}`,
    makes: "event"
  }),
  "events.put": (target) => ({
    method: "PUT",
    path: `${v1}/calendar/events/${target.ids.event}/update`,
    body: event(target),
    names: ["event"]
  }),
  "events.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/calendar/events/${ids.event}/update`,
    body: { title: `New ${n}` },
    names: ["event"]
  }),
  "events.cancel": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/calendar/events/${ids.event}/cancel`,
    body: { reason: `Reason ${n}` },
    names: ["event"]
  }),
  "events.resolveCopy": ({ ids }) => ({
    method: "POST",
    path: `${v1}/calendar/events/${ids.event}/external-calendars/google/resolve`,
    body: { resolution: "overwrite" },
    names: ["event"]
  }),
  "availability.busy": () => ({
    method: "GET",
    path: `${v1}/calendar/busy?start_date=2030-03-04&end_date=2030-03-04`
  }),
  "availability.find": () => ({
    method: "GET",
    path: `${v1}/calendar/availability?start_date=2030-03-04&end_date=2030-03-04`
  }),
  "webhooks.create": () => ({ method: "POST", path: `${v1}/webhooks/create`, body: webhook, makes: "webhook" }),
  "webhooks.list": () => ({ method: "GET", path: `${v1}/webhooks` }),
  "webhooks.get": ({ ids }) => ({ method: "GET", path: `${v1}/webhooks/${ids.webhook}`, names: ["webhook"] }),
  "webhooks.put": ({ ids, n }) => ({
    method: "PUT",
    path: `${v1}/webhooks/${ids.webhook}/update`,
    body: { ...webhook, name: `Hook ${n}` },
    names: ["webhook"]
  }),
  "webhooks.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/webhooks/${ids.webhook}/update`,
    body: { is_active: n % 2 === 0 },
    names: ["webhook"]
  }),
  "webhooks.delete": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/delete`,
    names: ["webhook"]
  }),
  "webhooks.rotateSecret": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/rotate-secret`,
    names: ["webhook"]
  }),
  "webhooks.test": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/test`,
    makes: "delivery",
    names: ["webhook"]
  }),
  "webhooks.deliveries": ({ ids }) => ({
    method: "GET",
    path: `${v1}/webhooks/${ids.webhook}/deliveries`,
    names: ["webhook"]
  }),
  "webhooks.delivery": ({ ids }) => ({
    method: "GET",
    path: `${v1}/webhooks/${ids.webhook}/deliveries/${ids.delivery}`,
    names: ["webhook", "delivery"]
  }),
  "webhooks.redeliverFailed": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/deliveries/redeliver`,
    body: { since: "2026-01-01T00:00:00Z", ...(n % 2 === 0 ? {} : { until: "2028-01-01T00:00:00", after: 0 }) },
    names: ["webhook"]
  }),
  "webhooks.redeliver": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/deliveries/${ids.delivery}/redeliver`,
    names: ["webhook", "delivery"]
  }),
  "apiKeys.list": () => ({ method: "GET", path: `${v1}/api-keys` }),
  "apiKeys.get": ({ ids }) => ({ method: "GET", path: `${v1}/api-keys/${ids.apiKey}`, names: ["apiKey"] }),
  "apiKeys.create": ({ n }) => ({
    method: "POST",
    path: `${v1}/api-keys/create`,
    body: { name: `Key ${n}`, permissions: n % 2 === 0 ? ["can_read_calls"] : [] },
    ...(n % 3 === 0 ? { key: `key${n % 4}` } : {}),
    makes: "apiKey"
  }),
  "apiKeys.rotate": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/api-keys/${ids.apiKey}/rotate`,
    body: { grace_hours: 1, force: n % 2 === 0 },
    names: ["apiKey"]
  }),
  "apiKeys.revoke": ({ ids }) => ({ method: "POST", path: `${v1}/api-keys/${ids.apiKey}/revoke`, names: ["apiKey"] }),
  "account.get": () => ({ method: "GET", path: `${v1}/account` }),
  "account.patch": ({ n }) => ({
    method: "PATCH",
    path: `${v1}/account/update`,
    body: n % 2 === 0 ? { name: `Name ${n}` } : { slot_interval_minutes: 10 + (n % 3) }
  }),
  "funds.balance": () => ({ method: "GET", path: `${v1}/account/balance` }),
  "statistics.get": ({ ids, n }) => ({
    method: "GET",
    path: `${v1}/statistics${n % 2 ? "" : `?agent_id=${ids.agent}`}`
  }),
  "funds.movements": ({ n }) => ({ method: "GET", path: `${v1}/account/movements${n % 2 ? "" : "?kind=deposit"}` }),
  "agents.create": (target) => ({
    method: "POST",
    path: `${v1}/agents/create`,
    body: { ...agent(target), team_id: team(target) },
    makes: "agent"
  }),
  "agents.put": (target) => ({
    method: "PUT",
    path: `${v1}/agents/${target.ids.agent}/update`,
    body: { ...agent(target), team_id: team(target) },
    names: ["agent"]
  }),
  "agents.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/agents/${ids.agent}/update`,
    body: { name: `Agent ${n}`, voice_id: `voice ${n % 2}`, allowed_tools: n % 2 === 0 ? null : ["book"] },
    names: ["agent"]
  }),
  "agents.delete": ({ ids }) => ({ method: "DELETE", path: `${v1}/agents/${ids.agent}/delete`, names: ["agent"] }),
  "tasks.list": ({ n }) => ({ method: "GET", path: `${v1}/tasks/dead-lettered${n % 2 ? "" : "?kind=mail"}` }),
  "tasks.retry": ({ ids }) => ({ method: "POST", path: `${v1}/tasks/${ids.task}/retry`, names: ["task"] }),
  "tasks.retryAll": ({ n }) => ({
    method: "POST",
    path: `${v1}/tasks/retry`,
    body: n % 2 === 0 ? { kind: "calendar" } : {}
  }),
  "externalCalendars.list": () => ({ method: "GET", path: `${v1}/calendar/connections` }),
  "externalCalendars.beginAuthorization": ({ n }) => ({
    method: "POST",
    path: `${v1}/calendar/connections/oauth/begin`,
    body: { provider: n % 2 === 0 ? "google" : "outlook" }
  }),
  "externalCalendars.connectCaldav": ({ n }) => ({
    method: "POST",
    path: `${v1}/calendar/connections/caldav`,
    body: {
      username: caldavAccount.username,
      password: Redacted.value(caldavAccount.password),
      ...(n % 2 === 0 ? {} : { calendar: "https://dav.example.com/jo/work/" })
    }
  }),
  "externalCalendars.check": () => ({ method: "POST", path: `${v1}/calendar/connections/apple/check` }),
  "externalCalendars.disconnect": () => ({ method: "DELETE", path: `${v1}/calendar/connections/apple/delete` }),
  ...peopleRequests,
  ...operatorRequests,
  "audit.list": ({ n }) => ({ method: "GET", path: `${v1}/audit${n % 2 ? "" : "?entity_type=contact&limit=5"}` }),
  "audit.export": ({ n }) => ({ method: "GET", path: `${v1}/audit/export?limit=${10 + n}` })
}

const isOperation = (name: string): name is Operation => name in requests

/** All operations of the table of permissions. */
export const operations: ReadonlyArray<Operation> = Object.keys(permissions).filter(isOperation)

/** Sends the request of an operation. */
export const operate = (caller: Caller, { body, key, method, path }: OperationRequest): Promise<TestAnswer> =>
  caller.ask(path, { method, body, ...(key === undefined ? {} : { headers: { "idempotency-key": key } }) })
