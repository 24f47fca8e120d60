import { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"

/** What a task is to do, as its document. */
export const Work = Column.json(Schema.toCodecJson(OutboxWork))
