import { AuditLog } from "@frontdesk/core/account/AuditLog"
import { maxLimit } from "@frontdesk/core/account/AuditLogInput"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { AuditApi } from "./AuditApi.ts"
import { auditEntryView, jsonLines } from "./AuditView.ts"

/** Makes the handlers of {@link AuditApi}. */
export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  const handlers: GroupHandlers<typeof AuditApi> = {
    list: ({ query }) =>
      Effect.map(log.read(query), ({ entries, next }) => ({
        entries: entries.map(auditEntryView),
        next_cursor: next
      })),
    export: ({ query }) => Effect.map(log.read({ limit: maxLimit, ...query }), ({ entries }) => jsonLines(entries))
  }
  return handlers
})
