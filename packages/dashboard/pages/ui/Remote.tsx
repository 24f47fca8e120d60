import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { isMissing, problemsOf } from "../app/api.ts"
import { Button } from "./Button.tsx"
import { Card } from "./Page.tsx"
import { ProblemText } from "./Problem.tsx"

/** What is shown while a part of a page loads. It takes the place of the part, so that the page does not jump. */
const Loading = () => (
  <div className="grid gap-3 p-4" role="status">
    <span className="sr-only">Loading</span>
    {["w-2/3", "w-1/2", "w-3/5"].map((width) => (
      <div key={width} className={`bg-raised h-4 animate-pulse rounded ${width}`} />
    ))}
  </div>
)

/** Says that a record does not exist, in place of the record, and leads to its list. */
export const Missing = ({ children, title }: { readonly title: string; readonly children?: ReactNode }) => (
  <Card>
    <Empty title={title}>
      <p>It was deleted, or the address is wrong.</p>
      {children}
    </Empty>
  </Card>
)

/** Shows what a query has answered, or that it loads, or why it has failed. */
export function Remote<A>({
  children,
  missing,
  query
}: {
  readonly query: UseQueryResult<A>
  /** What is shown when the record does not exist. To ask for it again would be of no use. */
  readonly missing?: ReactNode
  readonly children: (data: A) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  if (missing !== undefined && isMissing(query.error)) return missing
  return (
    <div className="grid justify-items-start gap-3 p-4" role="alert">
      <ProblemText error={query.error} />
      {/* A wrong value in the address or a filter stays wrong. */}
      {problemsOf(query.error).length === 0 && (
        <Button onClick={() => void query.refetch()}>{query.isFetching ? "Trying again…" : "Try again"}</Button>
      )}
    </div>
  )
}

/** What a list shows that has no rows. */
export const Empty = ({ children, title }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="grid justify-items-center gap-2 px-4 py-12 text-center">
    <p className="font-medium">{title}</p>
    {children !== undefined && <div className="text-muted max-w-prose text-sm">{children}</div>}
  </div>
)
