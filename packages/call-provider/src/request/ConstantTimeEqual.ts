import { createHash } from "node:crypto"
import { timingSafeEqual } from "@frontdesk/core/crypto/Crypto"

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** Compares secrets in time that says nothing about them, not even how long the expected one is. */
export const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))
