import { createHash } from "node:crypto"
import { timingSafeEqual } from "@frontdesk/core/crypto/Crypto"

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** Returns whether two secrets are equal. The time it takes reveals nothing about them, not even their length. */
export const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))
