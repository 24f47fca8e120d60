import { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"

const Work = Column.json(Schema.toCodecJson(OutboxWork))

/**
 * The column with the work of a task. {@link decode} decodes it, so that one damaged document does not prevent other
 * tasks from being read.
 */
export const Stored = Schema.Unknown

/** The `event_id` of a task that has no calendar event. No calendar event has the id 0. */
export const noEvent = 0

/** Decodes the work of a task. */
export const decode = Schema.decodeUnknownResult(Work)

/** Encodes the work of a task. */
export const encode = Schema.encodeSync(Work)
