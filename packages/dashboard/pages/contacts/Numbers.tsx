import type { Contact, ContactPhoneNumber, PatchContact } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Fragment, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { StartCall } from "../calls/StartCall.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Checkbox, Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { nameOf } from "./contactForm.tsx"
import { numberOf } from "./phoneNumbers.ts"
import { words } from "../ui/formats.ts"
import { rawTextIn } from "../ui/forms.ts"
import { Card } from "../ui/Page.tsx"
import { problemOf } from "../ui/Problem.tsx"

type NumberPatch = NonNullable<PatchContact["phone_numbers"]>[number]

/** Returns what a form changes about a number. The API needs the number itself in each case. */
const patchOf = (form: FormData, number: ContactPhoneNumber | null): NumberPatch => {
  const phone = numberOf(rawTextIn(form, "phone_number"))
  const type = rawTextIn(form, "phone_type").trim()
  const [primary, doNotCall] = [form.get("primary") !== null, form.get("do_not_call") !== null]
  return {
    phone_number: phone,
    ...(number !== null && { id: number.id }),
    ...(type !== (number?.phone_type ?? "") && { phone_type: type === "" ? null : type }),
    // A number stops being the first choice only when another becomes it.
    ...(primary && number?.primary !== true && { primary }),
    ...(doNotCall !== (number?.do_not_call ?? false) && { do_not_call: doNotCall })
  }
}

/** Changes a number of a contact, or adds one. */
const EditNumber = ({
  contactId,
  number,
  onClose
}: {
  readonly contactId: number
  /** Null for a new number. */
  readonly number: ContactPhoneNumber | null
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (patch: NumberPatch) => api.contacts.patch(contactId, { phone_numbers: [patch] }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["contacts"] })
      onClose()
    }
  })
  const { error } = change
  return (
    <FormDialog
      title={number === null ? "Add a number" : "Change the number"}
      label="Save"
      doing="Saving…"
      isPending={change.isPending}
      error={error}
      fields={["phone_numbers", "phone_numbers[0].phone_type"]}
      onClose={onClose}
      onSubmit={(form) => {
        change.mutate(patchOf(form, number))
      }}
    >
      <Field
        label="Phone number"
        name="phone_number"
        type="tel"
        required
        autoComplete="off"
        defaultValue={number?.phone_number}
        placeholder="+12025550123"
        hint="With the country code, as in +12025550123."
        problem={problemOf(error, "phone_numbers[0].phone_number") ?? problemOf(error, "phone_numbers")}
      />
      <Field
        label="Kind"
        name="phone_type"
        maxLength={50}
        defaultValue={number?.phone_type ?? ""}
        placeholder="mobile"
        problem={problemOf(error, "phone_numbers[0].phone_type")}
      />
      {number?.primary === true ? (
        <p className="text-muted">This is the primary number. It stays so until another becomes it.</p>
      ) : (
        <Checkbox name="primary" label="Primary number, which templates use" />
      )}
      <Checkbox
        name="do_not_call"
        defaultChecked={number?.do_not_call}
        label="Do not call. Calls to this number are refused."
      />
    </FormDialog>
  )
}

/** Removes a number from a contact, after a question. */
const RemoveNumber = ({ contact, number }: { readonly contact: Contact; readonly number: ContactPhoneNumber }) => {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.contacts.deletePhoneNumber(contact.id, number.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["contacts"] })
  })
  return (
    <Confirm
      label="Remove"
      about={number.phone_number}
      doing="Removing…"
      title={`Remove ${number.phone_number}?`}
      onConfirm={() => remove.mutateAsync()}
    >
      <p>
        The contact no longer has this number.
        {number.primary &&
          contact.phone_numbers.length > 1 &&
          " The first of its other numbers becomes the primary one."}
        {number.do_not_call && " The number stays on the do-not-call list."}
      </p>
    </Confirm>
  )
}

/** The other contacts that have a number, and what that means for calls. */
const OtherContacts = ({ contactId, number }: { readonly contactId: number; readonly number: string }) => {
  const query = { phone_number: number, limit: 5 }
  const found = useQuery({
    queryKey: ["contacts", "list", query],
    queryFn: ({ signal }) => api.contacts.list(query, { signal })
  })
  const others = found.data?.contacts.filter(({ id }) => id !== contactId) ?? []
  if (others.length === 0) return null
  return (
    <div className="bg-warn-ground text-warn grid w-full gap-1 rounded-md px-3 py-2 text-sm">
      <p>
        Also the number of{" "}
        {others.map((other, index) => (
          <Fragment key={other.id}>
            {index > 0 && ", "}
            <Link to="/contacts/$id" params={{ id: String(other.id) }} className="underline">
              <bdi>{nameOf(other)}</bdi>
            </Link>
          </Fragment>
        ))}
        .
      </p>
      <p>
        A call from this number has no contact, because it may be any of them. A call that is started here has this
        contact.
      </p>
    </div>
  )
}

/** The numbers of a contact, each with a way to call it. */
export const Numbers = ({ canEdit, contact }: { readonly contact: Contact; readonly canEdit: boolean }) => {
  const { can } = useSession()
  const [edited, setEdited] = useState<ContactPhoneNumber | "new" | null>(null)
  const [called, setCalled] = useState<string | null>(null)
  return (
    <Card
      title="Phone numbers"
      actions={
        canEdit && (
          <Button aria-label="Add a phone number" onClick={() => setEdited("new")}>
            Add
          </Button>
        )
      }
    >
      {contact.phone_numbers.length === 0 ? (
        <p className="text-muted p-4">There are none.</p>
      ) : (
        <ul>
          {contact.phone_numbers.map((number) => (
            <li
              key={number.id}
              className="border-line flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5 last:border-b-0"
            >
              <div className="grid justify-items-start gap-1">
                <span className="whitespace-nowrap tabular-nums">{number.phone_number}</span>
                <span className="text-muted flex flex-wrap gap-1.5 text-xs">
                  {number.phone_type !== null && number.phone_type !== "" && <bdi>{words(number.phone_type)}</bdi>}
                  {number.primary && <Badge>Primary</Badge>}
                  {number.do_not_call && <Badge tone="warn">Do not call</Badge>}
                </span>
              </div>
              <div className="flex flex-wrap gap-2">
                {can("can_write_calls") && !number.do_not_call && (
                  <Button aria-label={`Call ${number.phone_number}`} onClick={() => setCalled(number.phone_number)}>
                    Call
                  </Button>
                )}
                {canEdit && (
                  <Button aria-label={`Change ${number.phone_number}`} onClick={() => setEdited(number)}>
                    Change
                  </Button>
                )}
                {can("can_write_contacts") && <RemoveNumber contact={contact} number={number} />}
              </div>
              <OtherContacts contactId={contact.id} number={number.phone_number} />
            </li>
          ))}
        </ul>
      )}
      {edited !== null && (
        <EditNumber contactId={contact.id} number={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
      {called !== null && (
        <StartCall to={{ phoneNumber: called, contactId: contact.id }} onClose={() => setCalled(null)} />
      )}
    </Card>
  )
}
