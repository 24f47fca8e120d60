// SHOP_DATABASE=shop.db WEBHOOK_URL=http://127.0.0.1:9000/ WEBHOOK_SECRET=whsec_… node src/main.ts order 3
// The second command, in place of `order 3`, is `deliver`.
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Shop from "./Shop.ts"
import * as ShopQueue from "./ShopQueue.ts"

/** Prints what is wrong with the arguments or settings, and ends the program with status 2. */
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}

const [command, count = "1"] = process.argv.slice(2)
const { SHOP_DATABASE: path = "shop.db", WEBHOOK_SECRET: secret, WEBHOOK_URL: url } = process.env

if (command !== "order" && command !== "deliver") refuse("Expected a command: order COUNT, or deliver")
if (!/^[1-9]\d{0,5}$/.test(count)) refuse("COUNT, the number of orders, must be a whole number from 1 to 999999")
if (!url || !secret) refuse("Set WEBHOOK_URL, which receives the orders, and WEBHOOK_SECRET, which signs the requests")
if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) refuse("WEBHOOK_SECRET must be whsec_ followed by Base64")

// `allowInsecure` allows a receiver on the same machine.
const sender = UndiciWebhookSender.layer({ allowInsecure: true })
await Effect.runPromise(
  WebhookSender.use((webhooks) => webhooks.checkUrl(url)).pipe(
    Effect.catch(({ reason }) => Effect.sync(() => refuse(`WEBHOOK_URL cannot be used: ${reason}`))),
    Effect.provide(sender)
  )
)

const database = Shop.open(path)
Shop.subscribe(database, url, secret)

// The worker needs a queue, a sender and `Crypto` for the signatures. Its `owner` is a fixed name, so that after a
// restart it immediately sends again what it had claimed when it was killed.
const delivery = DeliveryWorker.layer.pipe(
  Layer.provide([
    ShopQueue.layer(database),
    sender,
    Crypto.layerWebCrypto,
    Layer.succeed(CurrentDeliverySettings, new DeliverySettings({ owner: "the worker", headerPrefix: "X-Shop-" }))
  ])
)

if (command === "order") {
  for (let order = 0; order < Number(count); order++) Shop.placeOrder(database, "a chair")
} else {
  // At the level `Debug` the log has a line for each attempt, including successful ones.
  await Effect.runPromise(
    Effect.flatMap(DeliveryWorker, ({ run }) => run).pipe(
      Effect.provide(
        Layer.provideMerge(
          delivery,
          Layer.mergeAll(Logger.layer([Logger.consoleLogFmt]), Layer.succeed(References.MinimumLogLevel, "Debug"))
        )
      )
    )
  )
}
