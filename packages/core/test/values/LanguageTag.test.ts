import { LanguageTag } from "@frontdesk/core/values/LanguageTag"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { fromIssue } from "@frontdesk/core/values/FieldProblems"

const decode = Schema.decodeUnknownResult(LanguageTag)

describe("LanguageTag", () => {
  it.each([
    ["en", "en"],
    ["pt-br", "pt-BR"],
    ["DE-ch-1996", "de-CH-1996"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["es-419", "es-419"],
    ["gsw", "gsw"],
    ["en-u-hc-h23", "en-u-hc-h23"],
    ["iw", "he"]
  ])("%s decodes to its canonical form %s, which Intl accepts", (text, canonical) => {
    expect(decode(text)).toEqual(Result.succeed(canonical))
    expect(new Intl.DateTimeFormat(canonical).resolvedOptions().locale).toBeTypeOf("string")
    expect(Schema.is(Schema.toType(LanguageTag))(canonical)).toBe(true)
    expect(Schema.encodeSync(LanguageTag)(LanguageTag.make(canonical))).toBe(canonical)
  })

  it.each([
    "",
    "e",
    "english",
    "en_US",
    "en-",
    "en US",
    "de-a",
    "de-1996-1996",
    "en-u-hc-h23-u-ca-gregory",
    "x-private",
    "*",
    "日本",
    `en-${"abcdefgh-".repeat(12)}a`
  ])("%j fails to decode", (text) => {
    expect(Result.isFailure(decode(text))).toBe(true)
  })

  it("a decoded tag is in its canonical form", () => {
    expect(["pt-br", "PT", "iw"].map(Schema.is(Schema.toType(LanguageTag)))).toEqual([false, false, false])
  })

  it.each(["english", "de-1996-1996"])("the problem of %s names an example", (text) => {
    const problems = Result.match(
      Schema.decodeUnknownResult(Schema.Struct({ language: LanguageTag }))({ language: text }),
      {
        onFailure: ({ issue }) => fromIssue(issue),
        onSuccess: () => []
      }
    )
    expect(problems).toMatchObject([{ field: "language" }])
    expect(problems[0]?.message).toContain("for example en or pt-BR")
  })
})
