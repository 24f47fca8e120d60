import * as Schema from "effect/Schema"

/** An earlier request with this key has no answer yet (D-ERR-8: 409 `idempotency_in_progress`). */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>(
  "@frontdesk/core/idempotency/IdempotencyInProgress"
)("IdempotencyInProgress", { key: Schema.String }) {}

/** An earlier request used the key with another body (D-ERR-11: 422 `idempotency_key_reuse`). */
export class IdempotencyKeyReuse extends Schema.TaggedError<IdempotencyKeyReuse>(
  "@frontdesk/core/idempotency/IdempotencyKeyReuse"
)("IdempotencyKeyReuse", { key: Schema.String }) {}

/**
 * The request with this key was executed, and its process died before it stored an answer (409 `idempotency_answer_lost`).
 * The request is not executed again.
 */
export class IdempotencyAnswerLost extends Schema.TaggedError<IdempotencyAnswerLost>(
  "@frontdesk/core/idempotency/IdempotencyAnswerLost"
)("IdempotencyAnswerLost", { key: Schema.String }) {}
