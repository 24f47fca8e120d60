import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Effect from "effect/Effect"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import { calendarSyncOptions, mailerOptions } from "./suiteOptions.ts"

mailerSuite("fake", FakeMailer.layer, mailerOptions)

mailerSuite("none", Mailer.layerNone, { received: Effect.succeed([]), isEnabled: false })

calendarSyncSuite("fake", FakeCalendarSync.layer, calendarSyncOptions)
