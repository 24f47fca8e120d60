import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { layerWebCrypto } from "@frontdesk/core/crypto/SecretBox"
import { FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as AccessMutants from "@frontdesk/testing/mutant/access"
import * as CalendarConnectorMutants from "@frontdesk/testing/mutant/calendarConnector"
import * as CalendarSyncMutants from "@frontdesk/testing/mutant/calendarSync"
import * as CryptoMutants from "@frontdesk/testing/mutant/crypto"
import * as MailMutants from "@frontdesk/testing/mutant/mail"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import { calendarConnectorSuite } from "@frontdesk/testing/suite/calendarConnectorSuite"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import { mailerSuite } from "@frontdesk/testing/suite/mailerSuite"
import { rateLimiterSuite } from "@frontdesk/testing/suite/rateLimiterSuite"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { calendarConnectorOptions, calendarSyncOptions, mailerOptions } from "../fake/suiteOptions.ts"

mutantSuite("RateLimiter", AccessMutants.rateLimiter, (mutate, runner) => {
  const limit = { requests: 3, window: Duration.seconds(60) }
  rateLimiterSuite("token bucket", mutate(RateLimiter.layerTokenBucket(limit)), { runner })
})

mutantSuite("Crypto", CryptoMutants.crypto, (mutate, runner) =>
  cryptoSuite("Web Crypto", mutate(Crypto.layerWebCrypto), { runner })
)

mutantSuite("SecretBox", CryptoMutants.secretBox, (mutate, runner) =>
  secretBoxSuite(
    "Web Crypto",
    (keyring) => mutate(layerWebCrypto(keyring).pipe(Layer.provide(Crypto.layerWebCrypto))),
    { runner }
  )
)

mutantSuite("Mailer", MailMutants.mailer, (mutate, runner) =>
  mailerSuite("fake", mutate(FakeMailer.layer), { ...mailerOptions, runner })
)

mutantSuite("CalendarConnector", CalendarConnectorMutants.calendarConnector, (mutate, runner) =>
  calendarConnectorSuite("fake", mutate(FakeCalendarConnector.layer), { ...calendarConnectorOptions, runner })
)

mutantSuite("CalendarSync", CalendarSyncMutants.calendarSync, (mutate, runner) =>
  calendarSyncSuite("fake", mutate(FakeCalendarSync.layer), { ...calendarSyncOptions, runner })
)
