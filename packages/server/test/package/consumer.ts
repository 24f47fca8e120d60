/** A program of a user, with something of every package. */
import process from "node:process"
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { CalendarSync } from "@frontdesk/core/calendar/CalendarSync"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer } from "@frontdesk/core/notify/Mailer"
import * as Template from "@frontdesk/core/variable/Template"
import { FrontdeskHttp } from "@frontdesk/http"
import { MemoryStorage } from "@frontdesk/storage-memory"
import type * as StorageSql from "@frontdesk/storage-sql"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import type * as Testing from "@frontdesk/testing"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Assembly, Server, Settings } from "frontdesk"

/** What is only typed here: each of these is a module of its package. */
export interface Parts {
  readonly sqlite: typeof SqliteStorage
  readonly sql: typeof StorageSql
  readonly testing: typeof Testing
  readonly server: [typeof Assembly, typeof Server, typeof Settings]
}

const rendered = Result.getOrThrow(Template.render("Hello {{name}}", () => "Jo"))
process.stdout.write(`${rendered.text}\n`)

const ports = Layer.mergeAll(
  MemoryStorage.layer,
  Crypto.layerWebCrypto,
  SimulatedCallProvider.layer({ pace: 0 }),
  UndiciWebhookSender.layer(),
  CalendarSync.layerNone,
  Mailer.layerNone
)
const services = Layer.mergeAll(Core.layer, RateLimiter.layerUnlimited).pipe(Layer.provideMerge(ports))
const api = FrontdeskHttp.toWebHandler(services)
const answer = await api.handler(new Request("http://localhost/openapi.json"))
process.stdout.write(`${answer.status}\n`)
await api.dispose()
