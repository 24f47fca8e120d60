import { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CaldavCalendar } from "@frontdesk/core/external-calendar/CalendarConnector"
import {
  type BegunAuthorization,
  ConnectionStatus,
  type ExternalCalendar
} from "@frontdesk/core/external-calendar/ExternalCalendars"
import type { Check } from "@frontdesk/core/values/Check"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const fields = {
  provider: CalendarProviderKey,
  calendar: Schema.String,
  status: ConnectionStatus,
  conflicts: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

/** The JSON of a connection to an external calendar, without credentials. */
export const ExternalCalendarView = Wire.snakeCase(Schema.Struct(fields)).annotate({ identifier: "ExternalCalendar" })

/** Returns the view of a connection. */
export const externalCalendarView = (connection: ExternalCalendar): typeof ExternalCalendarView.Type => ({
  provider: connection.provider,
  calendar: connection.calendar,
  status: connection.status,
  conflicts: connection.conflicts,
  createdAt: connection.createdAt,
  updatedAt: connection.updatedAt
})

/** The JSON of a new connection. */
export const ExternalCalendarConnected = Wire.snakeCase(Schema.Struct({ ...fields, message: Schema.String })).annotate({
  identifier: "ExternalCalendarConnected"
})

/** The JSON of the calendars of a CalDAV server. */
export const CaldavCalendars = Schema.Struct({
  calendars: Schema.Array(
    Wire.snakeCase(Schema.Struct({ url: Schema.String, name: Schema.String, isWritable: Schema.Boolean })).annotate({
      identifier: "CaldavCalendar"
    })
  )
}).annotate({ identifier: "CaldavCalendars" })

/** Returns the view of the calendars of a CalDAV server. */
export const caldavCalendars = (found: ReadonlyArray<CaldavCalendar>): typeof CaldavCalendars.Type => ({
  calendars: found.map(({ isWritable, name, url }) => ({ url, name, isWritable }))
})

/** The JSON of an authorization that was begun. */
export const AuthorizationBegun = Wire.snakeCase(
  Schema.Struct({ authorizationUrl: Schema.String, expiresAt: Timestamp })
).annotate({ identifier: "CalendarAuthorization" })

/** Returns the view of an authorization that was begun. */
export const authorizationBegun = ({
  authorizationUrl,
  expiresAt
}: BegunAuthorization): typeof AuthorizationBegun.Type => ({ authorizationUrl, expiresAt })

/** The JSON of the check of a connection. */
export const ExternalCalendarChecked = Wire.snakeCase(
  Schema.Struct({ provider: CalendarProviderKey, isUsable: Schema.Boolean, message: Schema.String })
).annotate({ identifier: "ExternalCalendarChecked" })

/** Returns the view of the check of a connection. */
export const externalCalendarChecked =
  (provider: CalendarProviderKey) =>
  ({ isUsable, says }: Check): typeof ExternalCalendarChecked.Type => ({ provider, isUsable, message: says })
