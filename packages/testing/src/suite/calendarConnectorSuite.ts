import { AccountId } from "@frontdesk/core/access/Account"
import {
  CalendarConnector,
  type CaldavServer,
  type OAuthProvider
} from "@frontdesk/core/external-calendar/CalendarConnector"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect } from "./Expect.ts"
import type { SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** What the suite must know about a `CalendarConnector`. `R` are the services with which a test acts as a person. */
export interface CalendarConnectorSuiteOptions<R> extends SuiteOptions {
  /** The provider with which a person authorizes. Null: the suite verifies none. */
  readonly oauth: {
    readonly provider: OAuthProvider
    /** A redirect URI that is registered with the provider. */
    readonly redirectUri: string
    /** The id of the main calendar of the person. */
    readonly calendar: string
    /** Grants access on the page with this URL, and returns the code with which the provider redirects the browser. */
    readonly agree: (authorizationUrl: string) => Effect.Effect<string, never, R>
  } | null
  /** A CalDAV server and the URL of a calendar on it that can be used. Null: the suite verifies none. */
  readonly caldav: (CaldavServer & { readonly calendar: string }) | null
}

/** A verifier of RFC 7636 and its SHA-256 in base64url, from appendix B of the RFC. */
const verifier = Redacted.make("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
const otherVerifier = Redacted.make("a".repeat(43))

const accountId = AccountId.make(1)

/** Returns the reason of a failure. Verifies that its text has none of the secrets. */
const reasonOf = <A, R>(
  effect: Effect.Effect<A, CalendarSyncError | StorageError, R>,
  ...secrets: ReadonlyArray<string>
) =>
  Effect.map(Effect.flip(effect), (error) => {
    const text = `${String(error)} ${JSON.stringify(error)} ${String(error.cause)}`
    for (const secret of secrets) expect(text).not.toContain(secret)
    return error.reason
  })

/** Verifies a `CalendarConnector`. */
export const calendarConnectorSuite = <R, E>(
  name: string,
  connector: Layer.Layer<CalendarConnector | R, E>,
  { caldav, oauth, ...options }: CalendarConnectorSuiteOptions<R>
): void => {
  layer(connector, options)(`${name}: CalendarConnector`, (it) => {
    it.effect("providers has each provider once, in alphabetical order", () =>
      Effect.gen(function* () {
        const { providers } = yield* CalendarConnector
        expect(providers).toEqual([...new Set(providers)].toSorted())
        if (oauth !== null) expect(providers).toContain(oauth.provider)
        if (caldav !== null) expect(providers).toContain("apple")
      })
    )

    if (oauth !== null) {
      const { agree, calendar, provider, redirectUri } = oauth
      const request = { state: "the-state", codeChallenge, redirectUri }
      const key = { accountId, provider }
      const grantedCode = Effect.gen(function* () {
        const { authorizationUrl } = yield* CalendarConnector
        return Redacted.make(yield* agree(yield* authorizationUrl(provider, request)))
      })

      it.effect("the URL of an authorization has the state, the redirect URI and the challenge", () =>
        Effect.gen(function* () {
          const { authorizationUrl } = yield* CalendarConnector
          const { searchParams } = new URL(yield* authorizationUrl(provider, request))
          expect(Object.fromEntries(searchParams)).toMatchObject({
            state: "the-state",
            redirect_uri: redirectUri,
            code_challenge: codeChallenge,
            code_challenge_method: "S256"
          })
        })
      )

      it.effect("a code leads to credentials for the main calendar, which has an id of its own", () =>
        Effect.gen(function* () {
          const { check, exchange } = yield* CalendarConnector
          const credentials = yield* exchange(provider, { code: yield* grantedCode, verifier, redirectUri })
          const checked = yield* check(key, null, credentials)
          expect(checked.calendar).toBe(calendar)
          expect(checked.says).not.toBe("")
          expect((yield* check(key, calendar, checked.credentials)).calendar).toBe(calendar)
        })
      )

      it.effect("a code works once", () =>
        Effect.gen(function* () {
          const { exchange } = yield* CalendarConnector
          const code = yield* grantedCode
          yield* exchange(provider, { code, verifier, redirectUri })
          const again = exchange(provider, { code, verifier, redirectUri })
          expect(yield* reasonOf(again, Redacted.value(code), Redacted.value(verifier))).toBe("unauthorized")
        })
      )

      it.effect("a code is refused with another verifier, and with another redirect URI", () =>
        Effect.gen(function* () {
          const { exchange } = yield* CalendarConnector
          const code = yield* grantedCode
          const stolen = exchange(provider, { code, verifier: otherVerifier, redirectUri })
          expect(yield* reasonOf(stolen, Redacted.value(code))).toBe("unauthorized")
          const elsewhere = { code: yield* grantedCode, verifier, redirectUri: "https://evil.example/back" }
          expect(yield* reasonOf(exchange(provider, elsewhere))).toBe("unauthorized")
        })
      )

      it.effect("a code that the provider did not issue is refused", () =>
        Effect.gen(function* () {
          const { exchange } = yield* CalendarConnector
          const made = exchange(provider, { code: Redacted.make("made-up"), verifier, redirectUri })
          expect(yield* reasonOf(made, "made-up")).toBe("unauthorized")
        })
      )

      it.effect("a calendar to which the credentials give no access is not usable", () =>
        Effect.gen(function* () {
          const { check, exchange } = yield* CalendarConnector
          const credentials = yield* exchange(provider, { code: yield* grantedCode, verifier, redirectUri })
          const foreign = check(key, "zoe@elsewhere.example", credentials)
          expect(yield* reasonOf(foreign, Redacted.value(credentials))).toBe("gone")
        })
      )

      it.effect("credentials that the adapter did not make are refused", () =>
        Effect.gen(function* () {
          const { check } = yield* CalendarConnector
          const wrong = check(key, null, Redacted.make("not-credentials"))
          expect(yield* reasonOf(wrong, "not-credentials")).toBe("unauthorized")
        })
      )
    }

    if (caldav !== null) {
      const { calendar, password, username } = caldav
      const key = { accountId, provider: "apple" } as const

      it.effect("the calendars of a CalDAV server are listed, and one of them can be used", () =>
        Effect.gen(function* () {
          const { caldavCalendars, caldavCredentials, check } = yield* CalendarConnector
          const found = yield* caldavCalendars(caldav)
          expect(found.filter(({ isWritable }) => isWritable).map(({ url }) => url)).toContain(calendar)
          const credentials = yield* caldavCredentials({ username, password })
          const checked = yield* check(key, calendar, credentials)
          expect(checked.calendar).toBe(calendar)
          expect(checked.says).not.toBe("")
        })
      )

      it.effect("a wrong password is refused, and no error contains it", () =>
        Effect.gen(function* () {
          const { caldavCalendars, caldavCredentials, check } = yield* CalendarConnector
          const wrong = Redacted.make("hunter2-hunter2")
          expect(yield* reasonOf(caldavCalendars({ ...caldav, password: wrong }), "hunter2")).toBe("unauthorized")
          const credentials = yield* caldavCredentials({ username, password: wrong })
          expect(yield* reasonOf(check(key, calendar, credentials), "hunter2")).toBe("unauthorized")
        })
      )
    }
  })
}
