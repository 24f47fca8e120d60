import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import * as SecretBox from "@frontdesk/core/crypto/SecretBox"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

const keyOf = (version: string, byte: number) => `${version}:${Buffer.alloc(32, byte).toString("base64")}`

/** Keys in the form of the setting. `wrongKey` has the version of `oldKey` and other bytes. */
export const [oldKey, newKey, wrongKey] = [keyOf("old", 1), keyOf("new", 2), keyOf("old", 3)]

/** Makes a `SecretBox` with keys. */
export const box = (...keys: ReadonlyArray<string>) =>
  SecretBox.layerWebCrypto(Result.getOrThrow(Keyring.parse(keys.join()))).pipe(Layer.provide(Crypto.layerWebCrypto))

/** Runs an effect with services that have these keys, on the storage of the context. */
export const withKeys = (...keys: ReadonlyArray<string>) =>
  Effect.provide(
    Layer.fresh(
      Layer.mergeAll(Webhooks.layer, DeliveryWorker.layer, CalendarConnections.layer, StoredSecrets.layer)
    ).pipe(Layer.provide(box(...keys)))
  )
