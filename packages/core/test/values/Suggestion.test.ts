import { describe, expect, it } from "@effect/vitest"
import { didYouMean } from "@frontdesk/core/values/Suggestion"
import * as fc from "fast-check"

const known = ["host", "port", "workers", "mail_url", "mail_from", "public_url"]

const name = fc.string({ minLength: 2, maxLength: 20 })

/** Arbitrary names with a copy that has one typo: a removed, added, replaced or swapped character. */
const mistyped = name.chain((right) =>
  fc
    .tuple(fc.nat(right.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
    .chain(([at, other]) =>
      fc.constantFrom(
        right.slice(0, at) + right.slice(at + 1),
        right.slice(0, at) + other + right.slice(at),
        right.slice(0, at) + other + right.slice(at + 1),
        right.slice(0, at) +
          right
            .slice(at, at + 2)
            .split("")
            .toReversed()
            .join("") +
          right.slice(at + 2)
      )
    )
    .map((wrong) => ({ right, wrong }))
)

describe("Suggestion.didYouMean", () => {
  it.each([
    ["prot", "Did you mean port?"],
    ["portt", "Did you mean port?"],
    ["mail_uri", "Did you mean mail_url?"],
    ["mailfrm", "Did you mean mail_from?"],
    ["post", "Did you mean host or port?"]
  ])("suggests for %s every known name that is nearest: %s", (unknown, suggestion) => {
    expect(didYouMean(unknown, known)).toBe(suggestion)
  })

  it.each(["", "part_", "colour", "mail", "url_public", "workers_of_all"])("suggests nothing for %j", (unknown) => {
    expect(didYouMean(unknown, known)).toBe("")
  })

  it("suggests a name that was written with one typo, whatever the other names are", () => {
    fc.assert(
      fc.property(mistyped, fc.array(name), ({ right, wrong }, others) => {
        fc.pre(wrong !== right && !others.includes(wrong))
        expect(didYouMean(wrong, [...others, right])).toContain(right)
      })
    )
  })
})
