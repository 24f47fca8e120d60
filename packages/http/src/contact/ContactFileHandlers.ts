import { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { ContactErasureApi, ContactExportApi, ContactImportApi } from "./ContactFileApi.ts"
import { contactImportView } from "./ContactFileView.ts"

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
