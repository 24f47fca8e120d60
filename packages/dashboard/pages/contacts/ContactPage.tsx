import type { Contact, PatchContact } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { api } from "../app/api.ts"
import { labelOf } from "../app/problemWords.ts"
import { useSession } from "../app/Session.tsx"
import { CallHistory } from "../calls/CallHistory.tsx"
import { StartCall } from "../calls/StartCall.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { download } from "../ui/download.ts"
import { Card, Facts, Page } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"
import { changesOf, contactFields, ContactFields, nameOf, primaryOf } from "./contactForm.tsx"
import { ContextCard } from "./ContextEditor.tsx"
import { EraseContact } from "./EraseContact.tsx"
import { Appointments } from "./Appointments.tsx"
import { Numbers } from "./Numbers.tsx"
import { useContact } from "./useContact.ts"

const route = getRouteApi("/contacts/$id")

const Edit = ({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) => {
  const client = useQueryClient()
  // The form is compared with what it began with, also when the contact is read again meanwhile.
  const [before] = useState(contact)
  const change = useMutation({
    mutationFn: (patch: PatchContact) => api.contacts.patch(before.id, patch),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["contacts"] })
      onClose()
    }
  })
  const { error } = change
  return (
    <FormDialog
      title="Change the contact"
      label="Save"
      doing="Saving…"
      isPending={change.isPending}
      onClose={onClose}
      onSubmit={(form) => {
        const patch = changesOf(form, before)
        if (Object.keys(patch).length === 0) onClose()
        else change.mutate(patch)
      }}
    >
      <ContactFields contact={before} error={error} />
      <FormProblem error={error} fields={contactFields} />
    </FormDialog>
  )
}

const Actions = ({ canEdit, contact }: { readonly contact: Contact; readonly canEdit: boolean }) => {
  const { can } = useSession()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [open, setOpen] = useState<"call" | "edit" | "erase" | null>(null)
  const close = () => setOpen(null)
  const record = useMutation({
    mutationFn: () => api.contactRecords.get(contact.id),
    onSuccess: (found) => download(`contact-${contact.id}.json`, "application/json", [JSON.stringify(found, null, 2)])
  })
  const number = primaryOf(contact)
  return (
    <>
      {can("can_write_calls") && number !== undefined && !number.do_not_call && (
        <Button kind="primary" onClick={() => setOpen("call")}>
          Call
        </Button>
      )}
      {canEdit && <Button onClick={() => setOpen("edit")}>Change</Button>}
      <Button disabled={record.isPending} onClick={() => record.mutate()}>
        {record.isPending ? "Exporting…" : "Export everything"}
      </Button>
      {can("can_write_contacts") && (
        <>
          <Confirm
            label="Delete"
            doing="Deleting…"
            title="Delete this contact?"
            onConfirm={async () => {
              await api.contacts.delete(contact.id)
              await navigate({ to: "/contacts" })
              client.removeQueries({ queryKey: ["contacts", String(contact.id)] })
              await client.invalidateQueries({ queryKey: ["contacts"] })
            }}
          >
            <p>The contact with its numbers and values is deleted. Calls and appointments stay as they are.</p>
            <p>To remove the person from these too, erase all data instead.</p>
          </Confirm>
          <Button kind="danger" onClick={() => setOpen("erase")}>
            Erase all data
          </Button>
        </>
      )}
      <Problem error={record.error} />
      {open === "call" && number !== undefined && (
        <StartCall to={{ phoneNumber: number.phone_number, contactId: contact.id }} onClose={close} />
      )}
      {open === "edit" && <Edit contact={contact} onClose={close} />}
      {open === "erase" && <EraseContact contact={contact} onClose={close} />}
    </>
  )
}

const text = (value: string | null): ReactNode =>
  value === null || value === "" ? "–" : <bdi className="break-words whitespace-pre-wrap">{value}</bdi>

const Detail = ({ canEdit, contact }: { readonly contact: Contact; readonly canEdit: boolean }) => {
  const { can, formats } = useSession()
  const place = [contact.zip_code, contact.city, contact.state, contact.country].filter(Boolean).join(", ")
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Card title="Contact">
          <Facts
            facts={[
              ["Name", text(contact.full_name)],
              ["E-mail", text(contact.email)],
              ["Company", text(contact.company)],
              [
                "Website",
                contact.website === null ? (
                  "–"
                ) : (
                  <a
                    key="website"
                    href={contact.website}
                    target="_blank"
                    rel="noreferrer"
                    className="text-accent break-all underline"
                  >
                    {contact.website}
                  </a>
                )
              ],
              ["Address", text(contact.address)],
              ["Place", text(place)],
              ["Status", text(contact.status)],
              ["Stage", text(contact.stage)],
              ...(contact.team === null ? [] : [["Team", text(contact.team.name)] as const]),
              [
                "Tags",
                contact.tags.length === 0 ? (
                  "None"
                ) : (
                  <ul key="tags" className="flex flex-wrap gap-1.5">
                    {contact.tags.map((tag) => (
                      <li key={tag} className="max-w-full">
                        <Link to="/contacts" search={{ tag }} className="hover:underline">
                          <Badge>
                            <bdi className="block max-w-60 truncate">{tag}</bdi>
                          </Badge>
                        </Link>
                      </li>
                    ))}
                  </ul>
                )
              ],
              ["Last call", contact.last_call_date === null ? "Never" : formats.time(contact.last_call_date)],
              ["Created", formats.time(contact.created_at)],
              ["Changed", formats.time(contact.updated_at)]
            ]}
          />
        </Card>
        <ContextCard
          contact={contact}
          canEdit={canEdit}
          name="custom_context"
          title={labelOf("custom_context")}
          hint="Values of variables, and whatever else agents should know of the contact."
        />
        <ContextCard
          contact={contact}
          canEdit={canEdit}
          name="industry_context"
          title={labelOf("industry_context")}
          hint="Data of the industry, as another program may store it here."
        />
      </div>
      <div className="grid min-w-0 gap-4">
        <Numbers contact={contact} canEdit={canEdit} />
        {can("can_read_calls") && (
          <CallHistory of={{ contact_id: contact.id }} empty="There was no call with this contact yet." />
        )}
        {can("can_read_calendar") && <Appointments contactId={contact.id} />}
      </div>
    </div>
  )
}

/** One contact, with its numbers, values and history. */
export const ContactPage = () => {
  const { id } = route.useParams()
  const { caller } = useSession()
  const contact = useContact(id)
  // The API asks for no more than the permission to read for a change of a contact.
  const canEdit = !caller.is_read_only
  return (
    <Page
      title={contact.data === undefined ? "Contact" : nameOf(contact.data)}
      hint={
        <Link to="/contacts" className="underline">
          All contacts
        </Link>
      }
      actions={contact.data !== undefined && <Actions contact={contact.data} canEdit={canEdit} />}
    >
      <Remote query={contact}>{(found) => <Detail contact={found} canEdit={canEdit} />}</Remote>
    </Page>
  )
}
