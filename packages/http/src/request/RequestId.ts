import * as Crypto from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"

const form = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Gives each request its id: the caller's, when it is 1 to 128 of `[A-Za-z0-9._-]`, else a new one (D-HTTP-11).
 *
 * New ones are unique over processes: a random part that the process keeps, and a number.
 */
export const make = Effect.gen(function* () {
  const crypto = yield* Crypto.Crypto
  const prefix = Base64Url.encode(yield* crypto.randomBytes(9))
  let count = 0
  return (sent: string | undefined): string => {
    if (sent !== undefined && form.test(sent)) return sent
    count += 1
    return `${prefix}.${count.toString(36)}`
  }
})
