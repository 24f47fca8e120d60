/** A text as it is, in lines and spaces of the same width. A long one scrolls by itself, also with the keyboard. */
export const Preformatted = ({ children }: { readonly children: string }) => (
  <pre className="bg-raised max-h-80 overflow-auto rounded-md p-3 font-mono text-xs" tabIndex={0}>
    {children}
  </pre>
)
