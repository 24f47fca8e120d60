import { createHash, createHmac } from "node:crypto"
import { isSame } from "../request/Equality.ts"

/** The parameters of a form, each with its values. */
export type Form = ReadonlyMap<string, ReadonlyArray<string>>

/** Reads a form (`application/x-www-form-urlencoded`). */
export const parseForm = (body: string): Form => {
  const form = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(body)) {
    const values = form.get(name)
    if (values === undefined) form.set(name, [value])
    else values.push(value)
  }
  return form
}

/**
 * The signature of a request of Twilio: `X-Twilio-Signature` (twilio.com/docs/usage/security).
 *
 * HMAC-SHA1 over the URL and then, by name, each parameter of the form and its value; of a repeated parameter each
 * different value, sorted. `form` is empty for a body that is no form: the URL then holds the digest of the body.
 */
export const sign = (authToken: string, url: string, form: Form): string => {
  const parameters = [...form]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) => [...new Set(values)].toSorted().map((value) => name + value))
  return createHmac("sha1", authToken)
    .update(url + parameters.join(""))
    .digest("base64")
}

/**
 * Whether a request is signed with the token of the account.
 *
 * @param url the exact public URL; with and without the port that its scheme has anyway, because Twilio signs either
 * @param form what the body holds; null for a body that is no form, which `bodySHA256` in the URL must then be of
 */
export const isSigned = (
  authToken: string,
  request: {
    readonly url: string
    readonly signature: string | undefined
    readonly form: Form | null
    readonly body: Uint8Array
  }
): boolean => {
  const { body, form, signature, url } = request
  if (signature === undefined) return false
  if (form === null && !isDigestOf(url, body)) return false
  // Every form of the URL is tried, so that the time says nothing about which one it was.
  return spellings(url).reduce(
    (isFound, spelling) => isSame(signature, sign(authToken, spelling, form ?? new Map())) || isFound,
    false
  )
}

/** The digest of the body that the URL gives; null when it gives none. */
export const bodyDigest = (url: string): string | null =>
  new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "").get("bodySHA256")

const isDigestOf = (url: string, body: Uint8Array): boolean => {
  const digest = bodyDigest(url)
  return digest !== null && isSame(digest, createHash("sha256").update(body).digest("hex"))
}

const spellings = (url: string): ReadonlyArray<string> => {
  const match = /^(https?):\/\/([^/?#]*?)(?::(\d+))?([/?#].*)?$/is.exec(url)
  if (match === null) return [url]
  const [, scheme = "", host = "", port, rest = ""] = match
  const usual = scheme.toLowerCase() === "https" ? "443" : "80"
  return port === undefined || port === usual
    ? [`${scheme}://${host}${rest}`, `${scheme}://${host}:${usual}${rest}`]
    : [url]
}
