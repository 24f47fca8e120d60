/** The terms of the API's messages for programmers, and what a person at a front desk understands. */
const terms: ReadonlyArray<readonly [term: string, words: string]> = [
  ["the name of an IANA time zone", "a time zone from the list, such as America/New_York"],
  ["a BCP 47 language tag, for example en or pt-BR", "a language from the list, such as en or pt-BR"],
  [
    "a phone number in E.164 form, for example +12025550123",
    "a phone number with + and the country code, such as +12025550123"
  ],
  ["The phone number to call is not in E.164 form", "The phone number needs + and the country code"]
]

/** Returns a message of the API with its technical terms put into plain words. */
export const plainWords = (message: string): string =>
  terms.reduce((text, [term, words]) => text.replaceAll(term, words), message)
