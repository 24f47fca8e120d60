import { useState } from "react"
import { ContactChoice } from "../contacts/ContactChoice.tsx"
import { useContact } from "../contacts/useContact.ts"
import { TextField } from "../ui/Field.tsx"
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
        <ContactChoice chosen={id} onChoose={(chosen) => setId(String(chosen?.id ?? ""))} />
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
