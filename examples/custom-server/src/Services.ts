// The core with an adapter for each port: SQLite, simulated calls, webhooks, and our own mailer.
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Workers } from "@frontdesk/core/worker/Workers"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as ConsoleMailer from "./ConsoleMailer.ts"

/** The services and all workers, on a SQLite database in the file `filename`. */
export const layer = (filename: string) =>
  Workers.layer.pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        SqliteStorage.layer({ filename }),
        Crypto.layerWebCrypto,
        SimulatedCallProvider.layer({ pace: 10 }),
        UndiciWebhookSender.layer({ allowInsecure: false }),
        RateLimiter.layerTokenBucket({ requests: 100, window: Duration.seconds(10) }),
        CalendarSync.layerNone,
        CalendarConnector.layerNone,
        ConsoleMailer.layer
      )
    )
  )
