import { Contacts } from "@frontdesk/core/contact/Contacts"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { ContactApi } from "./ContactApi.ts"
import { contactUpdated, contactView } from "./ContactView.ts"

/** Makes the handlers of {@link ContactApi}. */
export const contactHandlers = Effect.gen(function* () {
  const contacts = yield* Contacts
  const handlers: GroupHandlers<typeof ContactApi> = {
    list: ({ query }) =>
      Effect.map(contacts.list(query, Page.request(query)), (found) => ({
        ...pageView(found),
        contacts: found.items.map(contactView),
        truncated: found.truncated ?? []
      })),
    create: ({ payload }) =>
      Effect.map(contacts.create(payload), (contact) => ({ ...contactView(contact), message: "Contact created" })),
    get: ({ params }) => Effect.map(contacts.get(params.contactId), contactView),
    put: ({ params, payload }) => Effect.map(contacts.put(params.contactId, payload), contactUpdated),
    patch: ({ params, payload }) => Effect.map(contacts.patch(params.contactId, payload), contactUpdated),
    deletePhoneNumber: ({ params }) =>
      Effect.map(contacts.deletePhoneNumber(params.contactId, params.phoneNumberId), contactUpdated),
    delete: ({ params }) => Effect.as(contacts.delete(params.contactId), { message: "Contact deleted" })
  }
  return handlers
})
