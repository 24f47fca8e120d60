import type { CaldavCalendar, ConnectCaldav as Access } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { Problem, problemOf } from "../ui/Problem.tsx"

const title = "Connect iCloud or CalDAV"

/** The calendars that the server has answered with. The person chooses one. */
const Choice = ({
  access,
  calendars,
  onBack,
  onClose
}: {
  readonly access: Access
  readonly calendars: ReadonlyArray<CaldavCalendar>
  readonly onBack: () => void
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const connect = useMutation({
    mutationFn: (calendar: string) => api.externalCalendars.connectCaldav({ ...access, calendar }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["externalCalendars"] })
      onClose()
    }
  })
  const first = calendars.find((calendar) => calendar.is_writable)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate(rawTextIn(new FormData(event.currentTarget), "calendar"))
      }}
    >
      {calendars.length === 0 && <p>The server has no calendar for this user.</p>}
      {calendars.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">Which calendar?</legend>
          {calendars.map(({ is_writable: isWritable, name, url }) => (
            <label key={url} className="border-line flex items-start gap-2 rounded-md border p-3">
              <input
                type="radio"
                name="calendar"
                value={url}
                required
                disabled={!isWritable}
                defaultChecked={url === first?.url}
                className="accent-accent-ground mt-0.5 size-4 shrink-0"
              />
              <span className="grid min-w-0">
                <bdi className="font-medium">{name === "" ? "Without a name" : name}</bdi>
                <span className="text-muted text-xs break-all">{url}</span>
                {!isWritable && <span className="text-warn text-xs">It can only be read, so it cannot be used.</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Problem error={connect.error} />
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" type="submit" disabled={connect.isPending || first === undefined}>
          {connect.isPending ? "Connecting…" : "Connect"}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Connects a calendar on a CalDAV server: first the access to the server, then one of its calendars. */
export const ConnectCaldav = ({ onClose }: { readonly onClose: () => void }) => {
  const find = useMutation({
    mutationFn: async (access: Access) => {
      const answer = await api.externalCalendars.connectCaldav(access)
      // Without a calendar to connect, the server answers with a list.
      return "calendars" in answer ? answer.calendars : []
    }
  })
  const { data, error, variables } = find
  return (
    <Dialog title={title} onClose={onClose}>
      {data !== undefined && variables !== undefined ? (
        <Choice access={variables} calendars={data} onBack={find.reset} onClose={onClose} />
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const url = rawTextIn(form, "url").trim()
            find.mutate({
              username: rawTextIn(form, "username").trim(),
              password: rawTextIn(form, "password"),
              ...(url !== "" && { url })
            })
          }}
        >
          <Field
            label="Server (optional)"
            name="url"
            type="url"
            defaultValue={variables?.url}
            placeholder="https://caldav.example.com"
            hint="Empty: iCloud."
            problem={problemOf(error, "url")}
          />
          <Field
            label="User name"
            name="username"
            required
            maxLength={320}
            autoComplete="off"
            spellCheck={false}
            defaultValue={variables?.username}
            problem={problemOf(error, "username")}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            required
            autoComplete="new-password"
            hint="iCloud needs a password that was made for one app, at account.apple.com."
            problem={problemOf(error, "password")}
          />
          <FormProblem error={error} fields={["url", "username", "password"]} />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" disabled={find.isPending}>
              {find.isPending ? "Looking for calendars…" : "Continue"}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
