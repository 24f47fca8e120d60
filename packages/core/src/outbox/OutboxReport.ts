import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEventId, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import type { NotificationKind, SignInMailKind } from "../mail/Mailer.ts"
import type { DeadLetteredTask, OutboxTaskId, OutboxWork } from "./OutboxTask.ts"

/**
 * The kind of a task: `mail` sends a mail to a customer, `calendar` writes to an external calendar, `sign_in` mails a member a
 * sign-in link.
 */
export const OutboxKind = Schema.Literals(["mail", "calendar", "sign_in"])

/** The kind of a task. */
export type OutboxKind = typeof OutboxKind.Type

/** A dead-lettered task, without personal data (D-OUT-8). */
export interface OutboxReport {
  readonly id: OutboxTaskId
  /** Null when this version cannot read the stored task. */
  readonly kind: OutboxKind | null
  /** The kind of the mail. Null for a task of another kind. */
  readonly mail: NotificationKind | SignInMailKind | null
  /** The external calendar of the write. Null for a task of another kind. */
  readonly provider: CalendarProviderKey | null
  readonly eventId: CalendarEventId | null
  /** The account that owns the event. */
  readonly accountId: AccountId
  /** How many attempts were made. */
  readonly attempts: number
  /** Why the task was dead-lettered: a fixed text such as `mail: transport`, never what another system answered. */
  readonly reason: string
  readonly deadLetteredAt: DateTime.Utc
}

const tags = { mail: "Notify", calendar: "SyncEvent", sign_in: "SignIn" } as const satisfies Record<
  OutboxKind,
  OutboxWork["_tag"]
>

const kinds = { Notify: "mail", SyncEvent: "calendar", SignIn: "sign_in" } as const satisfies Record<
  OutboxWork["_tag"],
  OutboxKind
>

/** Returns the tag of the tasks of a kind, or undefined for tasks of every kind. */
export const tagOf = (kind: OutboxKind | undefined): OutboxWork["_tag"] | undefined =>
  kind === undefined ? undefined : tags[kind]

/** Returns the kind of the tasks with a tag, or undefined for a tag that this version does not know. */
export const kindOf = (tag: string): OutboxKind | undefined => OutboxKind.literals.find((kind) => tags[kind] === tag)

/** Returns the report of a dead-lettered task. */
export const of = (task: DeadLetteredTask): OutboxReport => {
  const { accountId, attempts, deadLetteredAt, error, eventId, id, work } = task
  return {
    id,
    kind: work === null ? null : kinds[work._tag],
    mail: work?._tag === "Notify" ? work.notification.kind : work?._tag === "SignIn" ? work.kind : null,
    provider: work?._tag === "SyncEvent" ? work.provider : null,
    eventId,
    accountId,
    attempts,
    reason: error,
    deadLetteredAt
  }
}
