import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Principal } from "../access/Principal.ts"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import { AuditStore } from "../audit/AuditStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { InvalidParameter, type ValidationError } from "../values/ValidationError.ts"
import { auditFilter, AuditQuery, cursorOf, defaultLimit, placeOf } from "./AuditLogInput.ts"

/** A page of the audit log. */
export interface AuditPage {
  /** The entries, newest first. */
  readonly entries: ReadonlyArray<AuditEntry>
  /** The `cursor` of the next page. Null when this page is the last one. */
  readonly next: string | null
}

const inputs: Input.Inputs<AuditLog["Service"]> = { read: [{ query: Schema.UndefinedOr(AuditQuery) }] }

/** Shows a caller what has changed in its account, and who has changed it (D-AUD-1). */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Returns a page of the entries of the caller's account, newest first. Pages that follow the `next` of the page before
     * have each entry once, also while entries are added.
     *
     * Fails with `InvalidParameter` when the end date is before the start date, or when the id of an actor or of a record is
     * given without its type.
     */
    readonly read: (
      query?: AuditQuery
    ) => Effect.Effect<AuditPage, InvalidParameter | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/account/AuditLog") {
  /** The service over the store of entries. */
  static readonly layer: Layer.Layer<AuditLog, never, AuditStore> = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const store = yield* AuditStore

      return Input.service(AuditLog, inputs, {
        read: Tracing.operation("AuditLog.read")(function* (query = {}) {
          const { account } = yield* Principal
          yield* DateRange.requireOrder(query)
          yield* requireType("actor", query.actorType, query.actorId)
          yield* requireType("entity", query.entityType, query.entityId)
          const { cursor, limit = defaultLimit } = query
          const after = cursor === undefined ? null : placeOf(cursor)
          // One more than the page has, which shows whether there is a next page.
          const found = yield* store.list(account.id, auditFilter(query, account.settings.timeZone), after, limit + 1)
          const entries = found.slice(0, limit)
          const last = entries.at(-1)
          return { entries, next: found.length > limit && last !== undefined ? cursorOf(last) : null }
        })
      })
    })
  )
}

/** Fails when an id is given without its type. Ids of different types may be equal. */
const requireType = (name: string, type: string | undefined, id: string | undefined) =>
  id !== undefined && type === undefined
    ? Effect.fail(new InvalidParameter({ parameter: `${name}_type`, message: `Required together with ${name}_id` }))
    : Effect.void
