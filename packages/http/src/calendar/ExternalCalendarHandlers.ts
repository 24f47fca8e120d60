import { ExternalCalendars } from "@frontdesk/core/external-calendar/ExternalCalendars"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { ExternalCalendarApi } from "./ExternalCalendarApi.ts"
import {
  authorizationBegun,
  caldavCalendars,
  externalCalendarChecked,
  externalCalendarView
} from "./ExternalCalendarView.ts"

/** Makes the handlers of {@link ExternalCalendarApi}. */
export const externalCalendarHandlers = Effect.gen(function* () {
  const calendars = yield* ExternalCalendars
  const handlers: GroupHandlers<typeof ExternalCalendarApi> = {
    list: Effect.fnUntraced(function* () {
      const connections = (yield* calendars.list).map(externalCalendarView)
      return { connections, providers: yield* calendars.providers }
    }),
    beginAuthorization: ({ payload }) => Effect.map(calendars.beginAuthorization(payload), authorizationBegun),
    connectCaldav: ({ payload: { calendar, ...access } }) =>
      calendar === undefined
        ? Effect.map(calendars.caldavCalendars(access), caldavCalendars)
        : Effect.map(calendars.connectCaldav({ ...access, calendar }), (connected) => ({
            ...externalCalendarView(connected),
            message: "Calendar connected"
          })),
    check: ({ params: { provider } }) => Effect.map(calendars.check(provider), externalCalendarChecked(provider)),
    disconnect: ({ params: { provider } }) =>
      Effect.as(calendars.disconnect(provider), { message: "Connection deleted" })
  }
  return handlers
})
