import type { Member } from "@frontdesk/client"
import type { ComponentProps } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Select } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { Card, Facts } from "../ui/Page.tsx"

export type Role = Member["role"]

const roles: { readonly [R in Role]: string } = {
  viewer: "Sees calls, contacts, the calendar, agents and webhooks. Changes nothing.",
  editor: "Sees and changes calls, contacts, the calendar, agents and webhooks.",
  owner: "Does everything, also API keys, people, the settings of the account and the audit log."
}

const names = ["viewer", "editor", "owner"] as const satisfies ReadonlyArray<Role>

/** Returns the role with a name, as a form has it. */
export const roleOf = (value: FormDataEntryValue | null): Role => names.find((one) => one === value) ?? "viewer"

/** The choice of a role in a form. */
export const RoleField = (props: Omit<ComponentProps<typeof Select>, "label" | "name">) => (
  <Select label="Role" name="role" {...props}>
    {names.map((role) => (
      <option key={role} value={role}>
        {words(role)}
      </option>
    ))}
  </Select>
)

export const RoleBadge = ({ role }: { readonly role: Role }) => (
  <Badge tone={role === "owner" ? "info" : "plain"}>{words(role)}</Badge>
)

/** What each role may do. */
export const Roles = () => (
  <Card title="Roles">
    <Facts facts={names.toReversed().map((role) => [words(role), roles[role]] as const)} />
    <p className="text-muted px-4 pb-4">Everybody can give others only what they may do themselves.</p>
  </Card>
)
