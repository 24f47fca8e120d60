import { useMutation } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { base } from "../app/base.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { nameOf } from "./calendarProviders.ts"

/** Sends the browser to Google or Microsoft, where the person grants access. It returns to this page. */
export const ConnectOAuth = ({
  onClose,
  provider
}: {
  readonly provider: "google" | "outlook"
  readonly onClose: () => void
}) => {
  const begin = useMutation({
    mutationFn: (calendar: string) =>
      api.externalCalendars.beginAuthorization({
        provider,
        return_url: `${base}/settings/calendars`,
        ...(calendar !== "" && { calendar })
      }),
    onSuccess: ({ authorization_url: url }) => window.location.assign(url)
  })
  const owner = provider === "google" ? "Google" : "Microsoft"
  const isLeaving = begin.isPending || begin.isSuccess
  return (
    <Dialog title={`Connect ${nameOf(provider)}`} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          begin.mutate(rawTextIn(new FormData(event.currentTarget), "calendar").trim())
        }}
      >
        <p>{owner} asks whether Frontdesk may use the calendar, and then leads back to this page.</p>
        <Field
          label="Calendar (optional)"
          name="calendar"
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          hint={`The ID of a calendar at ${owner}. Empty: the main calendar of the person who grants access.`}
          problem={problemOf(begin.error, "calendar")}
        />
        <FormProblem error={begin.error} fields={["calendar"]} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isLeaving}>
            {isLeaving ? `Going to ${owner}…` : `Go to ${owner}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
