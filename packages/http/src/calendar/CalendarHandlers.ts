import { authorize } from "@frontdesk/core/access/Authorization"
import { Principal } from "@frontdesk/core/access/Principal"
import { Availability } from "@frontdesk/core/availability/Availability"
import { CalendarEventNotFound } from "@frontdesk/core/calendar-event/CalendarEventError"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import type { GroupHandlers, SignedHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { AvailabilityApi } from "./AvailabilityApi.ts"
import { availabilityView } from "./AvailabilityView.ts"
import type { CalendarEventApi } from "./CalendarEventApi.ts"
import { copyResolved, eventCancelled, eventItem, eventView, eventWritten } from "./CalendarEventView.ts"
import { deliveryPage } from "../webhook/WebhookView.ts"
import { externalBusyView } from "./ExternalBusyView.ts"

/** Makes the handlers of {@link CalendarEventApi}. */
export const eventHandlers = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const links = yield* CalendarLinks
  const created = eventWritten("Event created")
  const updated = eventWritten("Event updated")
  const handlers: GroupHandlers<typeof CalendarEventApi> = {
    list: Effect.fnUntraced(function* ({ query }) {
      // The events of a contact show its phone numbers and its e-mail address.
      if (query.contactId !== undefined) yield* authorize("contacts.get")
      const found = yield* events.list(query, Page.request(query))
      return { ...pageView(found), events: found.items.map(eventItem) }
    }),
    create: ({ payload }) => Effect.map(events.create(payload), created),
    get: Effect.fnUntraced(function* ({ params }) {
      const event = yield* events.get(params.eventId)
      const { account } = yield* Principal
      return eventView(event, yield* links.icsUrl(event, account.id))
    }),
    deliveries: ({ params, query }) => Effect.map(events.deliveries(params.eventId, query), deliveryPage),
    put: ({ params, payload }) => Effect.map(events.put(params.eventId, payload), updated),
    patch: ({ params, payload }) => Effect.map(events.patch(params.eventId, payload), updated),
    cancel: ({ params, payload }) => Effect.map(events.cancel(params.eventId, payload), eventCancelled),
    resolveCopy: ({ params: { eventId, provider }, payload }) =>
      Effect.map(events.resolveCopy(eventId, provider, payload), copyResolved(provider)),
    ics: ({ params }) => events.ics(params.eventId)
  }
  return handlers
})

/** Makes the handlers of {@link CalendarEventApi} for requests that carry the signature of a link instead of a key. */
export const signedEventHandlers = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const handlers: SignedHandlers<typeof CalendarEventApi, "ics"> = {
    ics: ({ params: { eventId }, query }) =>
      "uuid" in eventId
        ? events.icsBySignature(eventId.uuid, query.signature ?? "")
        : Effect.fail(new CalendarEventNotFound({ event: eventId.id }))
  }
  return handlers
})

/** Makes the handlers of {@link AvailabilityApi}. */
export const availabilityHandlers = Effect.gen(function* () {
  const availability = yield* Availability
  const handlers: GroupHandlers<typeof AvailabilityApi> = {
    find: ({ query }) => Effect.flatMap(availability.find(query), availabilityView),
    busy: ({ query }) => Effect.map(availability.busy(query), externalBusyView)
  }
  return handlers
})
