import { createHmac } from "node:crypto"
import { isSame } from "../request/ConstantTimeEqual.ts"

/** The parameters of a form, each with its values. */
export type Form = ReadonlyMap<string, ReadonlyArray<string>>

/** Parses a form (`application/x-www-form-urlencoded`). */
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
 * Returns the signature of a request of Twilio, for `X-Twilio-Signature` (twilio.com/docs/usage/security).
 *
 * It is an HMAC-SHA1 over the URL, followed by the name and value of each parameter, sorted by name. A repeated parameter
 * contributes each distinct value once, sorted.
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
 * Returns whether a request is signed with the token of the account. Returns false with an empty token.
 *
 * @param url the exact public URL. It is checked with and without its port, because Twilio signs either
 */
export const isSigned = (
  authToken: string,
  { form, signature, url }: { readonly url: string; readonly signature: string; readonly form: Form }
): boolean =>
  // Both spellings of the URL are always checked, so that the time does not reveal which one matches.
  spellings(url).reduce((isFound, spelling) => isSame(signature, sign(authToken, spelling, form)) || isFound, false) &&
  authToken !== ""

const spellings = (url: string): ReadonlyArray<string> => {
  const match = /^(https?):\/\/([^/?#]*?)(?::(\d+))?([/?#].*)?$/is.exec(url)
  if (match === null) return [url]
  const [, scheme = "", host = "", port, rest = ""] = match
  const usual = scheme.toLowerCase() === "https" ? "443" : "80"
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}:${port ?? usual}${rest}`]
}
