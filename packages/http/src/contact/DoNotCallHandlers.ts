import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { DoNotCallApi } from "./DoNotCallApi.ts"

/** Makes the handlers of {@link DoNotCallApi}. */
export const doNotCallHandlers = Effect.gen(function* () {
  const lists = yield* DoNotCallLists
  const handlers: GroupHandlers<typeof DoNotCallApi> = {
    list: ({ query }) =>
      Effect.map(lists.list(query, Page.request(query)), (found) => ({
        ...pageView(found),
        phoneNumbers: found.items
      })),
    add: ({ payload }) =>
      Effect.map(lists.add(payload.phoneNumbers), (added) => ({ added, message: "Do-not-call list updated" })),
    remove: ({ payload }) =>
      Effect.map(lists.remove(payload.phoneNumbers), (removed) => ({ removed, message: "Do-not-call list updated" }))
  }
  return handlers
})
