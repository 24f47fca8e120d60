import * as Crypto from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"

const form = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Makes the function that returns the id of a request: the `X-Request-Id` that the client sent, if it is 1 to 128
 * characters of `[A-Za-z0-9._-]`, otherwise a new id (D-HTTP-11).
 *
 * A new id is unique among all processes: it has a random part for the process and a number for the request.
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
