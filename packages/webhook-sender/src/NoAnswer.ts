import type { WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"

/**
 * Returns the result for a request whose URL, address or port is not allowed, or whose name has no address. `reason` is
 * the same in all these cases, so that it does not reveal internal names. `detail` is for operators and names the
 * cause.
 */
export const noAddress = (detail: string): WebhookResponse => ({
  _tag: "NoAnswer",
  reason: "the host has no address that is allowed",
  detail
})

/** Returns the result for a request that failed with an error. */
export const of = (error: Error): WebhookResponse => {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  return code === "ADDRESS_REFUSED" || code === "ENOTFOUND"
    ? noAddress(error.message)
    : { _tag: "NoAnswer", reason: reasonOf(error, code) }
}

/** Returns why there is no response, without details of the internal network. */
const reasonOf = (error: Error, code: string): string => {
  if (code === "TOO_MANY_INFORMATIONAL") return "too many informational answers"
  if (code === "ECONNREFUSED") return "the connection was refused"
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return "timed out"
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return "the connection was closed before an answer"
  // The receiver has no TLS, supports other versions, or requires a client certificate.
  if (code.startsWith("ERR_SSL")) return "TLS could not be set up"
  if (/CERT|TLS|SIGNATURE/.test(code)) return "the certificate was not accepted"
  if (error.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW") return "the answer was not HTTP"
  return "the connection failed"
}
