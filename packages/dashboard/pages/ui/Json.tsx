/** A JSON document as text. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <pre className="bg-raised max-h-80 overflow-auto rounded-md p-3 font-mono text-xs" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
)
