import { FrontdeskApiError } from "@frontdesk/client"
import { textOf } from "../app/api.ts"
import { Button } from "./Button.tsx"
import { plainWords } from "./plainWords.ts"

/** Says why an action has failed, or why a part of a page is missing, which can then be asked for again. */
export const Problem = ({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) =>
  error === null || error === undefined ? null : (
    <div role="alert" className="bg-bad-ground text-bad grid justify-items-start gap-2 rounded-md px-3 py-2 text-sm">
      <p className="wrap-anywhere">{textOf(error)}</p>
      {onAgain !== undefined && <Button onClick={onAgain}>Try again</Button>}
    </div>
  )

/** Returns what the API says of a field, which is the first of its details for the field or a part of it. */
export const detailOf = (error: unknown, field: string): FrontdeskApiError["details"][number] | undefined =>
  error instanceof FrontdeskApiError
    ? error.details.find(
        (detail) =>
          detail.field === field || detail.field.startsWith(`${field}.`) || detail.field.startsWith(`${field}[`)
      )
    : undefined

/** Returns the problem of a field that the API has named, as the sentence below the field. */
export const problemOf = (error: unknown, field: string): string | undefined => {
  const detail = detailOf(error, field)
  return detail === undefined ? undefined : plainWords(detail.message)
}
