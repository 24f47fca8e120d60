import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const address = String.raw`[^\s\p{C}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}\-]{1,63}\.)+[\p{L}\p{N}\-]{2,63}`

/** The maximum length of an address, in UTF-16 code units. */
const maxLength = 254

const description = "an e-mail address, for example jo@example.com"

/**
 * An e-mail address such as `jo@example.com`, of at most 254 characters. It has no display name, no comment and no
 * quoted part, and its domain has a dot. The address is stored as it was written.
 */
export const EmailAddress = Schema.String.check(
  Schema.isMaxLength(maxLength, { description }),
  Schema.isPattern(new RegExp(`^${address}$`, "u"), { description, identifier: "EmailAddress" })
)

const descriptionOrEmpty = `${description}, or ""`

/** An {@link EmailAddress}, or "" for none. */
export const EmailAddressOrEmpty = Schema.String.check(
  Schema.isMaxLength(maxLength, { description: descriptionOrEmpty }),
  Schema.isPattern(new RegExp(`^(?:${address})?$`, "u"), { description: descriptionOrEmpty })
)

/** Returns whether two texts are the same address. Upper and lower case are equal, in letters of any script. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Returns whether two texts are addresses of the same mailbox. Upper and lower case are equal, and so are the two ways
 * to write an international domain (RFC 5890): `jo@münchen.de` and `jo@xn--mnchen-3ya.de`.
 */
export const isSameMailbox = (a: string, b: string): boolean => isSame(a, b) || mailboxOf(a) === mailboxOf(b)

/** Declared here because every JavaScript runtime has it, but none of the type libraries that core uses declares it. */
declare const URL: new (url: string) => { readonly hostname: string }

/**
 * Returns the canonical form of an address: in lower case, with its domain in ASCII. Two addresses of one mailbox have the same
 * form ({@link isSameMailbox}). A domain that a URL cannot have stays as it is.
 */
export const mailboxOf = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  const domain = address.slice(at).toLowerCase()
  // An ASCII domain is not passed to URL, which would read some as IPv4 addresses: 1.2 as 1.0.0.2.
  const asciiDomain = isAscii(domain)
    ? domain
    : Result.getOrElse(
        Result.try(() => new URL(`http://${domain}`).hostname),
        () => domain
      )
  return address.slice(0, at).toLowerCase() + asciiDomain
}

const isAscii = (text: string): boolean => /^[!-~]*$/.test(text)

/**
 * Returns the form in which a storage compares addresses: ASCII letters in lower case. Databases change other letters in
 * different ways.
 */
export const storedKey = (address: string): string => address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
