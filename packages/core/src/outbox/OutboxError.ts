import * as Schema from "effect/Schema"

/** No task with this id was dead-lettered. */
export class OutboxTaskNotFound extends Schema.TaggedError<OutboxTaskNotFound>(
  "@frontdesk/core/outbox/OutboxTaskNotFound"
)("OutboxTaskNotFound", { taskId: Schema.Int }) {}
