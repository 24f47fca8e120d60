// SHOP_DATABASE=shop.db WEBHOOK_URL=http://127.0.0.1:9000/ WEBHOOK_SECRET=whsec_… node src/main.ts order 3 | deliver
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

/** Ends the program, which was asked wrongly. */
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}

const [command, count = "1"] = process.argv.slice(2)
const { SHOP_DATABASE: path = "shop.db", WEBHOOK_SECRET: secret, WEBHOOK_URL: url } = process.env

if (command !== "order" && command !== "deliver") refuse("Say what to do: order COUNT, or deliver")
if (!/^[1-9]\d{0,5}$/.test(count)) refuse("COUNT is how many orders are placed: a whole number from 1 to 999999")
if (!url || !secret) refuse("Set WEBHOOK_URL, where orders are told, and WEBHOOK_SECRET, which signs what is sent")
if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) refuse("WEBHOOK_SECRET is whsec_ and Base64")

// `allowInsecure` is for a receiver on the same machine.
const sender = UndiciWebhookSender.layer({ allowInsecure: true })
await Effect.runPromise(
  WebhookSender.use((webhooks) => webhooks.checkUrl(url)).pipe(
    Effect.catch(({ reason }) => Effect.sync(() => refuse(`WEBHOOK_URL cannot be used: ${reason}`))),
    Effect.provide(sender)
  )
)

const database = Shop.open(path)
Shop.subscribe(database, url, secret)

// What a dispatcher needs: a queue, a sender, signatures. The one worker of this shop has a name, so that after a
// restart it sends at once what it held when it was killed.
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
  // At `Debug` the log has a line for each attempt, also for one that went well.
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
