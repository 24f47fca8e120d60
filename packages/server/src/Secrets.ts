import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import * as SecretBox from "@frontdesk/core/crypto/SecretBox"
import * as Layer from "effect/Layer"
import * as NodeCrypto from "./NodeCrypto.ts"

/** Provides the sealing of secrets, with the operator's keys. */
export const layer = (keyring: Keyring): Layer.Layer<never> =>
  SecretBox.layer(keyring).pipe(Layer.provide([NodeCrypto.layer, NodeCrypto.layerAead]))

/** Provides the operations on all stored secrets: count, check and reseal. */
export const layerStored = (keyring: Keyring) =>
  StoredSecrets.layer.pipe(Layer.provide([layer(keyring), NodeCrypto.layer]))

/**
 * Checks the stored secrets when it is built. Fails with SecretKeysMissing when the keys cannot open all of them. Logs a
 * warning when there is a key and some secrets are still plain.
 */
export const layerCheck = (keyring: Keyring) =>
  StoredSecrets.layerCheck.pipe(Layer.provide([layerStored(keyring), layer(keyring)]))
