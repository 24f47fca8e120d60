/** In place of a signature that a caller may not see. */
export const hidden = "[hidden]"

/**
 * Every form of a signature of a delivery that a receiver may echo: 64 hexadecimal digits, and `v1,` with Base64 or Base64 of 32
 * bytes alone. The characters `+`, `/` and `=` may be escaped as in JSON or in a URL. The end of the text may cut a signature
 * off: with half of it, the rest could be guessed.
 */
const signatures = [
  /[0-9a-f]{64,}|[0-9a-f]{32,}$/gi,
  /v1(?:,|%2C|\\u002c)(?:[a-z0-9+/=]|\\\/|%2[BF]|%3D|\\u00[0-9a-f]{2})+/gi,
  /(?:[a-z0-9+/]|\\\/|%2[BF]|\\u002[bf]){43}(?:=|%3D|\\u003d)/gi
]

/** Returns a text without the signatures of a delivery, with which a reader of the text could repeat the request. */
export const ofDeliveries = (text: string): string =>
  signatures.reduce((shown, signature) => shown.replaceAll(signature, hidden), text)

/** Returns a text without the signatures of `ics_url`, with which a reader of the text could fetch a calendar event (D-ICS-1). */
export const ofLinks = (text: string): string =>
  text.replaceAll(/(ics(?:\?|%3F|\\u003f)signature(?:=|%3D|\\u003d))[\w.-]+/gi, `$1${hidden}`)
