import type { Contact, ContactsListQuery } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type ComponentProps, useState } from "react"
import { api } from "../app/api.ts"
import { filterIn } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button, buttonLook } from "../ui/Button.tsx"
import { Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { TextFilter } from "../ui/TextFilter.tsx"
import { nameOf, primaryOf } from "./contactForm.tsx"
import { CreateContact } from "./CreateContact.tsx"
import { ExportContacts } from "./ExportContacts.tsx"
import { ImportContacts } from "./ImportContacts.tsx"
import { Imports } from "./Imports.tsx"

const route = getRouteApi("/contacts")

type Filter = "phone_number" | "search" | "stage" | "status" | "tag"

const useFilter = () => {
  const navigate = route.useNavigate()
  return (name: Filter, value: string) =>
    void navigate({
      search: (current) => ({ ...current, page: undefined, [name]: filterIn(value) }),
      replace: true
    })
}

/** A filter for a text. */
const NamedFilter = ({
  name,
  ...field
}: { readonly name: Filter } & Omit<ComponentProps<typeof TextFilter>, "name" | "onFilter" | "value">) => {
  const filter = useFilter()
  const { [name]: value } = route.useSearch()
  return <TextFilter name={name} maxLength={254} {...field} value={value} onFilter={(text) => filter(name, text)} />
}

/** A filter for a status or stage: a choice where the account has a list of them. */
const LabelFilter = ({ name }: { readonly name: "stage" | "status" }) => {
  const filter = useFilter()
  const { account } = useSession()
  const { [name]: value } = route.useSearch()
  const allowed = name === "status" ? account.contact_statuses : account.contact_stages
  if (allowed === null) return <NamedFilter name={name} label={words(name)} />
  return (
    <Select label={words(name)} value={value ?? ""} onChange={({ target }) => filter(name, target.value)}>
      <option value="">Any</option>
      {(value === undefined || allowed.includes(value) ? allowed : [value, ...allowed]).map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Select>
  )
}

const Filters = () => (
  <div role="search" className="grid grid-cols-2 gap-3 p-4 md:grid-cols-3 xl:grid-cols-5">
    <div className="col-span-2 md:col-span-1">
      <NamedFilter name="search" type="search" label="Name, e-mail or company" />
    </div>
    <NamedFilter name="phone_number" type="tel" label="Phone number" placeholder="+12025550123" />
    <NamedFilter name="tag" label="Tag" />
    <LabelFilter name="status" />
    <LabelFilter name="stage" />
  </div>
)

/** The contacts of the account, with filters that are a part of the address. */
export const ContactsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can, formats } = useSession()
  const [open, setOpen] = useState<"create" | "export" | "import" | null>(null)
  const close = () => setOpen(null)
  const query: ContactsListQuery = { ...search, limit: 25 }
  const contacts = useQuery({
    queryKey: ["contacts", "list", query],
    queryFn: ({ signal }) => api.contacts.list(query, { signal }),
    placeholderData: keepPreviousData
  })
  const isFiltered = Object.keys(search).some((name) => name !== "page")

  const columns: ReadonlyArray<Column<Contact>> = [
    {
      name: "Name",
      cell: (contact) => (
        <div className="grid max-w-60 min-w-24">
          <Link
            to="/contacts/$id"
            params={{ id: String(contact.id) }}
            className="text-accent line-clamp-2 font-medium break-words underline"
          >
            <bdi>{nameOf(contact)}</bdi>
          </Link>
          {contact.full_name !== "" && contact.company !== null && (
            <bdi className="text-muted truncate text-xs">{contact.company}</bdi>
          )}
        </div>
      )
    },
    {
      name: "Number",
      cell: (contact) => {
        const number = primaryOf(contact)
        if (number === undefined) return "–"
        return (
          <span className="flex flex-wrap items-center gap-x-2 whitespace-nowrap">
            {number.phone_number}
            {number.do_not_call && <Badge tone="warn">Do not call</Badge>}
          </span>
        )
      }
    },
    {
      name: "E-mail",
      cell: ({ email }) => (email === null ? "–" : <bdi className="block max-w-56 truncate">{email}</bdi>),
      isExtra: true
    },
    { name: "Status", cell: ({ status }) => <bdi>{status}</bdi>, isExtra: true },
    { name: "Stage", cell: ({ stage }) => <bdi>{stage}</bdi>, isExtra: true },
    {
      name: "Last call",
      cell: ({ last_call_date: at }) =>
        at === null ? "Never" : <span className="whitespace-nowrap">{formats.time(at)}</span>,
      isExtra: true
    }
  ]

  return (
    <Page
      title="Contacts"
      actions={
        <>
          <Link to="/contacts/do-not-call" className={buttonLook()}>
            Do-not-call list
          </Link>
          <Button onClick={() => setOpen("export")}>Export</Button>
          {can("can_write_contacts") && (
            <>
              <Button onClick={() => setOpen("import")}>Import</Button>
              <Button kind="primary" onClick={() => setOpen("create")}>
                Create a contact
              </Button>
            </>
          )}
        </>
      }
    >
      <Card>
        <Filters />
        <div className="border-line border-t">
          <Remote query={contacts}>
            {({ contacts: rows, count, page, pages }) => (
              <PagedTable
                label="Contacts"
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                count={formats.counted(count, "contact", "contacts")}
                page={page}
                pages={pages}
                onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
                empty={
                  <Empty title={isFiltered ? "No contact has all of these" : "No contacts yet"}>
                    {isFiltered ? (
                      <Link to="/contacts" className="text-accent underline">
                        Show all contacts
                      </Link>
                    ) : can("can_write_contacts") ? (
                      "Create one, or import a file of them."
                    ) : (
                      "They appear here when a person with another role adds them, or when an agent does."
                    )}
                  </Empty>
                }
              />
            )}
          </Remote>
        </div>
      </Card>
      {can("can_write_contacts") && <Imports />}
      {open === "create" && <CreateContact onClose={close} />}
      {open === "export" && <ExportContacts isFiltered={isFiltered} onClose={close} />}
      {open === "import" && <ImportContacts onClose={close} />}
    </Page>
  )
}
