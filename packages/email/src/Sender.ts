import { smtpAddress } from "./MailAddress.ts"
import { oneLine } from "./PlainText.ts"

/** The sender of mail. */
export interface Sender {
  /** The sender's name. With "", mail carries the name of the account. */
  readonly name: string
  readonly address: string
}

/** The sender of mail, and the address for replies. */
export interface Correspondent extends Sender {
  /** The address for replies; null when replies are not wanted. */
  readonly replyTo: string | null
}

/** Returns the organizer's address in invitations. Calendar programs send replies to it. */
export const organizerOf = ({ address, replyTo }: Correspondent): string => replyTo ?? address

const form = /^(?:"(?<quoted>[^"<>]*)"|(?<name>[^"<>]*?))\s*<(?<address>[^<>]+)>$/u

/** Parses `Name <address>`, `"Name" <address>` or an address alone. Returns undefined for any other text. */
export const parse = (text: string): Sender | undefined => {
  const trimmed = text.trim()
  if (/\p{Cc}/u.test(trimmed)) return undefined
  const groups = form.exec(trimmed)?.groups
  const address = smtpAddress(groups?.["address"] ?? trimmed)
  if (address === undefined) return undefined
  return { name: oneLine(groups?.["quoted"] ?? groups?.["name"] ?? ""), address }
}
