import { expect } from "vitest"

/** Matches any text that contains the part. */
export const containing = (part: string): unknown => expect.stringContaining(part)

/** Matches any text that matches the pattern. */
export const matching = (form: RegExp): unknown => expect.stringMatching(form)

/** Matches any text. */
export const anyText: unknown = expect.any(String)

/** Matches any number. */
export const anyNumber: unknown = expect.any(Number)
