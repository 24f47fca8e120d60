/** The filters of a list and the number of its page, as the address has them. */
export type Filters<Name extends string> = { readonly [N in Name]?: string | undefined } & {
  readonly page?: number | undefined
}

/** Returns a function that reads the filters with these names from an address. Everything else in it is left out. */
export const filters =
  <const Name extends string>(...names: ReadonlyArray<Name>) =>
  (search: Readonly<Record<string, unknown>>): Filters<Name> => {
    const found: Record<string, unknown> = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === "string" && value !== "") found[name] = value
      // A text that looks like a number or a truth value is read as one.
      else if (typeof value === "number" || typeof value === "boolean") found[name] = String(value)
    }
    const page = Number(search["page"])
    if (Number.isInteger(page) && page > 1) found["page"] = page
    /* oxlint-disable-next-line typescript/no-unsafe-type-assertion
       -- The loop has made the fields one by one. */
    return found as Filters<Name>
  }

/** Returns the value of a filter from a field. An empty field is no filter. */
export const filterIn = (text: string): string | undefined => (text === "" ? undefined : text)
