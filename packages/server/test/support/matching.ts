import { expect } from "vitest"

/** Stands for a text that has this in it. */
export const containing = (part: string): unknown => expect.stringContaining(part)

/** Stands for a text of this form. */
export const matching = (form: RegExp): unknown => expect.stringMatching(form)

/** Stands for any text. */
export const anyText: unknown = expect.any(String)

/** Stands for any number. */
export const anyNumber: unknown = expect.any(Number)
