import { onTheWire } from "./MailAddress.ts"
import { oneLine } from "./PlainText.ts"

/** From whom mail is. */
export interface Sender {
  /** "" when none is given: then mail carries the name of the account. */
  readonly name: string
  readonly address: string
}

/** From whom mail is, and who reads the answers to it. */
export interface Correspondent extends Sender {
  /** The address whose answers are read; null when answers are not wanted. */
  readonly replyTo: string | null
}

/** The address that stands as the organizer in invitations, where calendar programs send their answers. */
export const organizerOf = ({ address, replyTo }: Correspondent): string => replyTo ?? address

const form = /^(?:"(?<quoted>[^"<>]*)"|(?<name>[^"<>]*?))\s*<(?<address>[^<>]+)>$/u

/** `Name <address>`, the name in quotes or not, or an address alone; undefined when it is neither. */
export const parse = (text: string): Sender | undefined => {
  const trimmed = text.trim()
  if (/\p{Cc}/u.test(trimmed)) return undefined
  const groups = form.exec(trimmed)?.groups
  const address = onTheWire(groups?.["address"] ?? trimmed)
  if (address === undefined) return undefined
  return { name: oneLine(groups?.["quoted"] ?? groups?.["name"] ?? ""), address }
}
