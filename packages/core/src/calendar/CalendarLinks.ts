import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EventUuid } from "./CalendarEvent.ts"

/** Signs and checks the links under which a calendar program fetches an event without a key (Decisions 7). */
export class CalendarLinks extends Context.Service<
  CalendarLinks,
  {
    /** The event's `ics_url`: `/api/v1/calendar/events/{uuid}/ics?signature=…`. */
    readonly icsUrl: (uuid: EventUuid) => Effect.Effect<string>
    /** Whether the signature is the event's, compared in constant time. */
    readonly verify: (uuid: EventUuid, signature: string) => Effect.Effect<boolean>
  }
>()("@frontdesk/core/calendar/CalendarLinks") {}
