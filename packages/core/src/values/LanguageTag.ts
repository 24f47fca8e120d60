import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** A language of two or three letters, and further subtags. Every registered language is that short. */
const form = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/u

const description = "a BCP 47 language tag, for example en or pt-BR"

/** Returns a tag in its canonical form, such as `pt-BR` for `pt-br`. Returns undefined for any other text. */
const canonicalOf = (text: string): string | undefined => {
  if (!form.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    // A subtag that is not allowed in its place, or is there twice.
    return undefined
  }
}

/** Returns whether a text is a tag in its canonical form. */
const isCanonical = (text: string): boolean =>
  // The default. Loading the data of Intl would delay the start of every program.
  text === "en" || canonicalOf(text) === text

/**
 * A language as a tag of BCP 47, which `Intl` accepts, for example `en` or `pt-BR`. Decoding converts a tag to its
 * canonical form, so `pt-br` becomes `pt-BR`.
 */
export const LanguageTag = Schema.String.check(Schema.isPattern(form, { description }), Schema.isMaxLength(100)).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.makeFilter(isCanonical, { identifier: "LanguageTag", description })).pipe(
      Schema.brand("LanguageTag")
    ),
    SchemaTransformation.transform({
      decode: (text: string) => canonicalOf(text) ?? text,
      encode: (text: string) => text
    })
  )
)

/** A language as a tag of BCP 47. */
export type LanguageTag = typeof LanguageTag.Type
