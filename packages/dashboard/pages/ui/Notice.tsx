import type { ReactNode } from "react"

/** Says what an action has done, or nothing for null. It always exists, so that screen readers notice when it changes. */
export const Notice = ({ children }: { readonly children: ReactNode }) => (
  <p
    role="status"
    className={children === null ? "sr-only" : "bg-good-ground text-good rounded-md px-3 py-2 text-sm break-words"}
  >
    {children}
  </p>
)
