import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../Handlers.ts"
import type { BusinessApi } from "./BusinessApi.ts"

/** What the endpoints of {@link BusinessApi} do. */
export const businessHandlers = Effect.gen(function* () {
  const business = yield* BusinessContext
  const handlers: GroupHandlers<typeof BusinessApi> = {
    get: () => Effect.map(business.get, (variables) => ({ variables })),
    set: ({ payload }) => Effect.as(business.set(payload), { message: "Business context updated" })
  }
  return handlers
})
