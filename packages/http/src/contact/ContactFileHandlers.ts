import { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import { ContactRecords } from "@frontdesk/core/erasure/ContactRecords"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { ContactErasureApi, ContactExportApi, ContactImportApi, ContactRecordApi } from "./ContactFileApi.ts"
import { contactImportView } from "./ContactFileView.ts"
import { eventView } from "../calendar/CalendarEventView.ts"
import { contactRecordView } from "./ContactRecordView.ts"

/** Makes the handlers of {@link ContactImportApi}. */
export const contactImportHandlers = Effect.gen(function* () {
  const imports = yield* ContactImports
  const handlers: GroupHandlers<typeof ContactImportApi> = {
    list: ({ query }) =>
      Effect.map(imports.list(query), (found) => ({ ...pageView(found), imports: found.items.map(contactImportView) })),
    create: ({ payload }) => Effect.map(imports.create(payload), contactImportView),
    get: ({ params }) => Effect.map(imports.get(params.importId), contactImportView),
    addPart: ({ params, payload }) => Effect.map(imports.addPart(params.importId, payload), contactImportView),
    start: ({ params }) => Effect.map(imports.start(params.importId), contactImportView),
    cancel: ({ params }) => Effect.map(imports.cancel(params.importId), contactImportView),
    refused: ({ params, query }) =>
      Effect.map(imports.refused(params.importId, query), (found) => ({ ...pageView(found), lines: found.items }))
  }
  return handlers
})

/** Makes the handlers of {@link ContactExportApi}. */
export const contactExportHandlers = Effect.gen(function* () {
  const exports = yield* ContactExports
  const handlers: GroupHandlers<typeof ContactExportApi> = { page: ({ query }) => exports.page(query) }
  return handlers
})

/** Makes the handlers of {@link ContactErasureApi}. */
export const contactErasureHandlers = Effect.gen(function* () {
  const erasures = yield* ContactErasures
  const handlers: GroupHandlers<typeof ContactErasureApi> = {
    erase: ({ params, payload }) => erasures.erase(params.contactId, payload)
  }
  return handlers
})

/** Makes the handlers of {@link ContactRecordApi}. */
export const contactRecordHandlers = Effect.gen(function* () {
  const records = yield* ContactRecords
  const links = yield* CalendarLinks
  const handlers: GroupHandlers<typeof ContactRecordApi> = {
    get: Effect.fnUntraced(function* ({ params }) {
      const record = yield* records.get(params.contactId)
      const { account } = yield* Principal
      const events = yield* Effect.forEach(record.calendarEvents, (event) =>
        Effect.map(links.icsUrl(event, account.id), (url) => eventView(event, url))
      )
      return contactRecordView(record, events)
    })
  }
  return handlers
})
