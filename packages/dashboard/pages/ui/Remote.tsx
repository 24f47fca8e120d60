import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { isMissing, problemsOf } from "../app/api.ts"
import { Button } from "./Button.tsx"
import { Missing, useListOfRecord } from "./Missing.tsx"
import { ProblemText } from "./Problem.tsx"

export { Empty } from "./Empty.tsx"

/** What is shown while a part of a page loads. It takes the place of the part, so that the page does not jump. */
const Loading = () => (
  <div className="grid gap-3 p-4" role="status">
    <span className="sr-only">Loading</span>
    {["w-2/3", "w-1/2", "w-3/5"].map((width) => (
      <div key={width} className={`bg-raised h-4 animate-pulse rounded ${width}`} />
    ))}
  </div>
)

/** Says that the record of the page does not exist, or why a query has failed. */
const Failed = ({ missing, query }: { readonly query: UseQueryResult<unknown>; readonly missing: ReactNode }) => {
  const list = useListOfRecord()
  if (isMissing(query.error)) {
    if (missing !== undefined) return missing
    if (list !== undefined) return <Missing list={list} />
  }
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

/** Shows what a query has answered, that it loads, that the record does not exist, or why the query has failed. */
export function Remote<A>({
  children,
  missing,
  query
}: {
  readonly query: UseQueryResult<A>
  /** What is shown when the record does not exist, if it is not the record of the page. */
  readonly missing?: ReactNode
  readonly children: (data: A) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  return <Failed query={query} missing={missing} />
}
