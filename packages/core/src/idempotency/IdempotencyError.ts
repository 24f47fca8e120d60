import * as Schema from "effect/Schema"

/** A request with this key has not answered yet (Decisions 2: 409 `idempotency_in_progress`). */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>(
  "@frontdesk/core/idempotency/IdempotencyInProgress"
)("IdempotencyInProgress", { key: Schema.String }) {}

/** The key was used with another body (Decisions 2: 422 `idempotency_key_reuse`). */
export class IdempotencyKeyReuse extends Schema.TaggedError<IdempotencyKeyReuse>(
  "@frontdesk/core/idempotency/IdempotencyKeyReuse"
)("IdempotencyKeyReuse", { key: Schema.String }) {}
