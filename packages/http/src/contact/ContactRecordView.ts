import { type ContactRecord, RecordedDelivery, Truncated } from "@frontdesk/core/erasure/ContactRecord"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { CalendarEventView } from "../calendar/CalendarEventView.ts"
import { CallDetailView, callDetailView, ToolCallView } from "../call/CallView.ts"
import { ContactView, contactView } from "./ContactView.ts"

/** The JSON of a delivery in an export of a contact. */
const RecordedDeliveryView = Wire.snakeCase(
  Schema.Struct({ ...RecordedDelivery.fields, createdAt: Timestamp })
).annotate({ identifier: "RecordedDelivery" })

/** The JSON of everything of one contact (D-ERASE-7). */
export const ContactRecordView = Wire.snakeCase(
  Schema.Struct({
    contact: ContactView,
    calls: Schema.Array(CallDetailView),
    calendarEvents: Schema.Array(CalendarEventView),
    toolCalls: Schema.Array(ToolCallView),
    deliveries: Schema.Array(RecordedDeliveryView),
    truncated: Wire.snakeCase(Truncated).annotate({ identifier: "TruncatedLists" })
  })
).annotate({ identifier: "ContactRecord" })

/** Returns the view of everything of one contact. `calendarEvents` are the views of its events. */
export const contactRecordView = (
  record: ContactRecord,
  calendarEvents: (typeof ContactRecordView.Type)["calendarEvents"]
): typeof ContactRecordView.Type => ({
  contact: contactView(record.contact),
  calls: record.calls.map(callDetailView),
  calendarEvents,
  toolCalls: record.toolCalls,
  deliveries: record.deliveries,
  truncated: record.truncated
})
