import type { ApiKey } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { words } from "../ui/formats.ts"
import { Card, Page } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, WholeTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { CreateKey, graceOf, RevokeKey, RotateKey } from "./keyDialogs.tsx"
import { PermissionList } from "./keyPermissions.tsx"

const tones: { readonly [Status in ApiKey["status"]]: Tone } = { active: "good", expired: "warn", revoked: "plain" }

/** Returns keys that work before others, and newer ones before older ones. */
const sorted = (keys: ReadonlyArray<ApiKey>): ReadonlyArray<ApiKey> =>
  keys.toSorted(
    (one, other) => Number(other.status === "active") - Number(one.status === "active") || other.id - one.id
  )

/** The API keys of the account. */
export const KeysPage = () => {
  const { caller, can, formats } = useSession()
  const [opened, setOpened] = useState<
    { readonly action: "create" } | { readonly action: "rotate" | "revoke"; readonly apiKey: ApiKey } | null
  >(null)
  const close = () => setOpened(null)
  const keys = useQuery({ queryKey: ["api-keys"], queryFn: ({ signal }) => api.apiKeys.list({ signal }) })
  const canManage = can("can_manage_keys")
  const own = new Set(caller.permissions)
  const columns: ReadonlyArray<Column<ApiKey>> = [
    {
      name: "Name",
      cell: ({ name, prefix }) => (
        <div className="grid max-w-60 min-w-28">
          <bdi className="font-medium break-words">{name}</bdi>
          <code className="text-muted font-mono text-xs">{prefix}…</code>
        </div>
      )
    },
    {
      name: "Status",
      cell: (key) => {
        const grace = graceOf(key)
        return (
          <div className="grid max-w-48 justify-items-start gap-0.5">
            <Badge tone={tones[key.status]}>{words(key.status)}</Badge>
            {key.revoked_at !== null && (
              <span className="text-muted text-xs">
                <Time at={key.revoked_at} />
              </span>
            )}
            {grace !== null && (
              <span className="text-muted text-xs">
                previous value works until <Time at={grace} />
              </span>
            )}
          </div>
        )
      }
    },
    { name: "May do", cell: ({ permissions }) => <PermissionList permissions={permissions} /> },
    { name: "Last used", cell: ({ last_used_at: at }) => (at === null ? "Never" : <Time at={at} />) },
    { name: "Expires", cell: ({ expires_at: at }) => (at === null ? "Never" : <Time at={at} />) },
    { name: "Created", cell: ({ created_at: at }) => <span className="whitespace-nowrap">{formats.date(at)}</span> },
    ...(canManage
      ? [
          {
            name: "Actions",
            cell: (key: ApiKey) =>
              key.status !== "revoked" && (
                <div className="flex flex-wrap gap-2 xl:flex-nowrap">
                  {key.status === "active" && key.permissions.every((permission) => own.has(permission)) && (
                    <Button
                      aria-label={`Replace the value of ${key.name}`}
                      onClick={() => setOpened({ action: "rotate", apiKey: key })}
                    >
                      Replace
                    </Button>
                  )}
                  <Button
                    kind="danger"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setOpened({ action: "revoke", apiKey: key })}
                  >
                    Revoke
                  </Button>
                </div>
              )
          }
        ]
      : [])
  ]
  return (
    <Page
      title="API keys"
      hint="A program uses the API with a key. The value of a key is shown once, when it is created or replaced."
      actions={
        canManage && (
          <Button kind="primary" onClick={() => setOpened({ action: "create" })}>
            Create an API key
          </Button>
        )
      }
    >
      <Card>
        <Remote query={keys}>
          {({ api_keys: rows }) => (
            <WholeTable
              label="API keys"
              columns={columns}
              rows={sorted(rows)}
              keyOf={({ id }) => id}
              counted={(count) => formats.counted(count, "key", "keys")}
              empty={
                <Empty title="No API keys yet">
                  {canManage
                    ? "Create one to use the API from a program."
                    : "An owner of the account can create one, where this dashboard is not read-only."}
                </Empty>
              }
            />
          )}
        </Remote>
      </Card>
      {opened?.action === "create" && <CreateKey onClose={close} />}
      {opened?.action === "rotate" && <RotateKey apiKey={opened.apiKey} onClose={close} />}
      {opened?.action === "revoke" && <RevokeKey apiKey={opened.apiKey} onClose={close} />}
    </Page>
  )
}
