import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { AccountNotFound } from "../access/AccessError.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { CalendarConnection, ConnectionKey } from "./CalendarConnection.ts"
import { CalendarConnections } from "./CalendarConnections.ts"
import { CalendarConnector } from "./CalendarConnector.ts"
import type { CalendarSyncError } from "./CalendarSync.ts"
import * as ExternalQuestion from "./ExternalQuestion.ts"

/** Checks a calendar and connects an account with it. Fails without a change when the calendar cannot be used. */
export type Connect = (
  key: ConnectionKey,
  calendar: string | null,
  credentials: Redacted.Redacted<string>
) => Effect.Effect<CalendarConnection, AccountNotFound | CalendarSyncError | ValidationError | StorageError>

/** Makes the function that checks a calendar before it stores the connection. */
export const make: Effect.Effect<Connect, never, CalendarConnections | CalendarConnector> = Effect.gen(function* () {
  const connections = yield* CalendarConnections
  const connector = yield* CalendarConnector
  return Effect.fnUntraced(function* (key, calendar, credentials) {
    const checked = yield* ExternalQuestion.within(connector.check(key, calendar, credentials))
    return yield* connections.connect(key, checked.calendar, checked.credentials)
  })
})
