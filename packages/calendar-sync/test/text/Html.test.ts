import { oddText } from "@frontdesk/testing/arbitrary/calendar"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as MeetingBody from "../../src/outlook/MeetingBody.ts"
import { clean, truncate, collapseSpace } from "../../src/text/EventText.ts"
import { escaped, fromText, textOf } from "../../src/text/Html.ts"
import { teams } from "../fake/Graph.ts"

/** Generates texts with HTML markup, noncharacters and lone surrogates. */
const text = fc
  .array(
    fc.oneof(
      oddText(),
      fc.constantFrom("<script>", "</div>", "&amp;", "&", "<br>", "_".repeat(30), "<!--", "<a", "\ufffe", "\ud83f")
    )
  )
  .map((parts) => parts.join(""))

describe("texts", () => {
  it("a text that is written as HTML is read back unchanged, except for white space", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(textOf(fromText(text))).toBe(collapseSpace(clean(text)))
        expect(textOf(`<html><head><title>x</title></head><body>\r\n${escaped(text)}\r\n</body></html>`)).toBe(
          collapseSpace(clean(text))
        )
      })
    )
  })

  it("HTML has no tag from the text, a cleaned text no control character, and a shortened text no lone surrogate", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        expect(fromText(text).replaceAll("<br>\n", "")).not.toMatch(/[<>]/)
        expect(clean(text).replace(/[\t\n]/g, "")).not.toMatch(/\p{Cc}|\p{Noncharacter_Code_Point}/u)
        const cut = truncate(clean(text), maxLength)
        expect(cut.length).toBeLessThanOrEqual(maxLength)
        expect(cut.isWellFormed()).toBe(true)
      })
    )
  })

  it("HTML with 100,000 unclosed tags is read in linear time", () => {
    for (const part of ["<body ", "<!--", "<div ", "&#", "<a", "</body", "</"]) {
      // In quadratic time the test would exceed its timeout.
      expect(textOf(part.repeat(100_000)).length).toBeLessThan(1_000_001)
    }
  })
})

describe("the body of an online meeting", () => {
  it("the text of Frontdesk is replaced and the part with the meeting stays, whatever the texts are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const written = (text: string) => MeetingBody.withoutSeparator(fromText(text))
        const body = `<html><body>\r\n${teams(written(before))}</body></html>`
        expect(textOf(MeetingBody.own(body))).toBe(textOf(written(before)))
        const replaced = MeetingBody.replaceOwn(body, written(after))
        expect(textOf(MeetingBody.own(replaced))).toBe(textOf(written(after)))
        expect(replaced.slice(replaced.search(/_{20}/))).toBe(body.slice(body.search(/_{20}/)))
        expect(MeetingBody.replaceOwn(replaced, written(after)).length).toBeLessThanOrEqual(replaced.length)
        const tags = (html: string, form: RegExp) => html.match(form)?.length ?? 0
        for (const name of ["div", "span", "body", "html"]) {
          expect(tags(replaced, new RegExp(`<${name}\\b`, "g"))).toBe(tags(replaced, new RegExp(`</${name}>`, "g")))
        }
      })
    )
  })
})
