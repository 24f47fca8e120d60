import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { api } from "../app/api.ts"
import { nameOf } from "../contacts/contactForm.tsx"
import { Field, Select, TextField } from "../ui/Field.tsx"
import { Card } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { useBusinessContext } from "./BusinessContext.tsx"
import { lookupIn, type Piece, piecesOf } from "./template.ts"

const example = "Hello {{first_name}}, this is {{business_company_name}}."

const PieceText = ({ piece }: { readonly piece: Piece }) => {
  if (piece.kind === "text") return piece.text
  if (piece.kind === "value")
    return (
      <bdi className="bg-info-ground text-info rounded px-0.5" title={piece.name}>
        {piece.text}
      </bdi>
    )
  return (
    <mark className="bg-bad-ground text-bad rounded px-0.5">
      <bdi>{`{{${piece.name}}}`}</bdi>
    </mark>
  )
}

/** The contact whose values a preview has. The list has those that a search finds. */
const ContactChoice = ({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (id: string) => void }) => {
  const [search, setSearch] = useState("")
  const text = useDeferredValue(search.trim())
  const query = { limit: 20, ...(text !== "" && { search: text }) }
  const found = useQuery({
    queryKey: ["contacts", "list", query],
    queryFn: async ({ signal }) => {
      // A search begins when the person pauses, and not with each letter.
      await new Promise((resolve) => setTimeout(resolve, 250))
      signal.throwIfAborted()
      return await api.contacts.list(query, { signal })
    },
    placeholderData: keepPreviousData
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
        value={search}
        placeholder="Name, e-mail or company"
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="grid gap-1" aria-live="polite">
        <Select
          label="Contact"
          value={chosen}
          hint={
            count === 0 && found.isSuccess
              ? "No contact is found."
              : count > rows.length
                ? `The first ${rows.length} of ${count}. Search to see others.`
                : undefined
          }
          onChange={({ target }) => onChoose(target.value)}
        >
          <option value="">None</option>
          {listed.map((contact) => (
            <option key={contact.id} value={contact.id}>
              {nameOf(contact)}
            </option>
          ))}
        </Select>
      </div>
      <Problem error={found.error} />
    </div>
  )
}

/** A contact of a list may lack large fields, so the chosen one is read alone. */
const useContact = (id: string) =>
  useQuery({
    queryKey: ["contacts", id],
    queryFn: ({ signal }) => api.contacts.get(id, { signal }),
    enabled: id !== ""
  })

/** A template with the values of a contact and of the business in place of its names, as a call would have it. */
export const TemplatePreview = () => {
  const [template, setTemplate] = useState(example)
  const [id, setId] = useState("")
  const contact = useContact(id)
  const business = useBusinessContext()
  const isReady = business.data !== undefined && (id === "" || contact.data !== undefined)
  const pieces = isReady
    ? piecesOf(template, lookupIn(id === "" ? null : (contact.data ?? null), business.data.variables))
    : null
  const missing = [...new Set(pieces?.flatMap((piece) => (piece.kind === "missing" ? [piece.name] : [])))]
  return (
    <Card title="Try a template">
      <div className="grid gap-4 p-4">
        <ContactChoice chosen={id} onChoose={setId} />
        <TextField
          label="Template"
          rows={4}
          value={template}
          spellCheck={false}
          hint="Names in double braces are replaced: those of the contact as they are, those of the business with business_ before them. A call can have further variables of its own."
          onChange={({ target }) => setTemplate(target.value)}
        />
        <div className="grid gap-1">
          <p className="text-sm font-medium">With the values</p>
          <div
            aria-live="polite"
            className="bg-raised min-h-9 rounded-md px-3 py-2 text-sm break-words whitespace-pre-wrap"
          >
            {pieces === null ? "Loading…" : pieces.map((piece, index) => <PieceText key={index} piece={piece} />)}
          </div>
          {missing.length > 0 && (
            <p className="text-bad text-sm">
              Without a value: <bdi>{missing.join(", ")}</bdi>. In a call they are left out.
            </p>
          )}
        </div>
        <Problem error={contact.error ?? business.error} />
      </div>
    </Card>
  )
}
