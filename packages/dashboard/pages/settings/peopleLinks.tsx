import type { CreateSignInLink, SignInLink } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Button } from "../ui/Button.tsx"
import { Copy } from "../ui/Copy.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { Card } from "../ui/Page.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, WholeTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { RoleBadge, RoleField, roleOf } from "./peopleRoles.tsx"

/** How long a link may work, in minutes. */
const lifetimes = [
  ["15", "15 minutes"],
  ["60", "an hour"],
  ["1440", "a day"],
  ["10080", "7 days"]
] as const

/** A server that knows no public address returns a path, which is one of this page's server. */
const whole = (url: string | null): string => (url === null ? "" : new URL(url, window.location.href).href)

/** Creates a sign-in link for a member, or for a person who is none. The link is shown once. */
export const CreateLink = ({
  member,
  onClose
}: {
  readonly member?: { readonly id: number; readonly name: string }
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const { formats } = useSession()
  const create = useMutation({
    mutationFn: (link: CreateSignInLink) => api.signInLinks.create(link),
    onSuccess: () => client.invalidateQueries({ queryKey: ["signInLinks"] })
  })
  const { data, error } = create
  if (data !== undefined)
    return (
      <Dialog title="Sign-in link created" onClose={onClose}>
        <Copy label="The link" value={whole(data.url)} />
        <p className="text-muted">
          It is shown only now, signs in one person once, and works until {formats.time(data.expires_at)}. Whoever has
          it can sign in, so send it to this person alone.
        </p>
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <FormDialog
      title={member === undefined ? "Create a sign-in link" : `Sign-in link for ${member.name}`}
      label="Create"
      doing="Creating…"
      isPending={create.isPending}
      error={error}
      fields={["name", "role", "expires_in_minutes"]}
      onClose={onClose}
      onSubmit={(form) => {
        const name = rawTextIn(form, "name").trim()
        create.mutate({
          expires_in_minutes: Number(form.get("lifetime")),
          ...(member === undefined
            ? { role: roleOf(form.get("role")), ...(name !== "" && { name }) }
            : { member_id: member.id })
        })
      }}
    >
      {member === undefined && (
        <>
          <p className="text-muted">
            For a person who is not a member. The person can sign in once, and stays signed in for at most 7 days.
          </p>
          <Field
            label="Name (optional)"
            name="name"
            maxLength={200}
            hint="As others see the person, also in the audit log."
            problem={problemOf(error, "name")}
          />
          <RoleField defaultValue="viewer" problem={problemOf(error, "role")} />
        </>
      )}
      <Select
        label="The link works for"
        name="lifetime"
        defaultValue="1440"
        problem={problemOf(error, "expires_in_minutes")}
      >
        {lifetimes.map(([minutes, text]) => (
          <option key={minutes} value={minutes}>
            {text}
          </option>
        ))}
      </Select>
    </FormDialog>
  )
}

const nameOf = ({ name, user_id: user }: SignInLink): string => (name === "" ? (user ?? "Without a name") : name)

/** The sign-in links that nobody has used yet. */
export const Links = () => {
  const { can, formats } = useSession()
  const client = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const [asked, setAsked] = useState<SignInLink | null>(null)
  const mayChange = can("can_manage_people")
  const links = useQuery({ queryKey: ["signInLinks"], queryFn: ({ signal }) => api.signInLinks.list({ signal }) })
  const columns: ReadonlyArray<Column<SignInLink>> = [
    {
      name: "For",
      cell: (link) => (
        <div className="grid">
          <bdi className="font-medium">{nameOf(link)}</bdi>
          <span className="text-muted text-xs">{link.member_id === null ? "Not a member" : "Member"}</span>
        </div>
      )
    },
    { name: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
    { name: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
    { name: "Works until", cell: ({ expires_at: at }) => <Time at={at} /> },
    ...(mayChange
      ? [
          {
            name: "Action",
            cell: (link: SignInLink) => (
              <Button
                kind="danger"
                aria-label={`Delete the link for ${nameOf(link)} that works until ${formats.time(link.expires_at)}`}
                onClick={() => setAsked(link)}
              >
                Delete
              </Button>
            )
          }
        ]
      : [])
  ]
  return (
    <Card
      title="Open sign-in links"
      actions={mayChange && <Button onClick={() => setCreating(true)}>Create a sign-in link</Button>}
    >
      <Remote query={links}>
        {({ links: rows }) => (
          <WholeTable
            label="Open sign-in links"
            pagesLabel="Pages of links"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            counted={(count) => formats.counted(count, "link", "links")}
            empty={<Empty title="No open links">A link signs in one person once. Used links are not listed.</Empty>}
          />
        )}
      </Remote>
      {isCreating && <CreateLink onClose={() => setCreating(false)} />}
      {asked !== null && (
        <ConfirmDialog
          title="Delete this link?"
          label="Delete"
          doing="Deleting…"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await api.signInLinks.delete(asked.id)
            await client.invalidateQueries({ queryKey: ["signInLinks"] })
          }}
        >
          <p>
            <bdi>{nameOf(asked)}</bdi> can no longer sign in with it.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
