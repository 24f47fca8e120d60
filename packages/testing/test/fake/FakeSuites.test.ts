import { AccountId } from "@frontdesk/core/access/Account"
import { identityOf, Mailer } from "@frontdesk/core/mail/Mailer"
import * as Effect from "effect/Effect"
import { externalId, FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"

mailerSuite("fake", FakeMailer.layer, {
  received: Effect.gen(function* () {
    const sent = yield* (yield* FakeMailer).sent
    return sent.map(identityOf)
  })
})

mailerSuite("none", Mailer.layerNone, { received: Effect.succeed([]), isEnabled: false })

const accountId = AccountId.make(1)

calendarSyncSuite("fake", FakeCalendarSync.layer, {
  unconnected: AccountId.make(2),
  addBusyTime: (provider, busy) => Effect.flatMap(FakeCalendarSync, (fake) => fake.setBusy(provider, [busy])),
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
})
