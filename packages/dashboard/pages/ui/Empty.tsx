import type { ReactNode } from "react"

/** What a list shows that has no rows. */
export const Empty = ({ children, title }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="grid justify-items-center gap-2 px-4 py-12 text-center">
    <p className="font-medium">{title}</p>
    {children !== undefined && <div className="text-muted max-w-prose text-sm text-balance">{children}</div>}
  </div>
)
