import type { Account } from "@frontdesk/core/access/Account"
import * as Context from "effect/Context"
import { english } from "./English.ts"
import type { Texts } from "./Texts.ts"

/** The languages that tools can speak. Default: English. A program that adds a language provides its texts. */
export const Languages = Context.Reference<ReadonlyArray<Texts>>("@frontdesk/agent-tools/speech/Languages", {
  defaultValue: () => [english]
})

/**
 * Returns the texts in the language of an account. `de` also counts for an account with `de-CH`. Without texts in its language
 * an account gets those in English.
 */
export const textsOf = (
  languages: ReadonlyArray<Texts>,
  { settings }: { readonly settings: Pick<Account["settings"], "language"> }
): Texts => {
  const wanted = settings.language.toLowerCase()
  const [primary] = wanted.split("-")
  const find = (tag: string | undefined) => languages.find(({ language }) => language.toLowerCase() === tag)
  return find(wanted) ?? find(primary) ?? english
}
