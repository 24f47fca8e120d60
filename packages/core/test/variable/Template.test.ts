import { describe, expect, it } from "@effect/vitest"
import * as Template from "@frontdesk/core/variable/Template"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Result from "effect/Result"
import type { Json } from "effect/Schema"
import * as fc from "fast-check"

const from = (values: Readonly<Record<string, Json>>): Template.Lookup => {
  const known = new Map(Object.entries(values))
  return (name) => known.get(name)
}

const render = (template: string, values: Readonly<Record<string, Json>>, policy?: Template.UnresolvedPolicy) =>
  Result.getOrThrow(Template.render(template, from(values), policy))

const text = (template: string, values: Readonly<Record<string, Json>> = {}) => render(template, values).text

describe("Template", () => {
  it("render replaces a name by its value, and ignores white space within the braces (D-TPL-1)", () => {
    expect(text("Hello {{first_name}}, {{ plan }}{{\tplan }}!", { first_name: "Jo", plan: "gold" })).toBe(
      "Hello Jo, goldgold!"
    )
  })

  it("names without a value are returned in order, once each, and are removed by default", () => {
    expect(render("{{b}}-{{a}}-{{ b }}-{{c}}", { c: 1 })).toEqual({ text: "---1", unresolved: ["b", "a"] })
  })

  it("braces with only white space between them are not a name", () => {
    expect(Template.names("{{ }}{{ a }}{{\t}}")).toEqual(["a"])
  })

  it("the policy empty removes a name without a value, keep leaves its placeholder, and fail fails", () => {
    expect(render("a {{ x }} b", {}, "empty")).toEqual({ text: "a  b", unresolved: ["x"] })
    expect(render("a {{ x }} b", {}, "keep")).toEqual({ text: "a {{ x }} b", unresolved: ["x"] })
    expect(Result.flip(Template.render("{{x}}{{y}}{{x}}", from({}), "fail"))).toMatchObject({
      success: { names: ["x", "y"] }
    })
    expect(render("{{x}}", { x: 1 }, "fail")).toEqual({ text: "1", unresolved: [] })
  })

  it("numbers and booleans are written as in JavaScript, objects and arrays as JSON", () => {
    expect(text("{{a}} {{b}} {{c}} {{d}} {{e}}", { a: 1.5, b: true, c: { x: [1, "y"] }, d: [], e: 1e21 })).toBe(
      `1.5 true {"x":[1,"y"]} [] 1e+21`
    )
  })

  it("null counts as no value, and an empty text as a value (D-TPL-2)", () => {
    expect(render("{{a}}{{b}}", { a: null, b: "" })).toEqual({ text: "", unresolved: ["a"] })
  })

  it("a placeholder or a replacement pattern within a value stays as it is (D-TPL-3)", () => {
    expect(text("{{a}}{{b}}", { a: "{{b}}", b: "$& $1 {{a}}" })).toBe("{{b}}$& $1 {{a}}")
    expect(text("{{a}}b}}", { a: "{{", b: "no" })).toBe("{{b}}")
  })

  it.each([
    ["", ""],
    ["{a}", "{a}"],
    ["{{}}", "{{}}"],
    ["{{  }}", "{{  }}"],
    ["{{a}", "{{a}"],
    ["{{a\n}}", "{{a\n}}"],
    ["{{{a}}}", "{A}"],
    ["{{{{a}}}}", "{{A}}"],
    ["{{a{{a}}", "{{aA"],
    ["{{a}}}}", "A}}"],
    ["{{favourite colour}}", "blue"]
  ])("render returns for %j the text %j", (template, expected) => {
    expect(text(template, { a: "A", "favourite colour": "blue" })).toBe(expected)
  })

  it("names returns each name of a template once, in order", () => {
    expect(Template.names("{{b}} {{ a }} {{b}} {{}} {c}")).toEqual(["b", "a"])
  })

  it("withBusinessPrefix finds a business variable under its name with the prefix only (C-2.4-7)", () => {
    const lookup = Template.withBusinessPrefix(from({ hours: "9-5", business_plan: "gold" }))
    expect(["business_hours", "business_business_plan", "hours", "business_", "business_plan"].map(lookup)).toEqual([
      "9-5",
      "gold",
      undefined,
      undefined,
      undefined
    ])
  })

  describe("laws", () => {
    const values = fc.dictionary(arbitrary.variableName(), fc.oneof(arbitrary.braces(), fc.integer(), fc.boolean()), {
      noNullPrototype: true
    })

    it("render keeps the text between placeholders, and replaces each placeholder by its value", () => {
      fc.assert(
        fc.property(arbitrary.template(), values, ({ template, pieces }, values) => {
          const lookup = from(values)
          const expected = pieces.map((piece) =>
            "text" in piece ? piece.text : Template.toText(lookup(piece.name) ?? "")
          )
          expect(text(template, values)).toBe(expected.join(""))
        })
      )
    })

    it("unresolved has exactly the names without a value, in order", () => {
      fc.assert(
        fc.property(arbitrary.template(), values, ({ template, pieces }, values) => {
          const names = pieces.flatMap((piece) =>
            "name" in piece && !Object.hasOwn(values, piece.name) ? [piece.name] : []
          )
          expect(render(template, values).unresolved).toEqual([...new Set(names)])
        })
      )
    })

    it("render looks up exactly the names that names returns", () => {
      fc.assert(
        fc.property(arbitrary.braces(), (template) => {
          const lookedUp = new Set<string>()
          Template.render(template, (name) => void lookedUp.add(name))
          expect([...lookedUp]).toEqual(Template.names(template))
        })
      )
    })

    it("render with the policy keep returns a template unchanged when no name has a value", () => {
      fc.assert(
        fc.property(arbitrary.braces(), (template) => {
          expect(render(template, {}, "keep").text).toBe(template)
        })
      )
    })

    it("text without two opening braces has no names", () => {
      fc.assert(
        fc.property(
          fc.string().map((value) => value.replaceAll("{{", "")),
          (template) => {
            expect(render(template, {})).toEqual({ text: template, unresolved: [] })
          }
        )
      )
    })

    it.each(["{", "{{", "{{a", "{{ ", "}}", "{{a}", "{{{a}} "])(
      "a million characters of %j are rendered in linear time",
      (unit) => {
        const template = unit.repeat(1_000_000 / unit.length)
        expect(render(template, { a: "A" }).text).toBe(template.replaceAll("{{a}}", "A"))
      }
    )
  })
})
