import { describe, expect, it } from "@effect/vitest"
import { all, type Operation, type Permission, permissions } from "@frontdesk/core/access/Permission"

/** The operations that each permission allows by C-5-3 to C-5-8, and then those that D-KEY-3 adds. */
const stated: Readonly<Record<Permission, ReadonlyArray<Operation>>> = {
  can_read_agents: ["agents.list", "agents.get"],
  can_read_calls: ["calls.get", "calls.list"],
  can_read_contacts: [
    "contactRecords.get",
    "contacts.put",
    "contacts.patch",
    "variables.list",
    "contacts.list",
    "contacts.get",
    "contactExports.page",
    "doNotCall.list",
    "business.get"
  ],
  can_write_contacts: [
    "variables.create",
    "variables.put",
    "variables.patch",
    "variables.delete",
    "business.set",
    "contacts.create",
    "contacts.delete",
    "contacts.deletePhoneNumber",
    "contactImports.create",
    "contactImports.addPart",
    "contactImports.start",
    "contactImports.cancel",
    "contactImports.get",
    "contactImports.list",
    "contactImports.refused",
    "contactErasures.erase",
    "doNotCall.add",
    "doNotCall.remove"
  ],
  can_read_calendar: [
    "events.list",
    "events.get",
    "availability.find",
    "availability.busy",
    "events.ics",
    "tasks.list"
  ],
  can_write_calendar: [
    "events.put",
    "events.patch",
    "events.cancel",
    "events.create",
    "events.resolveCopy",
    "tasks.retry",
    "tasks.retryAll"
  ],
  can_write_calls: ["calls.start", "calls.hangUp"],
  can_read_webhooks: [
    "calls.deliveries",
    "events.deliveries",
    "webhooks.list",
    "webhooks.get",
    "webhooks.deliveries",
    "webhooks.delivery"
  ],
  can_write_webhooks: [
    "webhooks.create",
    "webhooks.put",
    "webhooks.patch",
    "webhooks.delete",
    "webhooks.rotateSecret",
    "webhooks.test",
    "webhooks.redeliver",
    "webhooks.redeliverFailed"
  ],
  can_manage_keys: ["apiKeys.list", "apiKeys.get", "apiKeys.create", "apiKeys.rotate", "apiKeys.revoke"],
  can_write_agents: ["agents.create", "agents.put", "agents.patch", "agents.delete"],
  can_read_account: [
    "account.get",
    "funds.balance",
    "funds.movements",
    "statistics.get",
    "externalCalendars.list",
    "caller.get",
    "caller.sessions"
  ],
  can_manage_people: [
    "members.list",
    "members.get",
    "members.create",
    "members.patch",
    "members.delete",
    "sessions.list",
    "sessions.delete",
    "sessions.deleteAll",
    "signInLinks.list",
    "signInLinks.create",
    "signInLinks.delete"
  ],
  can_manage_account: [
    "account.patch",
    "externalCalendars.beginAuthorization",
    "externalCalendars.connectCaldav",
    "externalCalendars.check",
    "externalCalendars.disconnect"
  ],
  can_read_audit: ["audit.list", "audit.export"]
}

describe("Permission", () => {
  it.each(all)(
    "%s allows exactly the operations that the contract and D-KEY-3 state (C-5-3 to C-5-8)",
    (permission) => {
      const allowed = Object.entries(permissions).flatMap(([operation, needed]) =>
        needed === permission ? [operation] : []
      )
      expect(allowed.toSorted()).toEqual(stated[permission].toSorted())
    }
  )
})
