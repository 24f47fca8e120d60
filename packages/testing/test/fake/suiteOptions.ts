import { AccountId } from "@frontdesk/core/access/Account"
import { identityOf } from "@frontdesk/core/mail/Mailer"
import { caldavAccount, FakeCalendarConnector, mainCalendar } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { externalId, FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import type { CalendarConnectorSuiteOptions } from "@frontdesk/testing/suite/calendarConnectorSuite"
import type { CalendarSyncSuiteOptions } from "@frontdesk/testing/suite/calendarSyncSuite"
import type { MailerSuiteOptions } from "@frontdesk/testing/suite/mailerSuite"
import * as Effect from "effect/Effect"

/** What the mailer suite must know about `FakeMailer`. */
export const mailerOptions: MailerSuiteOptions<FakeMailer> = {
  received: Effect.gen(function* () {
    const fake = yield* FakeMailer
    return [...(yield* fake.sent).map(identityOf), ...(yield* fake.links).map(({ linkId }) => `sign-in ${linkId}`)]
  })
}

const accountId = AccountId.make(1)

/** What the calendar suite must know about `FakeCalendarSync`. */
export const calendarSyncOptions: CalendarSyncSuiteOptions<FakeCalendarSync> = {
  unconnected: AccountId.make(2),
  addBusyTime: (provider, busy) => Effect.flatMap(FakeCalendarSync, (fake) => fake.setBusy(provider, [busy])),
  addWeeklyBusyTime: (provider, { end, start }, weeks) => {
    const week = 604_800_000
    const busy = Array.from({ length: weeks }, (_, index) => ({ start: start + index * week, end: end + index * week }))
    return Effect.flatMap(FakeCalendarSync, (fake) => fake.setBusy(provider, busy))
  },
  connected: Effect.gen(function* () {
    const providers = ["google", "outlook"] as const
    yield* (yield* FakeCalendarSync).connect(accountId, providers)
    return { accountId, providers }
  }),
  listEvents: Effect.fnUntraced(function* (calendar) {
    const written = yield* (yield* FakeCalendarSync).written
    const latest = new Map(
      written
        .filter(({ provider }) => provider === calendar)
        .map(({ event }) => [externalId(calendar, event), event] as const)
    )
    return [...latest].map(([externalId, event]) => ({
      externalId,
      title: event.title,
      isCancelled: event.status === "cancelled"
    }))
  })
}

/** What the connector suite must know about `FakeCalendarConnector`. */
export const calendarConnectorOptions: CalendarConnectorSuiteOptions<FakeCalendarConnector> = {
  oauth: {
    provider: "google",
    redirectUri: "https://api.example.com/back",
    calendar: mainCalendar("google"),
    agree: (url) => Effect.flatMap(FakeCalendarConnector, (fake) => fake.agree(url))
  },
  caldav: { ...caldavAccount, url: "https://dav.example.com/", calendar: "https://dav.example.com/jo/work/" }
}
