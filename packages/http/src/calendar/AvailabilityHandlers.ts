import { Availability } from "@frontdesk/core/availability/Availability"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../Handlers.ts"
import type { AvailabilityApi } from "./AvailabilityApi.ts"
import { availabilityView } from "./AvailabilityView.ts"

/** What the endpoints of {@link AvailabilityApi} do. */
export const availabilityHandlers = Effect.gen(function* () {
  const availability = yield* Availability
  const handlers: GroupHandlers<typeof AvailabilityApi> = {
    find: ({ query }) => Effect.flatMap(availability.find(query), availabilityView)
  }
  return handlers
})
