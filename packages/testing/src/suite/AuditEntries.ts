import type { AuditEntry, NewAuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** Returns a new entry of an account, some minutes after `Samples.now`. */
export const newEntry = (accountId: number, minutes: number, fields: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  accountId,
  at: Samples.later(minutes),
  actor: { type: "api_key", id: "1" },
  requestId: "request-1",
  clientAddress: "2001:db8::7",
  operation: "contacts.patch",
  entity: { type: "contact", id: "1" },
  changes: [{ field: "status", before: "new", after: "old" }],
  unlistedChanges: 0,
  ...fields
})

/** Returns all entries of an account, newest first. */
export const allEntriesOf = (accountId: number): Effect.Effect<ReadonlyArray<AuditEntry>, never, AuditStore> =>
  Effect.gen(function* () {
    const store = yield* AuditStore
    const found: Array<AuditEntry> = []
    while (true) {
      const page = yield* store.list(accountId, {}, found.at(-1) ?? null, 100)
      if (page.length === 0) return found
      found.push(...page)
    }
  }).pipe(Effect.orDie)
