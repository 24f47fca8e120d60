import { FrontdeskApiError } from "@frontdesk/client"
import { textOf } from "../app/api.ts"
import { Button } from "./Button.tsx"

/** Says why an action has failed, or why a part of a page is missing, which can then be asked for again. */
export const Problem = ({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) =>
  error === null || error === undefined ? null : (
    <div role="alert" className="bg-bad-ground text-bad grid justify-items-start gap-2 rounded-md px-3 py-2 text-sm">
      <p className="wrap-anywhere">{textOf(error)}</p>
      {onAgain !== undefined && <Button onClick={onAgain}>Try again</Button>}
    </div>
  )

/** Returns the problem of a field that the API has named, as the sentence below the field. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof FrontdeskApiError
    ? error.details?.find(
        (detail) =>
          detail.field === field || detail.field.startsWith(`${field}.`) || detail.field.startsWith(`${field}[`)
      )?.message
    : undefined
