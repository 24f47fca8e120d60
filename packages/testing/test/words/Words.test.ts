import { describe, expect, it } from "vitest"
import { check, format, maxWords } from "./Check.ts"
import { sentences, texts } from "./Prose.ts"
import { scan } from "./Scanner.ts"

const lines = (...each: ReadonlyArray<string>): string => each.join("\n")
const found = (file: string, source: string) => check(file, source).map((finding) => `${finding.line} ${finding.found}`)

describe("check", () => {
  it("a finding has the file, the line, the word and what to write instead", () => {
    const page = lines("# Title", "", "The file is read. Then nobody reads it again.")
    expect(check("docs/page.md", page).map(format)).toEqual([
      'docs/page.md:3: "nobody" -> name who does not: no caller, no process, no account'
    ])
  })

  it("check reads doc comments, comments, test names and messages of a TypeScript file", () => {
    const source = lines(
      "/**",
      " * Answers how many there are.",
      " */",
      "export const count = 1 // by now it is two",
      'it("a task is set aside", () => {})',
      "throw new Error(`the file ${name} was said to exist`)"
    )
    expect(found("src/Count.ts", source)).toEqual(["2 Answers", "4 by now", "5 set aside", "6 was said"])
  })

  it("check finds a phrase that continues on the next line, and returns the line on which it begins", () => {
    expect(found("page.md", lines("Text.", "", "One line and the", "same holds here."))).toEqual(["3 the same holds"])
  })

  it("check reads the names of files, exports and members", () => {
    expect(found("src/KeptSecret.ts", "export const maximumLength = 1")).toEqual(["1 KeptSecret", "1 maximumLength"])
    expect(found("src/Port.ts", lines("interface Port {", "  readonly nudge: Effect.Effect<void>", "}"))).toEqual([
      "2 nudge"
    ])
    expect(found("src/Local.ts", "const kept = 1")).toEqual([])
  })

  it("check accepts the ordinary use of a word", () => {
    const page = lines(
      "There is no account. There are no longer two of these 3 files.",
      "Errors are told apart by their tag, and `nobody` is a user. A slot stands for half an hour."
    )
    expect(found("page.md", page)).toEqual([])
    expect(found("src/Word.ts", 'const answers = ["nobody", "outside calendar"]')).toEqual([])
  })

  it(`check finds a sentence of more than ${maxWords} words in a page or a doc comment, but not in other comments`, () => {
    const words = Array.from({ length: maxWords }, (_, index) => `word${index}`).join(" ")
    expect(found("page.md", `${words}.`)).toEqual([])
    expect(found("page.md", lines("Short.", `${words} more. Short.`))).toEqual([
      "2 word0 word1 word2 word3 word4 word5 …"
    ])
    expect(found("src/Long.ts", lines("/**", ` * ${words} more.`, " */"))).toHaveLength(1)
    expect(found("src/Long.ts", `// ${words} more.`)).toEqual([])
  })
})

describe("texts", () => {
  it("texts splits a page into paragraphs, items and cells, without code", () => {
    const page = lines(
      "# Title",
      "Two",
      "lines",
      "- an item",
      "",
      "| a | b c |",
      "| - | --- |",
      "```ts",
      "const code = 1",
      "```",
      "With `code` in it"
    )
    expect(texts({ line: 1, text: page }).map(({ line, text }) => `${line} ${text.trim()}`)).toEqual([
      "1 Title",
      "2 Two\nlines",
      "4 an item",
      "6 a",
      "6 b c",
      "11 With CODE in it"
    ])
  })

  it("sentences splits a text at full stops, but not inside a number or a name", () => {
    const text = lines("Version 1.5 of e.mail.", "It is new: yes!")
    expect(sentences({ line: 3, text }).map((each) => `${each.line} ${each.text.trim()}`)).toEqual([
      "3 Version 1.5 of e.mail.",
      "4 It is new:",
      "4 yes!"
    ])
  })
})

describe("scan", () => {
  it("scan distinguishes comments from strings, templates and regular expressions", () => {
    const source = lines(
      'const url = "https://example.com" // first',
      "const text = `a /* no comment */ ${b ? `inner ${c}` : '// none'} end`",
      'const pattern = /[/"]\\/\\*/g // second',
      "const half = total / 2 / count // third",
      "// fourth",
      "// goes on"
    )
    const { comments, strings } = scan(source)
    expect(comments.map(({ line, text }) => `${line} ${text}`)).toEqual([
      "1 first",
      "3 second",
      "4 third\nfourth\ngoes on"
    ])
    expect(strings.map(({ text }) => text)).toEqual([
      "https://example.com",
      "a /* no comment */ ",
      "inner ",
      "",
      "// none",
      " end"
    ])
  })
})
