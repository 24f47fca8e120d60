import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import type { CalendarProviderKey, CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import type { NotificationKind } from "../mail/Mailer.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Page from "../values/Page.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import * as Input from "../values/Input.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import {
  type DeadLetteredTask,
  type DeadLetterFilter,
  OutboxTaskId,
  OutboxTaskNotFound,
  type OutboxWork
} from "./OutboxTask.ts"

/** How many tasks are made due in one transaction. */
const stepSize = 500

/** What a task does: mails a customer, or writes to an outside calendar. */
export const OutboxKind = Schema.Literals(["mail", "calendar"])

/** What a task does. */
export type OutboxKind = typeof OutboxKind.Type

const tags = { mail: "Notify", calendar: "SyncEvent" } as const satisfies Record<OutboxKind, OutboxWork["_tag"]>

/** Which of the tasks that were dead-lettered; what is left out narrows nothing. */
export const OutboxFilter = Schema.Struct({
  accountId: Schema.optional(AccountId),
  kind: Schema.optional(OutboxKind)
})

/** Which of the tasks that were dead-lettered. */
export type OutboxFilter = typeof OutboxFilter.Type

/** Which of the tasks that were dead-lettered, and which page of them. */
export const OutboxQuery = Schema.Struct({
  ...OutboxFilter.fields,
  page: Schema.optional(Page.PageNumber),
  limit: Schema.optional(Page.PageLimit)
})

/** Which of the tasks that were dead-lettered, and which page of them. */
export type OutboxQuery = typeof OutboxQuery.Type

/** A task that was dead-lettered; nothing of the people it is about. */
export interface OutboxReport {
  readonly id: OutboxTaskId
  /** Null when this version cannot read what the task does. */
  readonly kind: OutboxKind | null
  /** What a mail tells; null for anything else. */
  readonly mail: NotificationKind | null
  /** Which calendar is written to; null for anything else. */
  readonly provider: CalendarProviderKey | null
  readonly eventId: CalendarEventId
  /** Whose event it is; null when there is no such event any more. */
  readonly accountId: AccountId | null
  /** How often it was tried. */
  readonly attempts: number
  /** Why it was dead-lettered. */
  readonly reason: string
  readonly deadLetteredAt: DateTime.Utc
}

const inputs: Input.Inputs<OutboxOperations["Service"]> = {
  list: [{ query: Schema.UndefinedOr(OutboxQuery) }],
  retry: [{ id: OutboxTaskId }],
  retryAll: [{ filter: Schema.UndefinedOr(OutboxFilter) }]
}

/** What an operator sees and does with the mails and calendar writes that were dead-lettered. It has no endpoint. */
export class OutboxOperations extends Context.Service<
  OutboxOperations,
  {
    /** The tasks that were dead-lettered, the newest first. */
    readonly list: (query?: OutboxQuery) => Effect.Effect<Page.Page<OutboxReport>, ValidationError | StorageError>
    /**
     * Has a task done that was dead-lettered: at once, and as a new one, with another id and all its tries.
     *
     * What is mailed or written is decided when it is done: a mail that is no longer true is dropped.
     */
    readonly retry: (id: OutboxTaskId) => Effect.Effect<void, OutboxTaskNotFound | ValidationError | StorageError>
    /**
     * Does the same with all that were dead-lettered. Answers how many.
     *
     * Each is retried once, also when it is dead-lettered again meanwhile. What was retried when it breaks off stays so, and
     * the same call goes on with the rest.
     */
    readonly retryAll: (filter?: OutboxFilter) => Effect.Effect<number, ValidationError | StorageError>
  }
>()("@frontdesk/core/outbox/OutboxOperations") {
  /** The service on the outbox. */
  static readonly layer: Layer.Layer<OutboxOperations, never, Outbox | OutboxStore> = Layer.effect(
    OutboxOperations,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const store = yield* OutboxStore

      const renew = Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null, limit: number) {
        const ids = yield* store.renew(filter, before, limit, yield* DateTime.now)
        if (ids.length > 0) yield* outbox.notify
        return ids
      })

      const list: OutboxOperations["Service"]["list"] = Effect.fn("OutboxOperations.list")(function* (query = {}) {
        return Page.map(yield* store.deadLettered(narrowed(query), Page.request(query)), report)
      })

      const retry = Effect.fn("OutboxOperations.retry")(function* (id: OutboxTaskId) {
        const renewed = yield* renew({ id }, null, 1)
        if (renewed.length === 0) return yield* new OutboxTaskNotFound({ taskId: id })
      })

      const retryAll = Effect.fn("OutboxOperations.retryAll")(function* (filter: OutboxFilter = {}) {
        let total = 0
        let before: OutboxTaskId | null = null
        while (true) {
          // The new tasks come after all that are looked at.
          const ids: ReadonlyArray<OutboxTaskId> = yield* renew(narrowed(filter), before, stepSize)
          const last = ids.at(-1)
          if (last === undefined) return total
          total += ids.length
          before = last
        }
      })

      return Input.service(OutboxOperations, inputs, { list, retry, retryAll })
    })
  )
}

const narrowed = ({ accountId, kind }: OutboxFilter) => ({
  accountId,
  tag: kind === undefined ? undefined : tags[kind]
})

const kinds = { Notify: "mail", SyncEvent: "calendar" } as const satisfies Record<OutboxWork["_tag"], OutboxKind>

const report = ({ deadLetteredAt, accountId, attempts, error, eventId, id, work }: DeadLetteredTask): OutboxReport => ({
  id,
  kind: work === null ? null : kinds[work._tag],
  mail: work?._tag === "Notify" ? work.notification.kind : null,
  provider: work?._tag === "SyncEvent" ? work.provider : null,
  eventId,
  accountId,
  attempts,
  reason: error,
  deadLetteredAt
})
