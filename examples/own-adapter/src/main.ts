// MAIL_SERVICE_URL=https://mail.example.com MAIL_SERVICE_KEY=... MAIL_FROM=desk@example.com node src/main.ts jo@example.com
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { Workers } from "@frontdesk/core/worker/Workers"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as HttpMailer from "./HttpMailer.ts"

const ports = Layer.mergeAll(
  MemoryStorage.layer,
  Crypto.layerWebCrypto,
  SimulatedCallProvider.layer({ pace: 10 }),
  UndiciWebhookSender.layer({ allowInsecure: false }),
  CalendarSync.layerNone,
  CalendarConnector.layerNone,
  HttpMailer.layerConfig.pipe(Layer.provide(FetchHttpClient.layer))
)

const services = Workers.layerServices.pipe(Layer.provideMerge(Core.layer), Layer.provideMerge(ports))

const program = Effect.gen(function* () {
  const mailer = yield* Mailer
  yield* Console.log((yield* mailer.check).says)
  const accounts = yield* Accounts
  const { id } = yield* accounts.create({
    name: "The clinic",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  const events = yield* CalendarEvents
  const booking = {
    title: "Check-up",
    startTime: "2030-05-06T09:00:00Z",
    endTime: "2030-05-06T09:30:00Z",
    customerEmail: process.argv[2] ?? "jo@example.com"
  }
  yield* events.create(booking).pipe(Effect.provideService(Principal, yield* accounts.principal(id)))
  // A server provides `Workers.layer` instead, which runs all workers until the server ends.
  const worker = yield* OutboxWorker
  yield* Console.log(`tasks done: ${yield* worker.runOnce}`)
})

await Effect.runPromise(Effect.provide(program, services))
