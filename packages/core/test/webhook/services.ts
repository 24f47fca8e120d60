import { createHmac } from "node:crypto"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import * as DeliveryPublisher from "@frontdesk/core/webhook/DeliveryPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { accountId, at } from "./samples.ts"

/** Calendar links whose signature is always `abc`. */
export const links = CalendarLinks.of({
  icsUrl: ({ uuid }) => Effect.succeed(`/api/v1/calendar/events/${uuid}/ics?signature=abc`),
  readerOf: () => Effect.succeedNone
})

// Web Crypto signs asynchronously, and the test clock would not wait for it. This implementation signs at once.
const crypto = Crypto.layer.pipe(
  Layer.provide([
    Digest.layerWebCrypto,
    Mac.layerWebCryptoWith({ hmac: (_hash, key, data) => createHmac("sha256", key).update(data).digest() }),
    SecureRandom.layerWebCrypto
  ]),
  Layer.provide(SecureRandom.layerWebCrypto)
)

/** The caller of an account without permissions. */
export const principal = (id: typeof accountId) =>
  Principal.of({
    account: {
      id,
      name: "Acme",
      role: "standard",
      partnerId: null,
      teamIds: [],
      settings: defaultSettings,
      createdAt: at
    },
    apiKeyId: null,
    permissions: new Set()
  })

/** The webhook services on the memory storage and a fake sender. The caller is account 1. Nothing is logged. */
export const services = (settings: ConstructorParameters<typeof DeliverySettings>[0] = {}) =>
  Layer.mergeAll(Webhooks.layer, DeliveryPublisher.layer, DeliveryWorker.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, FakeWebhookSender.layer, crypto)),
    Layer.provideMerge(Layer.succeed(Principal, principal(accountId))),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(CurrentDeliverySettings, new DeliverySettings(settings)),
        Layer.succeed(References.MinimumLogLevel, "None")
      )
    )
  )

/** Runs an effect with another account as the caller. */
export const as = (id: typeof accountId) => Effect.provideService(Principal, principal(id))
