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
