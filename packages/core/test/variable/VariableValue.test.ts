import { describe, expect, it } from "@effect/vitest"
import type { VariableType } from "@frontdesk/core/variable/ContextVariable"
import type { SelectOptions } from "@frontdesk/core/variable/SelectOptions"
import { infer, validate } from "@frontdesk/core/variable/VariableValue"
import { json } from "@frontdesk/testing/arbitrary/contact"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const value = (type: VariableType, given: unknown, options: SelectOptions = null) =>
  Result.getOrElse(validate(type, options, given), () => "invalid")

describe("VariableValue", () => {
  it("a value becomes the canonical form of its variable's type (D-VAL-1)", () => {
    expect(value("number", "42")).toBe(42)
    expect(value("boolean", "yes")).toBe(true)
    expect(value("text", "42")).toBe("42")
    expect(value("date", "2026-03-08")).toBe("2026-03-08")
    expect(value("select", "gold", ["silver", "gold"])).toBe("gold")
    expect(value("select", "cafe\u0301", ["tea", "caf\u00e9"])).toBe("caf\u00e9")
  })

  describe("The values of each type (C-2.4-8)", () => {
    it.each(["", " ", "any string", "\u{1F600}", "a\nb"])("text accepts %j", (given) => {
      expect(value("text", given)).toBe(given)
    })

    it.each([[1], [true], [null], [undefined], [{}], [[]]])("text rejects %j", (given) => {
      expect(value("text", given)).toBe("invalid")
    })

    it.each([
      [0, 0],
      [-1.5, -1.5],
      ["0", 0],
      ["-0", 0],
      ["007", 7],
      ["-12.50", -12.5],
      ["1e3", 1000],
      ["1E+3", 1000],
      ["25e-1", 2.5],
      ["0.1", 0.1],
      ["1e21", 1e21],
      ["9007199254740992", 2 ** 53],
      ["0e-999999999999", 0],
      ["123456789012345000000", 123456789012345000000]
    ])("number accepts %j", (given, canonical) => {
      expect(value("number", given)).toBe(canonical)
    })

    it.each([
      "",
      " 1",
      "1 ",
      "+1",
      ".5",
      "5.",
      "1,000",
      "0x10",
      "1e",
      "1e400",
      "1e-400",
      "12345678901234567890",
      "9007199254740993",
      "0.1000000000000000055511151231257827",
      "-1e400",
      "NaN",
      "Infinity",
      "٣",
      "1_000",
      "1n",
      Infinity,
      NaN,
      true,
      null,
      [1]
    ])("number rejects %j", (given) => {
      expect(value("number", given)).toBe("invalid")
    })

    it.each([true, "true", "TRUE", "yEs", "1", 1])("boolean reads %j as true", (given) => {
      expect(value("boolean", given)).toBe(true)
    })

    it.each([false, "false", "False", "NO", "0", 0])("boolean reads %j as false", (given) => {
      expect(value("boolean", given)).toBe(false)
    })

    it.each(["", "y", "on", " true", "t", "2", 2, -1, 0.5, null, []])("boolean rejects %j", (given) => {
      expect(value("boolean", given)).toBe("invalid")
    })

    it.each([
      "2026-03-08",
      "2024-02-29",
      "2000-02-29",
      "2026-03-08T13:00",
      "2026-03-08T13:00:59",
      "2026-03-08T13:00:00.123Z",
      "2026-03-08T13:00:00-04:00",
      "2026-03-08T02:30:00"
    ])("date accepts %s unchanged", (given) => {
      expect(value("date", given)).toBe(given)
    })

    it.each([
      "",
      "2026-02-29",
      "1900-02-29",
      "2026-13-01",
      "2026-00-10",
      "2026-04-31",
      "2026-3-8",
      "20260308",
      "03/08/2026",
      "2026-03-08 13:00",
      "2026-03-08T24:00",
      "2026-03-08T13:60",
      "2026-02-30T10:00:00Z",
      " 2026-03-08",
      "2026-03-08\n",
      "tomorrow",
      20_260_308,
      null
    ])("date rejects %j", (given) => {
      expect(value("date", given)).toBe("invalid")
    })

    it.each(["Gold", " gold", "", 1, true, null])("a select with the options gold and 1 rejects %j", (given) => {
      expect(value("select", given, ["gold", "1"])).toBe("invalid")
    })

    it("select returns the option that is composed in the same way, when there is one", () => {
      const options = ["caf\u00e9", "cafe\u0301"]
      expect(options.map((option) => value("select", option, options))).toEqual(options)
    })

    it("a select without options rejects every value", () => {
      expect(value("select", "gold", null)).toBe("invalid")
    })
  })

  it.each([
    [true, "boolean"],
    [0, "number"],
    [1.5, "number"],
    ["2026-03-08", "date"],
    ["2026-03-08T13:00:00Z", "date"],
    ["2026-02-30", "text"],
    ["42", "text"],
    ["yes", "text"],
    ["", "text"],
    [null, "none"],
    [{}, "none"],
    [[1], "none"],
    [Infinity, "none"]
  ])("infer(%j) returns %s (D-VAR-10)", (given, type) => {
    expect(Option.getOrElse(infer(given), () => "none")).toBe(type)
  })

  describe("laws", () => {
    const variable = arbitrary.contextVariable()

    it("validate returns the canonical form of every valid value", () => {
      fc.assert(
        fc.property(
          variable.chain((variable) =>
            fc.tuple(fc.constant(variable), arbitrary.acceptedValue(variable.variableType, variable))
          ),
          ([{ variableType, selectOptions }, { value, canonical }]) => {
            expect(Result.getOrThrow(validate(variableType, selectOptions, value))).toBe(canonical)
          }
        )
      )
    })

    it("validate returns a canonical value unchanged", () => {
      fc.assert(
        fc.property(
          variable.chain((variable) =>
            fc.tuple(fc.constant(variable), arbitrary.acceptedValue(variable.variableType, variable))
          ),
          ([{ variableType, selectOptions }, { canonical }]) => {
            expect(Result.getOrThrow(validate(variableType, selectOptions, canonical))).toBe(canonical)
          }
        )
      )
    })

    it("a value is valid for the type that infer returns, and is unchanged", () => {
      const scalar = fc.oneof(json(), fc.string(), arbitrary.dateText(), arbitrary.dateTimeText())
      fc.assert(
        fc.property(scalar, (given) => {
          const type = infer(given)
          if (Option.isSome(type))
            expect(Result.getOrThrow(validate(type.value, null, given))).toEqual(given === 0 ? 0 : given)
          else expect(typeof given).toBe("object")
        })
      )
    })

    it("a select accepts exactly its options", () => {
      fc.assert(
        fc.property(
          arbitrary.selectOptions(),
          fc.oneof(
            fc.string(),
            json(),
            arbitrary.selectOptions().map(([first]) => first)
          ),
          (options, given) => {
            expect(Result.isSuccess(validate("select", options, given))).toBe(
              options.some((option) => option === given)
            )
          }
        )
      )
    })

    it("validate does not throw for any value", () => {
      fc.assert(
        fc.property(fc.constantFrom(...arbitrary.variableTypes), fc.anything(), (type, given) => {
          Result.isResult(validate(type, ["a"], given))
        })
      )
    })
  })
})
