import { describe, expect, it } from "vitest"
import { globalName, instrument } from "../src/Instrument.ts"
import { Switch } from "../src/Switch.ts"

/** Returns "operator: replacement" of every mutant of a program. */
const mutants = (source: string): ReadonlyArray<string> =>
  instrument("rule.ts", source).mutants.map(({ operator, replacement }) => `${operator}: ${replacement}`)

/** Returns the value of an expression without a mutant, and then with each of its mutants. */
const outcomes = (expression: string, a: unknown, b: unknown): ReadonlyArray<unknown> => {
  const { code, mutants } = instrument("rule.ts", `const rule = (a, b) => ${expression}`)
  const mutation = new Switch()
  const rule = compile(code, mutation)
  return [-1, ...mutants.map(({ id }) => id)].map((active) => {
    mutation.active = active
    return rule(a, b)
  })
}

const compile = (code: string, mutation: Switch): ((a: unknown, b: unknown) => unknown) => {
  // oxlint-disable-next-line typescript/no-implied-eval -- Runs the instrumented code.
  const program = new Function(globalName, `${code.replace("globalThis.", "")}\nreturn rule`)
  const made: unknown = Reflect.apply(program, undefined, [mutation])
  if (typeof made !== "function") throw new TypeError("The program has no rule.")
  return (a, b): unknown => Reflect.apply(made, undefined, [a, b])
}

describe("instrument", () => {
  it.each([
    ["a < b", ["comparison: a <= b", "condition: false", "condition: true"]],
    ["a === b", ["condition: false", "condition: true"]],
    ["a + b * 2", ["arithmetic: a - b * 2", "arithmetic: b / 2", "number: 3"]],
    ['"x" + a', ['text: ""']],
    ["a ?? b", ["operand: a", "operand: b"]],
    ["a && b ? 1 : 2", ["operand: a", "operand: b", "condition: false", "condition: true", "number: 2", "number: 3"]],
    ["a?.b", ["optional: a.b"]],
    ["a?.[0]", ["optional: a[0]", "number: 1"]],
    ["!a", ["boolean: a"]],
    ["[a, ...b]", ["removal: ", "removal: "]],
    ["({ a, b: 1, ...c })", ["removal: ", "number: 2", "removal: "]],
    ["a.every(b)", ["method: a.some(b)"]],
    ["a.filter(b)", ["method: a"]],
    ["a.toString()", []],
    ["/^a{2}$/.test(b)", ["pattern: /a{2}$/", "pattern: /^a{2}/", "pattern: /^a{3}$/"]]
  ])("instrument makes the mutants of every operator for %s", (expression, expected) => {
    expect(mutants(`const rule = (a, b, c) => ${expression}`)).toEqual(expected)
  })

  it("instrument removes a statement that is a call or an assignment", () => {
    expect(mutants("f(a)\nlet x = a\nx += b")).toEqual(["removal: ", "arithmetic: x -= b", "removal: "])
  })

  it("instrument does not change types, imports, names and sentences", () => {
    const source = [
      'import * as Schema from "effect/Schema"',
      'type Kind = "a" | "b"',
      'const Id = Schema.Int.pipe(Schema.brand("Id"))',
      'const Kinds = Schema.Literals(["a", "b"])',
      "const Thing = Schema.Struct({ id: Id, kind: Kinds })",
      "const problem = { message: `Expected ${n}` }",
      'const text = "Expected a whole number."'
    ]
    expect(mutants(source.join("\n"))).toEqual([])
  })

  it("a mutant has an effect only while it is active", () => {
    expect(outcomes("a < b", 1, 1)).toEqual([false, true, false, true])
    expect(outcomes("[a, ...b]", 1, [2])).toEqual([[1, 2], [2], [1]])
    expect(outcomes("({ a, b })", 1, 2)).toEqual([{ a: 1, b: 2 }, { b: 2 }, { a: 1 }])
    expect(outcomes("a?.length ?? b", "xy", 3)).toEqual([2, 2, 3, 2])
  })

  it("a statement that begins with a mutant does not continue the line above it", () => {
    const { code, mutants } = instrument("rule.ts", "const rule = (a) => {\n  const x = []\n  x.push(a)\n  return x\n}")
    const mutation = new Switch()
    expect(compile(code, mutation)(1, 2)).toEqual([1])
    mutation.active = mutants.length - 1
    expect(compile(code, mutation)(1, 2)).toEqual([])
  })

  it("a module with a variable or an empty collection is stateful", () => {
    const isStateful = (source: string): boolean => instrument("rule.ts", source).isStateful
    expect(isStateful("const cache = new Map()")).toBe(true)
    expect(isStateful("let count = 0")).toBe(true)
    expect(isStateful('const names = new Set(["a"])\nconst rule = () => new Map()')).toBe(false)
  })

  it("the position of a mutant is its line and column in the source", () => {
    const [mutant] = instrument("rule.ts", "// first\nconst rule = (a) => !a\n").mutants
    expect([mutant?.line, mutant?.column]).toEqual([2, 21])
  })

  it("a loop that a mutant makes endless is stopped after maxRounds", () => {
    const { code, mutants } = instrument("rule.ts", "const rule = (a) => { while (a > 0) a -= 1\n return a }")
    const mutation = new Switch()
    mutation.maxRounds = 1_000
    const endless = mutants.findIndex(({ original, replacement }) => original === "a -= 1" && replacement === "")
    mutation.active = endless
    expect(() => compile(code, mutation)(3, 0)).toThrow("A loop of the mutant does not end.")
  })
})
