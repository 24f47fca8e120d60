import { MailerError } from "@frontdesk/core/mail/Mailer"

/** What is read of an error of the SMTP client. */
interface SmtpError {
  readonly code: string
  /** What the server answered; 0 when it did not. */
  readonly status: number
  /** Its enhanced status code (RFC 3463), `5.1.1`; "" when it gave none. */
  readonly enhanced: string
  /** The command that was answered. */
  readonly command: string
}

/**
 * What a mail that was not sent has met.
 *
 * - `unauthorized`: the login is refused for good, or one is wanted.
 * - `invalid`: the server refuses the sender, the receiver or the message for good.
 * - `transport`: everything else. So too a greeting with 5xx, which says nothing of the message, and a certificate that is
 *   not accepted: nothing was sent yet, and the operator has the hours of the outbox to put it right.
 */
export const toError = (cause: unknown): MailerError => {
  const error = read(cause)
  return new MailerError({
    reason: reasonOf(error),
    ...(isUnsent(error) ? { isUnsent: true } : {}),
    cause: new Error(describe(error))
  })
}

/** What went wrong in words for the operator: no text of the server, which may repeat addresses and credentials. */
export const explain = (cause: unknown): string => describe(read(cause))

/** Whether the server offers a login, and none was given. */
export const wantsLogin = (cause: unknown): boolean => read(cause).code === "ENOAUTH"

/** A message that is never sent. */
export const unsendable = (why: string): MailerError => new MailerError({ reason: "invalid", cause: new Error(why) })

/** Nothing has come of it in time. */
export const tookTooLong: MailerError = new MailerError({
  reason: "transport",
  cause: new Error("the mail server took too long")
})

/** Every connection was taken for so long that the message was not begun. */
export const noneFree: MailerError = new MailerError({
  reason: "transport",
  isUnsent: true,
  cause: new Error("no connection to the mail server was free in time")
})

/** Whether the server has refused the message, or cannot have it: there was no connection, or no login. */
const isUnsent = ({ code, status }: SmtpError): boolean =>
  status >= 400 || /^(ECONNREFUSED|ENOTFOUND|EAI_|EDNS|EAUTH|ENOAUTH|EENVELOPE|ETLS)/.test(code)

const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])

const reasonOf = ({ code, status }: SmtpError): MailerError["reason"] => {
  const isPermanent = status >= 500 && status < 600
  if (isPermanent && loginCodes.has(status)) return "unauthorized"
  if (/^(EAUTH|ENOAUTH)$/.test(code)) return isPermanent || status === 0 ? "unauthorized" : "transport"
  const isOfMessage = /^(EENVELOPE|EMESSAGE)$/.test(code)
  // 503 tells of a session gone wrong, not of the message.
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
  if (/^(EAUTH|ENOAUTH)$/.test(code)) return "the mail server takes no login of a kind that is known here"
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    return `the mail server's certificate is not accepted (${code}); see the host in the mail server's URL`
  }
  if (/^(ETLS|ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return `no TLS with the mail server${tlsHint}`
  }
  if (/^(ENOTFOUND|EAI_|EDNS)/.test(code)) return "the mail server's name was not found"
  if (code === "ECONNREFUSED") return "the mail server refused the connection"
  if (/^(ETIMEDOUT|EABORT)$/.test(code)) return "the mail server took too long"
  if (/^(EENVELOPE|EMESSAGE)$/.test(code)) return "the mail server cannot take the message"
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
    // The step that failed says less than what the socket met, unless the server has answered.
    code: original === "" || text("responseCode") !== "" ? own : original,
    status: Number(text("responseCode")),
    enhanced: /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(text("response"))?.[1] ?? "",
    command: text("command")
  }
}
