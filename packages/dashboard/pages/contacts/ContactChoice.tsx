import type { Contact, ContactsListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { api } from "../app/api.ts"
import { Field, Select } from "../ui/Field.tsx"
import { nameOf } from "./contactForm.tsx"
import { isWholeNumber, numberOf } from "./phoneNumbers.ts"
import { useContact } from "./useContact.ts"

/** Returns the filter of the API for a text: a whole phone number, or a part of a name, an e-mail address or a company. */
const filterOf = (text: string): ContactsListQuery =>
  text === "" ? {} : isWholeNumber(numberOf(text)) ? { phone_number: numberOf(text) } : { search: text }

/** Chooses a contact from those that a search finds. */
export const ContactChoice = ({
  chosen,
  hint,
  onChoose
}: {
  /** The id of the contact, or "" for none. */
  readonly chosen: string
  readonly hint?: string
  readonly onChoose: (contact: Contact | null) => void
}) => {
  const [search, setSearch] = useState("")
  const text = useDeferredValue(search.trim())
  const query = { limit: 20, ...filterOf(text) }
  const found = useQuery({
    queryKey: ["contacts", "list", query],
    queryFn: async ({ signal }) => {
      // A search begins when the person pauses, and not with each letter.
      await new Promise((resolve) => setTimeout(resolve, 250))
      signal.throwIfAborted()
      return await api.contacts.list(query, { signal })
    },
    placeholderData: keepPreviousData,
    // A form stays usable without the choice, so its failure asks for no action.
    refetchInterval: ({ state }) => (state.status === "error" ? 10_000 : false)
  })
  const current = useContact(chosen).data
  const rows = found.data?.contacts ?? []
  const listed = current === undefined || rows.some(({ id }) => id === current.id) ? rows : [current, ...rows]
  const count = found.data?.count ?? 0
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field
        label="Find a contact"
        type="search"
        maxLength={254}
        autoComplete="off"
        value={search}
        placeholder="Name, number, e-mail or company"
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="grid gap-1" aria-live="polite">
        <Select
          label="Contact"
          value={chosen}
          hint={
            found.isError
              ? "The contacts cannot be read at the moment. They are asked for again by themselves."
              : count === 0 && found.isSuccess
                ? "No contact is found."
                : count > rows.length
                  ? `The first ${rows.length} of ${count}. Search to see others.`
                  : hint
          }
          onChange={({ target: { value } }) => onChoose(listed.find(({ id }) => String(id) === value) ?? null)}
        >
          <option value="">None</option>
          {listed.map((contact) => (
            <option key={contact.id} value={contact.id}>
              {nameOf(contact)}
            </option>
          ))}
        </Select>
      </div>
    </div>
  )
}
