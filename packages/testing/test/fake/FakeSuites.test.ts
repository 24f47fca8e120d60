import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Effect from "effect/Effect"
import { FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { calendarConnectorSuite } from "@frontdesk/testing/suite/calendarConnectorSuite"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import { calendarConnectorOptions, calendarSyncOptions, mailerOptions } from "./suiteOptions.ts"

mailerSuite("fake", FakeMailer.layer, mailerOptions)

mailerSuite("none", Mailer.layerNone, { received: Effect.succeed([]), isEnabled: false })

calendarConnectorSuite("fake", FakeCalendarConnector.layer, calendarConnectorOptions)

calendarSyncSuite("fake", FakeCalendarSync.layer, calendarSyncOptions)
