import { useState } from "react"
import { type Permission, useSession } from "../app/Session.tsx"
import { Checkbox } from "../ui/Field.tsx"

const groups: ReadonlyArray<{
  readonly name: string
  readonly permissions: { readonly [P in Permission]?: string }
}> = [
  {
    name: "Read",
    permissions: {
      can_read_account: "See the account, its balance, statistics and connected calendars",
      can_read_agents: "See agents",
      can_read_audit: "See the audit log",
      can_read_calendar: "See appointments, free times and tasks given up",
      can_read_calls: "See calls with their transcripts and recordings",
      can_read_contacts: "See contacts and variables, and change the details of contacts",
      can_read_webhooks: "See webhooks and what was sent to them"
    }
  },
  {
    name: "Write",
    permissions: {
      can_write_agents: "Create, change and delete agents",
      can_write_calendar: "Book, change and cancel appointments, and retry tasks given up",
      can_write_calls: "Start calls and hang them up",
      can_write_contacts: "Create, import and delete contacts, and change variables",
      can_write_webhooks: "Create, change, test and delete webhooks"
    }
  },
  {
    name: "Manage",
    permissions: {
      can_manage_account: "Change the settings of the account and connect calendars",
      can_manage_keys: "Create, replace and revoke API keys",
      can_manage_people: "Invite, change and remove people, and sign them out"
    }
  }
]

/** What each permission permits. */
const texts: ReadonlyMap<string, string> = new Map(groups.flatMap(({ permissions }) => Object.entries(permissions)))

/** The permissions of a key in words. */
export const PermissionList = ({ permissions }: { readonly permissions: ReadonlyArray<Permission> }) => {
  const { formats } = useSession()
  if (permissions.length === 0) return "None"
  if (permissions.length >= texts.size) return "Everything"
  return (
    <details>
      <summary className="w-max">
        {permissions.length === 1 ? "1 permission" : `${formats.number(permissions.length)} permissions`}
      </summary>
      <ul className="text-muted mt-1 grid max-w-64 min-w-48 list-disc gap-1 pl-4 text-xs">
        {permissions.map((permission) => (
          <li key={permission}>{texts.get(permission) ?? permission}</li>
        ))}
      </ul>
    </details>
  )
}

/** A permission that a key can have. */
type KeyPermission = Exclude<Permission, "can_operate">

/** Returns the permissions that are chosen in a form, of those that the person has. No key can have that of the operator. */
export const chosenPermissions = (form: FormData, own: ReadonlyArray<Permission>): ReadonlyArray<KeyPermission> => {
  const grantable = own.filter((permission): permission is KeyPermission => permission !== "can_operate")
  if (form.get("extent") === "all") return grantable
  const chosen = new Set(form.getAll("permission"))
  return grantable.filter((permission) => chosen.has(permission))
}

/** The choice of permissions in a form. Nobody can give a key what they lack. */
export const PermissionChoice = ({ problem }: { readonly problem: string | undefined }) => {
  const { caller } = useSession()
  const [isAll, setAll] = useState(false)
  const own = new Set<string>(caller.permissions)
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">What the key may do</legend>
      <Checkbox
        type="radio"
        name="extent"
        value="all"
        checked={isAll}
        onChange={() => setAll(true)}
        label="Everything I may"
      />
      <Checkbox
        type="radio"
        name="extent"
        value="some"
        checked={!isAll}
        onChange={() => setAll(false)}
        label="Only what I choose"
      />
      {!isAll && (
        <div className="border-line grid gap-4 border-l pl-4">
          {groups.map(({ name, permissions }) => {
            const offered = Object.entries(permissions).filter(([permission]) => own.has(permission))
            return (
              offered.length > 0 && (
                <fieldset key={name} className="grid gap-2">
                  <legend className="text-muted mb-1 text-xs font-medium">{name}</legend>
                  {offered.map(([permission, text]) => (
                    <Checkbox key={permission} name="permission" value={permission} label={text} />
                  ))}
                </fieldset>
              )
            )
          })}
        </div>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
