import { FrontdeskApiError } from "@frontdesk/client"
import { textOf } from "../app/api.ts"

/** Says why an action has failed. */
export const Problem = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : (
    <p role="alert" className="bg-bad-ground text-bad rounded-md px-3 py-2 text-sm wrap-anywhere">
      {textOf(error)}
    </p>
  )

/** Returns the problem of a field that the API has named, as the sentence below the field. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof FrontdeskApiError
    ? error.details?.find(
        (detail) =>
          detail.field === field || detail.field.startsWith(`${field}.`) || detail.field.startsWith(`${field}[`)
      )?.message
    : undefined
