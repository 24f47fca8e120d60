import { AccountId } from "@frontdesk/core/access/Account"
import {
  type ContextType,
  type ContextVariable,
  VariableId,
  type VariableScalar,
  type VariableType
} from "@frontdesk/core/variable/ContextVariable"
import type { CreateVariable } from "@frontdesk/core/variable/VariableInput"
import type { Json } from "effect/Schema"
import * as fc from "fast-check"

/** All variable types. */
export const variableTypes: ReadonlyArray<VariableType> = ["text", "number", "date", "boolean", "select"]

/** Generates a name of a variable that no rule refuses, for both context types (C-2.4-1). */
export const variableName = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom("__proto__", "constructor", "_", "a", "plan", "zip_code", "2nd_floor"),
    fc
      .string({ unit: fc.constantFrom("a", "b", "z", "0", "9", "_"), minLength: 1, maxLength: 64 })
      .map((name) => (name.startsWith("business_") ? `x${name.slice(1)}` : name))
  )

/** Generates options of a `select` variable that no rule refuses. */
export const selectOptions = (): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.uniqueArray(
    fc.oneof(
      fc.constantFrom("gold", "Gold", "1", "true", "__proto__"),
      fc.string({ maxLength: 8 }).map((text) => `o${text}`)
    ),
    { minLength: 1, maxLength: 5 }
  )

/** Generates a variable definition. */
export const contextVariable = (
  options: {
    readonly id?: VariableId
    readonly accountId?: AccountId
    readonly type?: VariableType
    readonly contextType?: ContextType
    readonly isDefault?: boolean
  } = {}
): fc.Arbitrary<ContextVariable> =>
  fc
    .tuple(fc.constantFrom(...(options.type === undefined ? variableTypes : [options.type])), selectOptions())
    .chain(([variableType, choices]) =>
      fc.record({
        id: fc.constant(options.id ?? VariableId.make(1)),
        accountId: fc.constant(options.accountId ?? AccountId.make(1)),
        teamId: fc.constant(null),
        name: variableName(),
        displayName: fc.string({ maxLength: 20 }).map((text) => `D${text}`),
        description: fc.option(fc.string({ maxLength: 20 })),
        variableType: fc.constant(variableType),
        contextType: fc.constantFrom<ContextType>(
          ...(options.contextType === undefined ? (["contact", "business"] as const) : [options.contextType])
        ),
        isDefault: fc.constant(options.isDefault ?? false),
        selectOptions: fc.constant(variableType === "select" ? choices : null)
      })
    )

/** Generates a new variable definition that no rule refuses. */
export const variableCreate = (
  options: { readonly contextType?: ContextType; readonly type?: VariableType } = {}
): fc.Arbitrary<CreateVariable> =>
  contextVariable(options).map(({ name, displayName, description, variableType, contextType, selectOptions }) => ({
    name,
    displayName,
    description,
    variableType,
    contextType,
    selectOptions
  }))

/** A value that a variable accepts, with its canonical form. */
export interface AcceptedValue {
  readonly value: Json
  readonly canonical: VariableScalar
}

const same = (value: VariableScalar): AcceptedValue => ({ value, canonical: value })

const cased = (word: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: word.length, maxLength: word.length }).map((upper) =>
    word
      .split("")
      .map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter))
      .join("")
  )

const finite = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number))
)

const two = (value: number): string => String(value).padStart(2, "0")

/** Generates the text of a date that exists. */
export const dateText = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([year, month, day]) => `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`)

/** Generates the text of a date and time that exists, with `Z`, an offset or neither. */
export const dateTimeText = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      dateText(),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.constantFrom("", ":00", ":59", ":30.5", ":30.123456"),
      fc.constantFrom("", "Z", "+00:00", "-04:00", "+05:30")
    )
    .map(([date, hour, minute, rest, offset]) => `${date}T${two(hour)}:${two(minute)}${rest}${offset}`)

/** Generates a value that a variable of the type accepts (C-2.4-8), with its canonical form. */
export const acceptedValue = (
  type: VariableType,
  options: { readonly selectOptions?: ReadonlyArray<string> | null } = {}
): fc.Arbitrary<AcceptedValue> => {
  const accepted: Readonly<Record<VariableType, () => fc.Arbitrary<AcceptedValue>>> = {
    text: () => fc.string().map(same),
    number: () =>
      fc.oneof(
        finite.map(same),
        finite.map((number) => ({ value: String(number), canonical: number })),
        fc.nat({ max: 9_999 }).map((number) => ({ value: `00${number}.50E+2`, canonical: (number + 0.5) * 100 }))
      ),
    date: () => fc.oneof(dateText(), dateTimeText()).map(same),
    boolean: () =>
      fc
        .boolean()
        .chain((canonical) =>
          fc
            .oneof(
              fc.constantFrom<Json>(canonical, canonical ? 1 : 0, canonical ? "1" : "0"),
              cased(canonical ? "true" : "false"),
              cased(canonical ? "yes" : "no")
            )
            .map((value) => ({ value, canonical }))
        ),
    select: () => fc.constantFrom(...(options.selectOptions ?? [""])).map(same)
  }
  return accepted[type]()
}

/** A template with its pieces. A piece is a text without braces, or a name with the placeholder as written. */
export interface TemplatePieces {
  readonly template: string
  readonly pieces: ReadonlyArray<{ readonly text: string } | { readonly name: string; readonly written: string }>
}

/** Generates a template, with its pieces. */
export const template = (options: { readonly names?: ReadonlyArray<string> } = {}): fc.Arbitrary<TemplatePieces> => {
  const name = options.names === undefined ? variableName() : fc.constantFrom(...options.names)
  const text = fc.string({ maxLength: 10 }).map((value) => ({ text: value.replace(/[{}]/g, "$") }))
  const space = fc.constantFrom("", " ", "  ")
  const placeholder = fc
    .tuple(name, space, space)
    .map(([name, before, after]) => ({ name, written: `{{${before}${name}${after}}}` }))
  return fc.array(fc.oneof(text, placeholder), { maxLength: 12 }).map((pieces) => ({
    template: pieces.map((piece) => ("text" in piece ? piece.text : piece.written)).join(""),
    pieces
  }))
}

/** Generates text with many braces: placeholders, parts of placeholders, and text that only looks like one. */
export const braces = (): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom("{", "}", "{{", "}}", "a", " ", "{{a}}", "{{ b }}", "\n", "$&"), { maxLength: 30 })
    .map((parts) => parts.join(""))
