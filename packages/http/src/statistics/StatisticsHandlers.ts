import { Statistics } from "@frontdesk/core/statistics/Statistics"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { StatisticsApi } from "./StatisticsApi.ts"

/** Makes the handlers of {@link StatisticsApi}. */
export const statisticsHandlers = Effect.gen(function* () {
  const statistics = yield* Statistics
  const handlers: GroupHandlers<typeof StatisticsApi> = {
    get: ({ query }) => statistics.get(query)
  }
  return handlers
})
