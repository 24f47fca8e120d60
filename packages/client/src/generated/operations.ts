// Made by `pnpm run client` from the OpenAPI document. Change the API, and not this file.

/**
 * The operations: verb, path, whether there is a body, whether there is a query, and the field with the rows of a list.
 */
export const operations: {
  readonly [resource: string]: {
    readonly [method: string]: readonly [string, string, number, number, string?]
  }
} = {
  agents: {
    list: ["GET", "/api/v1/agents", 0, 1, "agents"],
    get: ["GET", "/api/v1/agents/{agent_id}", 0, 0],
    create: ["POST", "/api/v1/agents/create", 1, 0],
    put: ["PUT", "/api/v1/agents/{agent_id}/update", 1, 0],
    patch: ["PATCH", "/api/v1/agents/{agent_id}/update", 1, 0],
    delete: ["DELETE", "/api/v1/agents/{agent_id}/delete", 0, 0]
  },
  calls: {
    start: ["POST", "/api/v1/calls", 1, 0],
    list: ["GET", "/api/v1/calls", 0, 1, "calls"],
    get: ["GET", "/api/v1/calls/{call_id}", 0, 0],
    deliveries: ["GET", "/api/v1/calls/{call_id}/deliveries", 0, 1, "deliveries"],
    hangUp: ["POST", "/api/v1/calls/{call_id}/hang-up", 0, 0]
  },
  contacts: {
    list: ["GET", "/api/v1/contacts", 0, 1, "contacts"],
    create: ["POST", "/api/v1/contacts/create", 1, 0],
    get: ["GET", "/api/v1/contacts/{contact_id}", 0, 0],
    put: ["PUT", "/api/v1/contacts/{contact_id}/update", 1, 0],
    patch: ["PATCH", "/api/v1/contacts/{contact_id}/update", 1, 0],
    deletePhoneNumber: ["DELETE", "/api/v1/contacts/{contact_id}/phone-numbers/{phone_number_id}", 0, 0],
    delete: ["DELETE", "/api/v1/contacts/{contact_id}/delete", 0, 0]
  },
  contactImports: {
    list: ["GET", "/api/v1/contact-imports", 0, 1, "imports"],
    create: ["POST", "/api/v1/contact-imports/create", 1, 0],
    get: ["GET", "/api/v1/contact-imports/{import_id}", 0, 0],
    addPart: ["POST", "/api/v1/contact-imports/{import_id}/parts", 1, 0],
    start: ["POST", "/api/v1/contact-imports/{import_id}/start", 0, 0],
    cancel: ["POST", "/api/v1/contact-imports/{import_id}/cancel", 0, 0],
    refused: ["GET", "/api/v1/contact-imports/{import_id}/refused", 0, 1]
  },
  contactExports: {
    page: ["GET", "/api/v1/contacts/export", 0, 1]
  },
  contactErasures: {
    erase: ["POST", "/api/v1/contacts/{contact_id}/erase", 1, 0]
  },
  contactRecords: {
    get: ["GET", "/api/v1/contacts/{contact_id}/export", 0, 0]
  },
  doNotCall: {
    list: ["GET", "/api/v1/do-not-call", 0, 1, "phone_numbers"],
    add: ["POST", "/api/v1/do-not-call", 1, 0],
    remove: ["POST", "/api/v1/do-not-call/remove", 1, 0]
  },
  variables: {
    list: ["GET", "/api/v1/context-variables", 0, 1, "variables"],
    create: ["POST", "/api/v1/context-variables/create", 1, 0],
    put: ["PUT", "/api/v1/context-variables/{variable_id}/update", 1, 0],
    patch: ["PATCH", "/api/v1/context-variables/{variable_id}/update", 1, 0],
    delete: ["DELETE", "/api/v1/context-variables/{variable_id}/delete", 0, 0]
  },
  businessContext: {
    get: ["GET", "/api/v1/business/context", 0, 0],
    set: ["POST", "/api/v1/business/context", 1, 0]
  },
  calendar: {
    list: ["GET", "/api/v1/calendar/events", 0, 1, "events"],
    create: ["POST", "/api/v1/calendar/events/create", 1, 0],
    get: ["GET", "/api/v1/calendar/events/{event_id}", 0, 0],
    deliveries: ["GET", "/api/v1/calendar/events/{event_id}/deliveries", 0, 1, "deliveries"],
    put: ["PUT", "/api/v1/calendar/events/{event_id}/update", 1, 0],
    patch: ["PATCH", "/api/v1/calendar/events/{event_id}/update", 1, 0],
    cancel: ["POST", "/api/v1/calendar/events/{event_id}/cancel", 1, 0],
    resolveCopy: ["POST", "/api/v1/calendar/events/{event_id}/external-calendars/{provider}/resolve", 1, 0],
    ics: ["GET", "/api/v1/calendar/events/{event_id}/ics", 0, 1]
  },
  availability: {
    find: ["GET", "/api/v1/calendar/availability", 0, 1],
    busy: ["GET", "/api/v1/calendar/busy", 0, 1]
  },
  webhooks: {
    create: ["POST", "/api/v1/api/webhooks/create", 1, 0],
    list: ["GET", "/api/v1/webhooks", 0, 0, "webhooks"],
    get: ["GET", "/api/v1/webhooks/{webhook_id}", 0, 0],
    put: ["PUT", "/api/v1/webhooks/{webhook_id}/update", 1, 0],
    patch: ["PATCH", "/api/v1/webhooks/{webhook_id}/update", 1, 0],
    delete: ["POST", "/api/v1/webhooks/{webhook_id}/delete", 0, 0],
    rotateSecret: ["POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", 1, 0],
    test: ["POST", "/api/v1/webhooks/{webhook_id}/test", 0, 0],
    deliveries: ["GET", "/api/v1/webhooks/{webhook_id}/deliveries", 0, 1, "deliveries"],
    delivery: ["GET", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", 0, 0],
    redeliver: ["POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", 0, 0],
    redeliverFailed: ["POST", "/api/v1/webhooks/{webhook_id}/deliveries/redeliver", 1, 0]
  },
  apiKeys: {
    list: ["GET", "/api/v1/api-keys", 0, 0, "api_keys"],
    get: ["GET", "/api/v1/api-keys/{api_key_id}", 0, 0],
    create: ["POST", "/api/v1/api-keys/create", 1, 0],
    rotate: ["POST", "/api/v1/api-keys/{api_key_id}/rotate", 1, 0],
    revoke: ["POST", "/api/v1/api-keys/{api_key_id}/revoke", 0, 0]
  },
  account: {
    get: ["GET", "/api/v1/account", 0, 0],
    patch: ["PATCH", "/api/v1/account/update", 1, 0]
  },
  funds: {
    balance: ["GET", "/api/v1/account/balance", 0, 0],
    movements: ["GET", "/api/v1/account/movements", 0, 1, "movements"]
  },
  statistics: {
    get: ["GET", "/api/v1/statistics", 0, 1]
  },
  tasks: {
    list: ["GET", "/api/v1/tasks/dead-lettered", 0, 1, "tasks"],
    retry: ["POST", "/api/v1/tasks/{task_id}/retry", 0, 0],
    retryAll: ["POST", "/api/v1/tasks/retry", 1, 0]
  },
  externalCalendars: {
    list: ["GET", "/api/v1/calendar/connections", 0, 0, "connections"],
    beginAuthorization: ["POST", "/api/v1/calendar/connections/oauth/begin", 1, 0],
    connectCaldav: ["POST", "/api/v1/calendar/connections/caldav", 1, 0],
    check: ["POST", "/api/v1/calendar/connections/{provider}/check", 0, 0],
    disconnect: ["DELETE", "/api/v1/calendar/connections/{provider}/delete", 0, 0]
  },
  caller: {
    get: ["GET", "/api/v1/caller", 0, 0],
    sessions: ["GET", "/api/v1/caller/sessions", 0, 0]
  },
  members: {
    list: ["GET", "/api/v1/members", 0, 0, "members"],
    get: ["GET", "/api/v1/members/{member_id}", 0, 0],
    create: ["POST", "/api/v1/members/create", 1, 0],
    patch: ["PATCH", "/api/v1/members/{member_id}/update", 1, 0],
    delete: ["DELETE", "/api/v1/members/{member_id}/delete", 0, 0]
  },
  sessions: {
    list: ["GET", "/api/v1/sessions", 0, 1, "sessions"],
    delete: ["DELETE", "/api/v1/sessions/{session_id}/delete", 0, 0],
    deleteAll: ["POST", "/api/v1/sessions/delete", 1, 0]
  },
  signInLinks: {
    list: ["GET", "/api/v1/dashboard/links", 0, 0, "links"],
    create: ["POST", "/api/v1/dashboard/links", 1, 0],
    delete: ["DELETE", "/api/v1/dashboard/links/{link_id}/delete", 0, 0]
  },
  audit: {
    list: ["GET", "/api/v1/audit", 0, 1, "entries"],
    export: ["GET", "/api/v1/audit/export", 0, 1]
  },
  operator: {
    accounts: ["GET", "/api/v1/operator/accounts", 0, 1],
    deposit: ["POST", "/api/v1/operator/accounts/{account_id}/deposits", 1, 0],
    backlog: ["GET", "/api/v1/operator/backlog", 0, 0],
    tasks: ["GET", "/api/v1/operator/tasks/dead-lettered", 0, 1],
    retryTask: ["POST", "/api/v1/operator/tasks/{task_id}/retry", 0, 0],
    retryTasks: ["POST", "/api/v1/operator/tasks/retry", 1, 0],
    installation: ["GET", "/api/v1/operator/installation", 0, 0]
  }
}
