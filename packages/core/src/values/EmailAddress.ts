import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const form = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}$/u

/**
 * An e-mail address such as `jo@example.com`, of at most 254 characters: no display name, no comment, no quoted part, a
 * domain with a dot. It is kept as written.
 */
export const EmailAddress = Schema.String.check(
  Schema.makeFilter((text: string) => text.length <= 254 && form.test(text), {
    identifier: "EmailAddress",
    description: "an e-mail address, for example jo@example.com"
  })
)

/** Whether two texts are the same address: upper and lower case are not told apart, in letters of any script. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Whether two texts are addresses of the same mailbox. Beside upper and lower case the two ways to write an international
 * domain are not told apart (RFC 5890): `jo@münchen.de` is `jo@xn--mnchen-3ya.de`.
 */
export const isSameMailbox = (a: string, b: string): boolean => isSame(a, b) || inAscii(a) === inAscii(b)

/** Every JavaScript runtime has it; no library of types that core uses declares it. */
declare const URL: new (url: string) => { readonly hostname: string }

/** The address in lower case, with its domain in ASCII where that is a domain. */
const inAscii = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  const domain = address.slice(at).toLowerCase()
  // In a URL a domain of ASCII letters and digits alone may be read as another one: 1.2 as 1.0.0.2.
  const carried = isAscii(domain)
    ? domain
    : Result.getOrElse(
        Result.try(() => new URL(`http://${domain}`).hostname),
        () => domain
      )
  return address.slice(0, at).toLowerCase() + carried
}

const isAscii = (text: string): boolean => /^[!-~]*$/.test(text)
