import { Calls } from "@frontdesk/core/call/Calls"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { GroupHandlers } from "../Handlers.ts"
import { Commit } from "../request/IdempotentCommit.ts"
import { pageView } from "../PageView.ts"
import type { CallApi } from "./CallApi.ts"
import { callHungUp, callPlanned, callStarted, callView } from "./CallView.ts"

/** The contact that a new call names is none the caller can see (D-CALL-6: 404 `contact_not_found`). */
export class CallContactNotFound extends Schema.TaggedError<CallContactNotFound>(
  "@frontdesk/http/call/CallContactNotFound"
)("CallContactNotFound", { contactId: Schema.Int }) {}

/** What the endpoints of {@link CallApi} do. */
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
    hangUp: ({ params }) => Effect.map(calls.hangUp(params.callId), callHungUp),
    get: ({ params }) => Effect.map(calls.get(params.callId), callView)
  }
  return handlers
})
