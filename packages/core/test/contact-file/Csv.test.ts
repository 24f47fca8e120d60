import { describe, expect, it } from "@effect/vitest"
import * as Csv from "@frontdesk/core/contact-file/Csv"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as fc from "fast-check"

const whole = { separator: ",", isLast: true, maxRecords: 100 }

const cellsOf = (text: string, separator = ",") =>
  Csv.read(text, 0, { ...whole, separator }).records.map(({ cells }) => cells)

describe("Csv (RFC 4180, D-IMP-2)", () => {
  it("read returns the cells of each record, with CRLF, LF and CR as line ends", () => {
    expect(cellsOf("a,b\r\nc,d\ne\rf,")).toEqual([["a", "b"], ["c", "d"], ["e"], ["f", ""]])
    expect(cellsOf("")).toEqual([])
    expect(cellsOf("\r\n\r\n")).toEqual([[""], [""]])
    expect(cellsOf("a;b,c\td", ";")).toEqual([["a", "b,c\td"]])
  })

  it("read returns separators, line ends and doubled quotes of a quoted cell", () => {
    expect(cellsOf('"a,b","c\r\nd","e""f",""')).toEqual([["a,b", "c\r\nd", 'e"f', ""]])
  })

  it("read takes a quote inside a cell without quotes literally", () => {
    expect(cellsOf('5" pipe,a')).toEqual([['5" pipe', "a"]])
  })

  it("read marks a record as malformed with text behind a closing quote or without a closing quote", () => {
    expect(Csv.read('"a"b,c\nd', 0, whole).records).toEqual([
      { cells: ["ab", "c"], isMalformed: true },
      { cells: ["d"], isMalformed: false }
    ])
    expect(Csv.read('a,"b\nc', 0, whole).records).toEqual([{ cells: ["a", "b\nc"], isMalformed: true }])
  })

  it("read stops after maxRecords and before a record that more text could change", () => {
    expect(Csv.read("a\nb\nc", 0, { ...whole, maxRecords: 2 })).toMatchObject({ records: [{}, {}], offset: 4 })
    const open = { ...whole, isLast: false }
    for (const text of ["a", "a\r", '"a', '"a"', "a,", '"a""']) expect(Csv.read(text, 0, open).offset).toBe(0)
    expect(Csv.read("a\r\nb", 0, open).offset).toBe(3)
  })

  it("law: a text that is read in parts gives the same records as the whole text, wherever it is cut", () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "😀", '"', '""', ",", "\r", "\n", "\r\n", "'", "="), { maxLength: 40 })
      .map((pieces) => pieces.join(""))
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        (csv, at, max) => {
          const records: Array<Csv.CsvRecord> = []
          let offset = 0
          for (const end of [...at.toSorted((a, b) => a - b), csv.length]) {
            while (true) {
              const isLast = end >= csv.length
              const found = Csv.read(csv.slice(0, end), offset, { separator: ",", isLast, maxRecords: max })
              records.push(...found.records)
              offset = found.offset
              if (found.records.length === 0) break
            }
          }
          expect(offset).toBe(csv.length)
          expect(records).toEqual(Csv.read(csv, 0, { ...whole, maxRecords: 1_000 }).records)
        }
      ),
      { numRuns: 2_000, seed: 1 }
    )
  })

  it("law: read returns the cells that write has written, with the apostrophe of escape", () => {
    const cell = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc
        .array(fc.constantFrom('"', ",", "\r", "\n", " ", "'", "=", "+", "-", "@", "\t", "a"))
        .map((all) => all.join(""))
    )
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const { offset, records } = Csv.read(Csv.write(cells), 0, whole)
        expect(records).toEqual([{ cells: cells.map(Csv.escape), isMalformed: false }])
        expect(records[0]?.cells.map(Csv.unescape)).toEqual(cells)
        expect(offset).toBe(Csv.write(cells).length)
      }),
      { numRuns: 2_000, seed: 2 }
    )
  })

  it("escape adds an apostrophe to what a spreadsheet takes for a formula, and unescape removes only that (D-IMP-4)", () => {
    for (const text of ["=1+1", "+4930", "-1", "@a", "\t=1", "\r=1", "＝1", "", "'a"]) {
      expect(Csv.escape(text)).toBe(`'${text}`)
      expect(Csv.unescape(`'${text}`)).toBe(text)
    }
    for (const text of ["a=1", " =1", "1"]) expect(Csv.escape(text)).toBe(text)
    expect(Csv.unescape("'a")).toBe("'a")
    expect(Csv.write(["a", null, "", " b"])).toBe('a,,\'," b"\r\n')
  })
})
