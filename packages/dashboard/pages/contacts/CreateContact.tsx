import type { CreateContact as NewContact } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { numberOf } from "./phoneNumbers.ts"
import { changesOf, contactFields, ContactFields } from "./contactForm.tsx"

/** Creates a contact, and then shows its page. */
export const CreateContact = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: (contact: NewContact) => api.contacts.create(contact),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ["contacts", "list"] })
      onClose()
      await navigate({ to: "/contacts/$id", params: { id: String(id) }, ignoreBlocker: true })
    }
  })
  const { error } = create
  const [isNobody, setNobody] = useState(false)
  return (
    <FormDialog
      title="Create a contact"
      label="Create"
      doing="Creating…"
      isPending={create.isPending}
      error={error}
      fields={["phone_numbers[0]", ...contactFields]}
      onClose={onClose}
      onSubmit={(form) => {
        const number = numberOf(rawTextIn(form, "phone_number"))
        const contact = { ...changesOf(form), ...(number !== "" && { phone_numbers: [{ phone_number: number }] }) }
        const isNobody = Object.keys(contact).length === 0
        setNobody(isNobody)
        if (!isNobody) create.mutate(contact)
      }}
    >
      <Field
        label="Phone number"
        name="phone_number"
        type="tel"
        autoComplete="off"
        autoFocus
        placeholder="+12025550123"
        hint="With the country code, as in +12025550123. More numbers can follow later."
        problem={
          isNobody ? "Write a number, a name or something else of the contact." : problemOf(error, "phone_numbers[0]")
        }
      />
      <ContactFields error={error} />
    </FormDialog>
  )
}
