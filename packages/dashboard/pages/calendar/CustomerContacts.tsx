import type { CalendarEvent, Contact } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../app/api.ts"
import { nameOf } from "../contacts/contactForm.tsx"
import { isWholeNumber } from "../contacts/phoneNumbers.ts"

type Customer = Pick<CalendarEvent["customer"], "email" | "phone">

/** How many contacts with the same number or address are named. */
const maxNamed = 5

/** Returns the contacts that have the number or the e-mail address of a customer. */
const contactsOf = async ({ email, phone }: Customer, signal: AbortSignal): Promise<ReadonlyArray<Contact>> => {
  const [byNumber, byEmail] = await Promise.all([
    isWholeNumber(phone) ? api.contacts.list({ phone_number: phone, limit: maxNamed }, { signal }) : null,
    // The search also finds addresses that only contain this one.
    email === "" ? null : api.contacts.list({ search: email, limit: maxNamed }, { signal })
  ])
  const hasAddress = (contact: Contact) => contact.email?.toLowerCase() === email.toLowerCase()
  const found = [...(byNumber?.contacts ?? []), ...(byEmail?.contacts ?? []).filter(hasAddress)]
  return [...new Map(found.map((contact) => [contact.id, contact])).values()]
}

/** The contacts that have the number or the e-mail address of the customer of an event, as links to their pages. */
export const CustomerContacts = ({ customer: { email, phone } }: { readonly customer: Customer }) => {
  const found = useQuery({
    queryKey: ["contacts", "of-customer", phone, email],
    queryFn: ({ signal }) => contactsOf({ phone, email }, signal)
  })
  if (found.data === undefined) return found.isError ? "Not known at the moment" : "Looking…"
  if (found.data.length === 0) return "No contact has this number or address."
  return (
    <ul>
      {found.data.map((contact) => (
        <li key={contact.id}>
          <Link to="/contacts/$id" params={{ id: String(contact.id) }} className="text-accent underline">
            <bdi>{nameOf(contact)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
