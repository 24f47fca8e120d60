import { onTheWire } from "./MailAddress.ts"
import { oneLine } from "./PlainText.ts"

/** From whom mail is. */
export interface Sender {
  /** "" when none is given: then mail carries the name of the account. */
  readonly name: string
  readonly address: string
}

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
