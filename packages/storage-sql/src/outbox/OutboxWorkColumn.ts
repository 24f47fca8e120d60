import { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"

const Work = Column.json(Schema.toCodecJson(OutboxWork))

/** The column with what a task is to do: read by {@link decode}, so that a document that is damaged stops no other. */
export const Stored = Schema.Unknown

/** What a task is to do, from its document. */
export const decode = Schema.decodeUnknownResult(Work)

/** The document of what a task is to do. */
export const encode = Schema.encodeSync(Work)
