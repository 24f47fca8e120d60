import type { Contact, PatchContact } from "@frontdesk/client"
import type { ComponentProps } from "react"
import { useSession } from "../app/Session.tsx"
import { Field, Select, TextField } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"

/** Returns what a contact is called: its name, or else the first other thing that tells who it is. */
export const nameOf = (contact: Pick<Contact, "company" | "email" | "full_name" | "id" | "phone_numbers">): string =>
  contact.full_name ||
  contact.company ||
  contact.email ||
  contact.phone_numbers[0]?.phone_number ||
  `Contact ${contact.id}`

/** Returns the primary number of a contact. */
export const primaryOf = ({ phone_numbers: numbers }: Pick<Contact, "phone_numbers">) =>
  numbers.find(({ primary }) => primary)

/** The texts of a contact that have one line each. The address may have several. */
const lines = {
  first_name: { label: "First name", maxLength: 100 },
  last_name: { label: "Last name", maxLength: 100 },
  email: { label: "E-mail address", maxLength: 254, type: "email" },
  company: { label: "Company", maxLength: 200 },
  website: { label: "Website", maxLength: 2_048, type: "url", placeholder: "https://example.com" },
  city: { label: "City", maxLength: 100 },
  state: { label: "State or province", maxLength: 100 },
  zip_code: { label: "Postal code", maxLength: 20 },
  country: { label: "Country", maxLength: 100 }
} as const satisfies Partial<Record<keyof Contact, ComponentProps<"input"> & { readonly label: string }>>

type Line = keyof typeof lines

/* oxlint-disable-next-line typescript/no-unsafe-type-assertion
   -- The keys of a constant are known. */
const lineNames = Object.keys(lines) as ReadonlyArray<Line>

/** The fields of a contact that {@link ContactFields} shows, and below which it shows their problems. */
export const contactFields = [...lineNames, "status", "stage", "team_id", "address", "tags"] as const

/** A choice of the list that the account allows, or a field for any text when it allows every text. */
const Label = ({
  error,
  name,
  value
}: {
  readonly name: "stage" | "status"
  readonly value: string | undefined
  readonly error: unknown
}) => {
  const { account } = useSession()
  const allowed = name === "status" ? account.contact_statuses : account.contact_stages
  const problem = problemOf(error, name)
  if (allowed === null)
    return <Field label={words(name)} name={name} maxLength={50} defaultValue={value} problem={problem} />
  // A stored label that the list does not have stays until it is changed.
  const options = value === undefined || allowed.includes(value) ? allowed : [value, ...allowed]
  return (
    <Select label={words(name)} name={name} defaultValue={value ?? ""} problem={problem}>
      {value === undefined && <option value="">As usual</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  )
}

/** The fields of a contact in a form, without its numbers and contexts. */
export const ContactFields = ({ contact, error }: { readonly contact?: Contact; readonly error: unknown }) => {
  const { account } = useSession()
  const team = contact?.team ?? null
  const teams =
    team === null || account.teams.some(({ id }) => id === team.id) ? account.teams : [team, ...account.teams]
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {lineNames.map((name) => (
          <Field
            key={name}
            name={name}
            {...lines[name]}
            autoComplete="off"
            defaultValue={contact?.[name] ?? ""}
            problem={problemOf(error, name)}
          />
        ))}
        <Label name="status" value={contact?.status} error={error} />
        <Label name="stage" value={contact?.stage} error={error} />
        {teams.length > 0 && (
          <Select
            label="Team"
            name="team_id"
            defaultValue={String(team?.id ?? "")}
            problem={problemOf(error, "team_id")}
          >
            <option value="">None</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
      <TextField
        label="Address"
        name="address"
        rows={2}
        maxLength={500}
        defaultValue={contact?.address ?? ""}
        problem={problemOf(error, "address")}
      />
      <TextField
        label="Tags"
        name="tags"
        rows={3}
        hint="One tag in each line."
        defaultValue={contact?.tags.join("\n") ?? ""}
        problem={tagProblem(error) ?? problemOf(error, "tags")}
      />
    </>
  )
}

/** The API names the tag with the problem, as in `tags[2]`, and all tags share one field. */
const tagProblem = (error: unknown): string | undefined => {
  for (let index = 0; index < 100; index += 1) {
    const found = problemOf(error, `tags[${index}]`)
    if (found !== undefined) return `Tag ${index + 1}: ${found}`
  }
  return undefined
}

/** Returns a text of a form, or undefined when the form has no such field. */
const given = (form: FormData, name: string): string | undefined => (form.has(name) ? rawTextIn(form, name) : undefined)

/** A field for one line leaves out the line ends of its value, so a form cannot have changed them. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, "")

/** Returns what a form changes about a contact. For a new contact it is what the form has. */
export const changesOf = (form: FormData, contact?: Contact): PatchContact => {
  const texts = [...lineNames, "address" as const].flatMap((name) => {
    const before = contact?.[name] ?? ""
    const after = given(form, name)
    const isSame = after === (name === "address" ? before.replaceAll("\r\n", "\n") : oneLine(before))
    return after === undefined || isSame ? [] : [[name, after === "" ? null : after] as const]
  })
  const labels = (["status", "stage"] as const).flatMap((name) => {
    const after = given(form, name)
    return after === undefined || after === oneLine(contact?.[name] ?? "") ? [] : [[name, after] as const]
  })
  const team = given(form, "team_id")
  const tags = given(form, "tags")
  return {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(labels),
    ...(team !== undefined &&
      team !== String(contact?.team?.id ?? "") && { team_id: team === "" ? null : Number(team) }),
    ...(tags !== undefined &&
      tags !== (contact?.tags.join("\n") ?? "") && {
        tags: tags
          .split("\n")
          .map((tag) => tag.trim())
          .filter((tag) => tag !== "")
      })
  }
}
