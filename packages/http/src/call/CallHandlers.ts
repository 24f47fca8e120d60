import { Calls } from "@frontdesk/core/call/Calls"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { Commit } from "../request/IdempotentCommit.ts"
import { pageView } from "../PageView.ts"
import type { CallApi } from "./CallApi.ts"
import { CallContactNotFound } from "./CallContactNotFound.ts"
import { deliveryPage } from "../webhook/WebhookView.ts"
import { callDetailView, callHungUp, callPlanned, callStarted, callView } from "./CallView.ts"

/** Makes the handlers of {@link CallApi}. */
export const callHandlers = Effect.gen(function* () {
  const calls = yield* Calls
  const handlers: GroupHandlers<typeof CallApi> = {
    start: Effect.fnUntraced(
      function* ({ payload }) {
        if (payload.dryRun === true) return callPlanned(yield* calls.dryRun(payload))
        const commit = yield* Commit
        return callStarted(yield* calls.start(payload, (started) => commit(callStarted(started))))
      },
      Effect.catchTag("ContactNotFound", ({ contactId }) => Effect.fail(new CallContactNotFound({ contactId })))
    ),
    list: ({ query }) =>
      Effect.map(calls.list(query, Page.request(query)), (found) => ({
        ...pageView(found),
        calls: found.items.map(callView),
        truncated: found.truncated ?? []
      })),
    deliveries: ({ params, query }) => Effect.map(calls.deliveries(params.callId, query), deliveryPage),
    hangUp: ({ params }) => Effect.map(calls.hangUp(params.callId), callHungUp),
    get: ({ params }) => Effect.map(calls.get(params.callId), callDetailView)
  }
  return handlers
})
