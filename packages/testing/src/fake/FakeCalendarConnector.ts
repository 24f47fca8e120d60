import { hash, randomUUID } from "node:crypto"
import {
  CalendarConnector,
  type AuthorizationRequest,
  type CaldavCalendar,
  type OAuthProvider
} from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSyncError, type CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** The user name and the password of the account on the fake CalDAV server. */
export const caldavAccount = { username: "jo@dav.example.com", password: Redacted.make("the-password") }

/** The calendars of the account on the fake CalDAV server. */
export const caldavCalendars: ReadonlyArray<CaldavCalendar> = [
  { url: "https://dav.example.com/jo/work/", name: "Work", isWritable: true },
  { url: "https://dav.example.com/jo/holidays/", name: "", isWritable: false }
]

/** The id of the main calendar of the person at a provider. */
export const mainCalendar = (provider: OAuthProvider): string => `jo@${provider}.example`

interface IssuedCode extends AuthorizationRequest {
  readonly provider: OAuthProvider
}

/** Providers of calendars in memory. A test grants access in place of a person, and sets failures. */
export class FakeCalendarConnector extends Context.Service<
  FakeCalendarConnector,
  {
    /** Grants access on the page with this URL, and returns the code with which the provider redirects the browser. */
    readonly agree: (authorizationUrl: string) => Effect.Effect<string>
    /** Makes later calls that would ask a provider run this effect first and fail as it fails. */
    readonly answerWith: (answer: Effect.Effect<void, CalendarSyncError>) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeCalendarConnector") {
  /** The fake, and the `CalendarConnector` that it implements. */
  static readonly layer: Layer.Layer<FakeCalendarConnector | CalendarConnector> = Layer.effectContext(
    Effect.sync(() => {
      const codes = new Map<string, IssuedCode>()
      const calendarsOf = new Map<string, ReadonlyArray<string>>()
      let answer: Effect.Effect<void, CalendarSyncError> = Effect.void
      const asked = Effect.suspend(() => answer)

      const fake = FakeCalendarConnector.of({
        agree: (authorizationUrl) =>
          Effect.sync(() => {
            const { hostname, searchParams } = new URL(authorizationUrl)
            const code = randomUUID()
            codes.set(code, {
              provider: hostname.startsWith("google") ? "google" : "outlook",
              state: searchParams.get("state") ?? "",
              codeChallenge: searchParams.get("code_challenge") ?? "",
              redirectUri: searchParams.get("redirect_uri") ?? ""
            })
            return code
          }),
        answerWith: (next) =>
          Effect.sync(() => {
            answer = next
          })
      })

      /** Returns new credentials that give access to these calendars. */
      const issue = (calendars: ReadonlyArray<string>) => {
        const text = randomUUID()
        calendarsOf.set(text, calendars)
        return Redacted.make(text)
      }

      const isAccount = ({ password, username }: typeof caldavAccount) =>
        username === caldavAccount.username && Redacted.value(password) === Redacted.value(caldavAccount.password)

      const connector = CalendarConnector.of({
        providers: ["apple", "google", "outlook"] satisfies ReadonlyArray<CalendarProviderKey>,
        authorizationUrl: (provider, { codeChallenge, redirectUri, state }) => {
          const query = new URLSearchParams({
            state,
            redirect_uri: redirectUri,
            code_challenge: codeChallenge,
            code_challenge_method: "S256"
          })
          return Effect.succeed(`https://${provider}.example/authorize?${query.toString()}`)
        },
        exchange: Effect.fnUntraced(function* (provider, { code, redirectUri, verifier }) {
          yield* asked
          const issued = codes.get(Redacted.value(code))
          codes.delete(Redacted.value(code))
          const isProven = issued?.codeChallenge === hash("sha256", Redacted.value(verifier), "base64url")
          if (!isProven || issued.provider !== provider || issued.redirectUri !== redirectUri) {
            return yield* failure("unauthorized", "the code was refused")
          }
          return issue([mainCalendar(provider), `team.${mainCalendar(provider)}`])
        }),
        caldavCalendars: Effect.fnUntraced(function* (account) {
          yield* asked
          return isAccount(account) ? caldavCalendars : yield* failure("unauthorized", "401")
        }),
        caldavCredentials: (account) =>
          Effect.sync(() => issue(isAccount(account) ? caldavCalendars.map(({ url }) => url) : [])),
        check: Effect.fnUntraced(function* ({ provider }, calendar, credentials) {
          yield* asked
          const calendars = calendarsOf.get(Redacted.value(credentials)) ?? []
          const [main] = calendars
          if (main === undefined) return yield* failure("unauthorized", "401")
          const found = calendar === null && provider !== "apple" ? main : calendar
          if (found === null || !calendars.includes(found)) return yield* failure("gone", "404")
          if (found === caldavCalendars[1]?.url) return yield* failure("invalid", "the calendar cannot be written")
          return { calendar: found, credentials, says: "a fake" }
        })
      })
      return Context.make(FakeCalendarConnector, fake).pipe(Context.add(CalendarConnector, connector))
    })
  )
}

const failure = (reason: CalendarSyncReason, cause: string) => Effect.fail(new CalendarSyncError({ reason, cause }))
