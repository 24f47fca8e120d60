import { CalendarEventId, CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { NotificationKind, SignInMailKind } from "@frontdesk/core/mail/Mailer"
import type { RetriedTasks } from "@frontdesk/core/outbox/Renewal"
import { OutboxKind, type OutboxReport } from "@frontdesk/core/outbox/OutboxReport"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

/** The fields of a dead-lettered task, without personal data (D-OUT-8). */
export const taskFields = {
  id: OutboxTaskId,
  kind: Schema.NullOr(OutboxKind),
  mail: Schema.NullOr(Schema.Literals([...NotificationKind.literals, ...SignInMailKind.literals])),
  provider: Schema.NullOr(CalendarProviderKey),
  /** Null for a mail with a sign-in link, which is about no calendar event. */
  eventId: Schema.NullOr(CalendarEventId),
  attempts: Schema.Int,
  reason: Schema.String,
  deadLetteredAt: Timestamp
}

/** The JSON of a dead-lettered task. */
export const TaskView = Wire.snakeCase(Schema.Struct(taskFields)).annotate({ identifier: "DeadLetteredTask" })

/** Returns the view of a dead-lettered task. */
export const taskView = (task: OutboxReport): typeof TaskView.Type => ({
  id: task.id,
  kind: task.kind,
  mail: task.mail,
  provider: task.provider,
  eventId: task.eventId,
  attempts: task.attempts,
  reason: task.reason,
  deadLetteredAt: task.deadLetteredAt
})

/** The JSON of the answer to a retry of several tasks. */
export const TasksRetried = Wire.snakeCase(
  Schema.Struct({
    retried: Schema.Int,
    nextBeforeId: Schema.NullOr(OutboxTaskId),
    message: Schema.String
  })
).annotate({ identifier: "TasksRetried" })

/** Returns the view of a retry of several tasks. */
export const tasksRetried = ({ nextBeforeId, retried }: RetriedTasks): typeof TasksRetried.Type => ({
  retried,
  nextBeforeId,
  message: retried === 1 ? "1 task queued" : `${retried} tasks queued`
})
