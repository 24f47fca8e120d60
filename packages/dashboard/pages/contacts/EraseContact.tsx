import type { Contact, ContactErasure } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Checkbox } from "../ui/Field.tsx"
import { Facts } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { nameOf } from "./contactForm.tsx"

/** What an erasure does not reach, as sentences for a person. */
const remainders: { readonly [Name in ContactErasure["remaining"][number]]: string } = {
  do_not_call_list: "Numbers on the do-not-call list stay there, so that the person is not called again.",
  sent_webhooks: "Webhooks have sent data of the person before. Ask their receivers to delete it.",
  sent_mails: "Mails that were sent before are in the mailboxes of those who received them.",
  provider_data: "The telephone provider may store recordings and other data. Delete them there.",
  external_calendars: "External calendars have copies of appointments until they are written again.",
  unfinished_imports: "Imports that have not ended may have the person in their files.",
  shared_numbers:
    "Calls and appointments without a contact stay if their number or e-mail address also belongs to another contact, or if the number was withheld.",
  team_answers: "Answers to team mates about the contact are stored for up to 24 hours.",
  backups: "Backups of the database have the data until they are deleted."
}

const Report = ({ report }: { readonly report: ContactErasure }) => {
  const { formats } = useSession()
  return (
    <>
      <p role="status">The contact is erased. This is what was cleared or deleted:</p>
      <div className="border-line rounded-md border">
        <Facts
          facts={[
            ["Calls", formats.number(report.calls)],
            ["Actions of agents", formats.number(report.tool_calls)],
            [
              "Appointments",
              report.future_calendar_events === 0
                ? formats.number(report.calendar_events)
                : `${formats.number(report.calendar_events)}, ${formats.number(report.future_calendar_events)} of them in the future. They stay in the calendar without the person; cancel those that are not needed.`
            ],
            ["Waiting mails", formats.number(report.mails)],
            ["Webhook deliveries", formats.number(report.deliveries)],
            ["Stored answers", formats.number(report.stored_answers)],
            ["Refused lines of imports", formats.number(report.refused_lines)]
          ]}
        />
      </div>
      {report.remaining.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-medium">What it did not reach</h3>
          <ul className="grid list-disc gap-1.5 pl-5">
            {report.remaining.map((name) => (
              <li key={name}>{remainders[name]}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** Erases all data of a person, after the person in front of the page has confirmed it, and then says what was done. */
export const EraseContact = ({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const erase = useMutation({ mutationFn: () => api.contactErasures.erase(contact.id, { confirm: true }) })
  const leave = async () => {
    await navigate({ to: "/contacts" })
    client.removeQueries({ queryKey: ["contacts", String(contact.id)] })
    // Calls, appointments and deliveries have lost texts too.
    await client.invalidateQueries()
  }
  if (erase.data !== undefined)
    return (
      <Dialog title="Erased" onClose={() => void leave()}>
        <Report report={erase.data} />
        <DialogActions>
          <Button kind="primary" onClick={() => void leave()}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title="Erase all personal data?" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          erase.mutate()
        }}
      >
        <p>
          This deletes <bdi className="font-medium">{nameOf(contact)}</bdi> and removes the person from everything else
          that the account stores:
        </p>
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>Calls lose their number, transcript, recording, summary and variables. Their times and charges stay.</li>
          <li>Appointments lose their title and customer. Their times stay, so that the calendar stays right.</li>
          <li>Waiting mails, texts of webhook deliveries and refused lines of imports are deleted.</li>
        </ul>
        <p>
          Nothing can be restored. To keep a copy, export everything first. To remove the contact alone, delete it
          instead.
        </p>
        <Checkbox name="confirm" required label="I understand that this cannot be undone." />
        <Problem error={erase.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={erase.isPending}>
            {erase.isPending ? "Erasing…" : "Erase all data"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
