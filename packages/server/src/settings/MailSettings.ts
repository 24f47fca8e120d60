import type { TextReader } from "@frontdesk/core/values/TextReader"
import { SmtpMailer } from "@frontdesk/email"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "./SettingCodecs.ts"
import { define, type Missing, type Read, requireAll } from "./Setting.ts"

const smtpUrl: TextReader<Redacted.Redacted<string>> = (text) => Result.map(SmtpMailer.urlReader(text), Redacted.make)

/** The settings for sending mail. */
export const mailSettings = {
  mailUrl: define({
    variable: "FRONTDESK_MAIL_URL",
    meaning: "The mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps:// if the connection begins with TLS",
    fallback: "",
    fallbackInWords: "none: no mail is sent",
    example: "smtps://frontdesk:secret@smtp.example.com:465",
    isSecret: true,
    codec: SettingCodecs.read(Schema.NullOr(Schema.Redacted(Schema.String)), SettingCodecs.orNull(smtpUrl))
  }),
  mailFrom: define({
    variable: "FRONTDESK_MAIL_FROM",
    meaning: "The sender of mail: an address, or a name and the address in angle brackets",
    fallback: "",
    fallbackInWords: "none",
    example: "Front desk <desk@example.com>",
    codec: SettingCodecs.read(Schema.NullOr(Schema.String), SettingCodecs.orNull(SmtpMailer.fromReader))
  }),
  mailReplyTo: define({
    variable: "FRONTDESK_MAIL_REPLY_TO",
    meaning: "The address that receives replies to mail. With it, invitations ask for an answer",
    fallback: "",
    fallbackInWords: "none: invitations ask for no answer",
    example: "appointments@example.com",
    codec: SettingCodecs.read(Schema.NullOr(Schema.String), SettingCodecs.orNull(SmtpMailer.replyToReader))
  }),
  mailAllowInsecure: define({
    variable: "FRONTDESK_MAIL_ALLOW_INSECURE",
    meaning: "Sends mail without TLS where the mail server has none, and with any certificate, for development",
    fallback: "false",
    example: "true",
    isSwitch: true,
    codec: SettingCodecs.read(Schema.Boolean, SettingCodecs.boolean)
  })
}

/** The mail server and the sender; null if no mail is sent. */
export type MailChoice = SmtpMailer.Options | null

/** Returns the mail server and the sender, or the settings that are missing. */
export const choose = (read: Read<typeof mailSettings>): Result.Result<MailChoice, ReadonlyArray<Missing>> => {
  if (read.mailUrl === null && read.mailFrom === null) return Result.succeed(null)
  const given = read.mailUrl === null ? mailSettings.mailFrom : mailSettings.mailUrl
  const all = requireAll(mailSettings, read, ["mailUrl", "mailFrom"], `because ${given.variable} is given`)
  return Result.map(all, ({ mailFrom, mailUrl }) => ({
    url: mailUrl,
    from: mailFrom,
    ...(read.mailReplyTo === null ? {} : { replyTo: read.mailReplyTo }),
    allowInsecure: read.mailAllowInsecure
  }))
}
