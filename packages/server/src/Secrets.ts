import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import * as SecretBox from "@frontdesk/core/crypto/SecretBox"
import * as Layer from "effect/Layer"
import * as NodeCrypto from "./NodeCrypto.ts"

/** Seals and opens secrets with the keys of the operator. */
export const layer = (keyring: Keyring): Layer.Layer<never> =>
  SecretBox.layer(keyring).pipe(Layer.provide([NodeCrypto.layer, NodeCrypto.layerAead]))

/** The secrets that are kept in the stores, as those keys open them. */
export const layerKept = (keyring: Keyring) =>
  StoredSecrets.layer.pipe(Layer.provide([layer(keyring), NodeCrypto.layer]))

/**
 * Fails when the stores hold secrets that those keys cannot open; what is built on it can open them all. Warns of
 * secrets that are plain beside a key.
 */
export const layerCheck = (keyring: Keyring) =>
  StoredSecrets.layerCheck.pipe(Layer.provide([layerKept(keyring), layer(keyring)]))
