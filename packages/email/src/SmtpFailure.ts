import { MailerError } from "@frontdesk/core/mail/Mailer"

/** The parts of an SMTP client's error that are used here. */
interface SmtpError {
  readonly code: string
  /** The status code of the server's reply; 0 without a reply. */
  readonly status: number
  /** The enhanced status code of the reply (RFC 3463), such as `5.1.1`; "" without one. */
  readonly enhanced: string
  /** The SMTP command that the reply is for. */
  readonly command: string
}

/**
 * Converts an error of the SMTP client into a `MailerError`. Its reason is:
 *
 * - `unauthorized`: the server rejects the login permanently, or requires one.
 * - `invalid`: the server rejects the sender, the recipient or the message permanently.
 * - `transport`: everything else. This includes a greeting with 5xx, which does not concern the message, and a certificate
 *   that is not trusted: nothing was sent, and the outbox retries for hours, in which the operator can repair it.
 */
export const toError = (cause: unknown): MailerError => {
  const error = read(cause)
  return new MailerError({
    reason: reasonOf(error),
    ...(isUnsent(error) ? { isUnsent: true } : {}),
    cause: new Error(describe(error))
  })
}

/** Returns a description of an error for the operator. It omits the server's text, which may repeat addresses and credentials. */
export const explain = (cause: unknown): string => describe(read(cause))

/** Returns whether an error means that the server offers a login and the settings contain none. */
export const lacksLogin = (cause: unknown): boolean => read(cause).code === "ENOAUTH"

/** Returns the error for a message that can never be sent. */
export const unsendable = (why: string): MailerError => new MailerError({ reason: "invalid", cause: new Error(why) })

/** The error for a message that the server did not accept within the timeout. */
export const tookTooLong: MailerError = new MailerError({
  reason: "transport",
  cause: new Error("the mail server took too long")
})

/** The error for a message that waited too long for a free connection and was not started. */
export const noFreeConnection: MailerError = new MailerError({
  reason: "transport",
  isUnsent: true,
  cause: new Error("no connection to the mail server was free in time")
})

/** Returns whether the server certainly does not have the message: it replied with an error, or the client did not begin it. */
const isUnsent = ({ code, status }: SmtpError): boolean =>
  status >= 400 || /^(ECONNREFUSED|ENOTFOUND|EAI_|EDNS|EAUTH|ENOAUTH|EENVELOPE|ETLS)/.test(code)

const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])

const reasonOf = ({ code, status }: SmtpError): MailerError["reason"] => {
  const isPermanent = status >= 500 && status < 600
  if (isPermanent && loginCodes.has(status)) return "unauthorized"
  if (/^(EAUTH|ENOAUTH)$/.test(code)) return isPermanent || status === 0 ? "unauthorized" : "transport"
  const isOfMessage = /^(EENVELOPE|EMESSAGE)$/.test(code)
  // 503 concerns the order of commands in the session, not the message.
  return isOfMessage && ((isPermanent && status !== 503) || status === 0) ? "invalid" : "transport"
}

const tlsHint = "; see smtp: and smtps: and the port in the mail server's URL"

const hint = (error: SmtpError): string => {
  if (error.command === "STARTTLS") return `${tlsHint}, or, in development, FRONTDESK_MAIL_ALLOW_INSECURE`
  return reasonOf(error) === "unauthorized" ? "; see the user and the password in the mail server's URL" : ""
}

const describe = (error: SmtpError): string => {
  const { code, command, enhanced, status } = error
  if (status !== 0) {
    const answer = enhanced === "" ? `${status}` : `${status} ${enhanced}`
    const at = /^[A-Z][A-Z ]{1,20}$/.test(command) && command !== "CONN" ? ` to ${command}` : ""
    return `the mail server answered ${answer}${at}${hint(error)}`
  }
  if (/^(EAUTH|ENOAUTH)$/.test(code)) return "the mail server supports no login method that this client knows"
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    return `the mail server's certificate is not accepted (${code}); see the host in the mail server's URL`
  }
  if (/^(ETLS|ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return `no TLS with the mail server${tlsHint}`
  }
  if (/^(ENOTFOUND|EAI_|EDNS)/.test(code)) return "the mail server's name was not found"
  if (code === "ECONNREFUSED") return "the mail server refused the connection"
  if (/^(ETIMEDOUT|EABORT)$/.test(code)) return "the mail server took too long"
  if (/^(EENVELOPE|EMESSAGE)$/.test(code)) return "the message cannot be transmitted to the mail server"
  return "the connection to the mail server failed"
}

const read = (cause: unknown): SmtpError => {
  const text = (name: string): string => {
    const value: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined
    return typeof value === "string" || typeof value === "number" ? String(value) : ""
  }
  const own = text("code")
  const original = text("originalCode")
  return {
    // The socket's own code is more precise than the failed step, unless the server has replied.
    code: original === "" || text("responseCode") !== "" ? own : original,
    status: Number(text("responseCode")),
    enhanced: /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(text("response"))?.[1] ?? "",
    command: text("command")
  }
}
