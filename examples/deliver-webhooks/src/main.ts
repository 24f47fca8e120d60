// SHOP_DATABASE=shop.db WEBHOOK_URL=http://127.0.0.1:9000/ WEBHOOK_SECRET=whsec_… node src/main.ts order 3 | deliver
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/webhook/DeliverySettings"
import { Dispatcher } from "@frontdesk/core/webhook/Dispatcher"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Shop from "./Shop.ts"
import * as ShopQueue from "./ShopQueue.ts"

const [command, count = "1"] = process.argv.slice(2)
const { SHOP_DATABASE: path = "shop.db", WEBHOOK_SECRET: secret, WEBHOOK_URL: url } = process.env

const database = Shop.open(path)
if (url !== undefined && secret !== undefined) Shop.subscribe(database, url, secret)

// What a dispatcher needs: a queue, a sender, signatures. The one worker of this shop has a name, so that after a
// restart it sends at once what it held when it was killed. `allowInsecure` is for a receiver on the same machine.
const delivery = Dispatcher.layer.pipe(
  Layer.provide([
    ShopQueue.layer(database),
    UndiciWebhookSender.layer({ allowInsecure: true }),
    Crypto.layerWebCrypto,
    Layer.succeed(CurrentDeliverySettings, new DeliverySettings({ owner: "the worker", headerPrefix: "X-Shop-" }))
  ])
)

if (command === "order") {
  for (let order = 0; order < Number(count); order++) Shop.placeOrder(database, "a chair")
} else if (command === "deliver") {
  await Effect.runPromise(Effect.flatMap(Dispatcher, ({ run }) => run).pipe(Effect.provide(delivery)))
} else {
  console.error("Say what to do: order COUNT, or deliver")
  process.exitCode = 2
}
