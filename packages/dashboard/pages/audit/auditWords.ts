import type { AuditEntry, AuditListQuery } from "@frontdesk/client"
import { words } from "../ui/formats.ts"

type Words<Name extends string> = { readonly [N in Name]: string }

/** What was done, in words. */
export const operations: Words<NonNullable<AuditListQuery["operation"]>> = {
  "account.patch": "Changed the account",
  "accounts.create": "Created the account",
  "accounts.update": "Changed the account as the operator",
  "agents.create": "Created an agent",
  "agents.put": "Replaced an agent",
  "agents.patch": "Changed an agent",
  "agents.delete": "Deleted or archived an agent",
  "apiKeys.create": "Created an API key",
  "apiKeys.rotate": "Replaced the value of an API key",
  "apiKeys.revoke": "Revoked an API key",
  "business.set": "Set the business context",
  "calls.start": "Started a call",
  "calls.receive": "Received a call",
  "calls.hangUp": "Hung up a call",
  "calls.end": "Ended a call",
  "contacts.create": "Created a contact",
  "contacts.put": "Replaced a contact",
  "contacts.patch": "Changed a contact",
  "contacts.deletePhoneNumber": "Removed a phone number from a contact",
  "contacts.delete": "Deleted a contact",
  "contactImports.create": "Prepared an import of contacts",
  "contactImports.start": "Started an import of contacts",
  "contactImports.cancel": "Cancelled an import of contacts",
  "contactImports.end": "Finished an import of contacts",
  "contactErasures.begin": "Began to erase a person",
  "contactErasures.erase": "Erased a person",
  "doNotCall.add": "Added to the do-not-call list",
  "doNotCall.remove": "Removed from the do-not-call list",
  "events.create": "Booked an appointment",
  "events.put": "Replaced an appointment",
  "events.patch": "Changed an appointment",
  "events.move": "Moved an appointment",
  "events.cancel": "Cancelled an appointment",
  "events.resolveCopy": "Settled a conflict with an external calendar",
  "externalCalendars.connect": "Connected an external calendar",
  "externalCalendars.disconnect": "Disconnected an external calendar",
  "externalCalendars.sync": "Wrote all appointments to an external calendar",
  "funds.deposit": "Deposited money",
  "members.create": "Added a person",
  "members.patch": "Changed a person",
  "members.delete": "Removed a person",
  "sessions.start": "Signed in",
  "sessions.end": "Signed out",
  "sessions.delete": "Ended a session",
  "sessions.deleteAll": "Ended sessions",
  "signInLinks.create": "Created a sign-in link",
  "signInLinks.delete": "Deleted a sign-in link",
  "tasks.retry": "Retried a task",
  "tasks.retryAll": "Retried several tasks",
  "tasks.deadLetter": "Gave up a task",
  "variables.create": "Created a variable",
  "variables.put": "Replaced a variable",
  "variables.patch": "Changed a variable",
  "variables.delete": "Deleted a variable",
  "webhooks.create": "Created a webhook",
  "webhooks.put": "Replaced a webhook",
  "webhooks.patch": "Changed a webhook",
  "webhooks.delete": "Deleted a webhook",
  "webhooks.rotateSecret": "Replaced the secret of a webhook",
  "webhooks.test": "Tested a webhook",
  "webhooks.redeliver": "Sent a delivery again",
  "webhooks.redeliverFailed": "Sent failed deliveries again",
  "webhooks.disable": "Disabled a webhook"
}

/** The kinds of actors, in words. */
export const actorTypes: Words<NonNullable<AuditListQuery["actor_type"]>> = {
  person: "Person",
  operator: "Operator",
  api_key: "API key",
  agent_tool: "Agent in a conversation",
  worker: "Frontdesk itself",
  provider: "Call provider",
  authorization: "Consent to an external calendar",
  team_mate: "Account of a team",
  program: "Program around Frontdesk",
  command_line: "Command line of the operator"
}

/** The kinds of records, in words. */
export const entityTypes: Words<NonNullable<AuditListQuery["entity_type"]>> = {
  account: "Account",
  agent: "Agent",
  api_key: "API key",
  business_context: "Business context",
  calendar_connection: "Connected calendar",
  calendar_event: "Appointment",
  call: "Call",
  contact: "Contact",
  contact_import: "Import of contacts",
  delivery: "Delivery",
  do_not_call_list: "Do-not-call list",
  member: "Person",
  session: "Session",
  sign_in_link: "Sign-in link",
  task: "Task",
  variable: "Variable",
  webhook: "Webhook"
}

/** Returns a name in words, also one that only a newer version of Frontdesk knows. */
export const wordsOf = (known: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(known, name) ? (known[name] ?? name) : words(name)

/** The names of records, as far as the reader may see them. */
export interface Names {
  readonly ofMember: (id: string) => string | undefined
  readonly ofSession: (id: string) => string | undefined
  readonly ofKey: (id: string) => string | undefined
  readonly ofAgent: (id: string) => string | undefined
}

/** Returns who has made a change. */
export const actorOf = ({ id, type }: AuditEntry["actor"], names: Names): string => {
  const kind = wordsOf(actorTypes, type)
  if (id === null) return kind
  const [first = "", rest] = id.split(/:(.*)/s)
  switch (type) {
    case "operator":
      return kind
    case "person":
      if (rest === undefined) return names.ofMember(id) ?? `Person ${id}`
      if (first === "session") return names.ofSession(rest) ?? `Person of session ${rest}`
      return `User ${rest} of the program around Frontdesk`
    case "api_key":
      return `API key ${names.ofKey(id) ?? id}`
    case "agent_tool":
      return rest === undefined ? `Agent in ${id}` : `Agent in ${first} ${rest}`
    case "worker":
      return `Frontdesk itself (${id})`
    default:
      return `${kind}: ${id}`
  }
}

const nameOf: { readonly [type: string]: ((names: Names, id: string) => string | undefined) | undefined } = {
  member: (names, id) => names.ofMember(id),
  session: (names, id) => names.ofSession(id),
  api_key: (names, id) => names.ofKey(id),
  agent: (names, id) => names.ofAgent(id)
}

/** Returns the name of a record. */
export const entityOf = ({ id, type }: AuditEntry["entity"], names: Names): string => {
  const kind = wordsOf(entityTypes, type)
  if (id === null) return kind
  return `${kind} ${nameOf[type]?.(names, id) ?? id}`
}
