import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mutantsOf } from "./Mutant.ts"

const quoting = (secret: Redacted.Redacted<string>) =>
  Effect.mapError(
    (error: { readonly reason: string }) =>
      new CalendarSyncError({ reason: "unauthorized", cause: `${error.reason}: ${Redacted.value(secret)}` })
  )

/** Mutants of `CalendarConnector`. They need an adapter with a provider and with CalDAV. */
export const calendarConnector = mutantsOf(CalendarConnector, {
  "providers is in reverse order": ({ providers }) => ({ providers: providers.toReversed() }),
  "providers has a provider twice": ({ providers }) => ({ providers: [...providers.slice(0, 1), ...providers] }),
  "the URL leaves out the state": ({ authorizationUrl }) => ({
    authorizationUrl: (provider, request) => authorizationUrl(provider, { ...request, state: "" })
  }),
  "the URL has another redirect URI": ({ authorizationUrl }) => ({
    authorizationUrl: (provider, request) =>
      authorizationUrl(provider, { ...request, redirectUri: "https://evil.example/back" })
  }),
  "the URL has no challenge": ({ authorizationUrl }) => ({
    authorizationUrl: (provider, request) => authorizationUrl(provider, { ...request, codeChallenge: "" })
  }),
  "a code works twice": ({ exchange }) => {
    const granted = new Map<string, Redacted.Redacted<string>>()
    return {
      exchange: Effect.fnUntraced(function* (provider, grant) {
        const known = granted.get(Redacted.value(grant.code))
        if (known !== undefined) return known
        const credentials = yield* exchange(provider, grant)
        granted.set(Redacted.value(grant.code), credentials)
        return credentials
      })
    }
  },
  "every code is accepted": ({ caldavCredentials, exchange }) => ({
    exchange: (provider, grant) =>
      exchange(provider, grant).pipe(
        Effect.catch(() => caldavCredentials({ username: "jo", password: Redacted.make("any") }))
      )
  }),
  "a refused code is quoted": ({ exchange }) => ({
    exchange: (provider, grant) => exchange(provider, grant).pipe(quoting(grant.code))
  }),
  "a refused code is reported as unreachable": ({ exchange }) => ({
    exchange: (provider, grant) =>
      Effect.mapError(exchange(provider, grant), ({ cause }) => new CalendarSyncError({ reason: "transport", cause }))
  }),
  "the main calendar is stored under its name": ({ check }) => ({
    check: (key, calendar, credentials) =>
      Effect.map(check(key, calendar, credentials), (usable) => ({ ...usable, calendar: calendar ?? "primary" }))
  }),
  "every calendar is taken for the main one": ({ check }) => ({
    check: (key, calendar, credentials) => check(key, key.provider === "apple" ? calendar : null, credentials)
  }),
  "check explains nothing": ({ check }) => ({
    check: (key, calendar, credentials) =>
      Effect.map(check(key, calendar, credentials), (usable) => ({ ...usable, says: "" }))
  }),
  "check accepts wrong credentials": ({ check }) => ({
    check: (key, calendar, credentials) =>
      check(key, calendar, credentials).pipe(
        Effect.catch(() => Effect.succeed({ calendar: calendar ?? "primary", credentials, says: "accepted" }))
      )
  }),
  "check quotes the credentials": ({ check }) => ({
    check: (key, calendar, credentials) => check(key, calendar, credentials).pipe(quoting(credentials))
  }),
  "the list of calendars is empty": () => ({ caldavCalendars: () => Effect.succeed([]) }),
  "no calendar of the list can be written": ({ caldavCalendars }) => ({
    caldavCalendars: (server) =>
      Effect.map(caldavCalendars(server), (found) => found.map((calendar) => ({ ...calendar, isWritable: false })))
  }),
  "the list quotes a wrong password": ({ caldavCalendars }) => ({
    caldavCalendars: (server) => caldavCalendars(server).pipe(quoting(server.password))
  }),
  "the credentials have no password": ({ caldavCredentials }) => ({
    caldavCredentials: (account) => caldavCredentials({ ...account, password: Redacted.make("none") })
  })
})
