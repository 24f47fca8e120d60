/** A JSON document as text. */
export const Json = ({ value }: { readonly value: unknown }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <pre className="bg-raised max-h-80 overflow-auto rounded-md p-3 font-mono text-xs" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
)
