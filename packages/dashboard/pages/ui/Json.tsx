import { Preformatted } from "./Preformatted.tsx"

/** A JSON document as text. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <Preformatted>{JSON.stringify(value, null, 2)}</Preformatted>
)
