import * as Schema from "effect/Schema"

/** A request with this key has not answered yet (D-ERR-8: 409 `idempotency_in_progress`). */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>(
  "@frontdesk/core/idempotency/IdempotencyInProgress"
)("IdempotencyInProgress", { key: Schema.String }) {}

/** The key was used with another body (D-ERR-11: 422 `idempotency_key_reuse`). */
export class IdempotencyKeyReuse extends Schema.TaggedError<IdempotencyKeyReuse>(
  "@frontdesk/core/idempotency/IdempotencyKeyReuse"
)("IdempotencyKeyReuse", { key: Schema.String }) {}

/**
 * The request with this key was executed, and its process died before it could answer (409 `idempotency_answer_lost`).
 * It is not executed again.
 */
export class IdempotencyAnswerLost extends Schema.TaggedError<IdempotencyAnswerLost>(
  "@frontdesk/core/idempotency/IdempotencyAnswerLost"
)("IdempotencyAnswerLost", { key: Schema.String }) {}
