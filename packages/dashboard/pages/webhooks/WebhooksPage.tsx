import type { CreateWebhook, Webhook } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { textIn } from "../ui/forms.ts"
import { Empty, Remote } from "../ui/Remote.tsx"
import { ShownOnce } from "../ui/ShownOnce.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { chosenEvents, WebhookStatus } from "./webhookEvents.tsx"
import { WebhookFields, webhookFields } from "./WebhookFields.tsx"

/** Creates a webhook, and then shows its secret, which no later answer has. */
const Create = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: (given: CreateWebhook) => api.webhooks.create(given),
    onSuccess: () => client.invalidateQueries({ queryKey: ["webhooks"] })
  })
  const { data, error } = create
  if (data !== undefined)
    return (
      <ShownOnce
        title="Webhook created"
        label="The secret that signs its requests"
        value={data.secret ?? ""}
        hint="Store it where the receiver can read it."
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title="Create a webhook"
      label="Create"
      doing="Creating…"
      isPending={create.isPending}
      error={error}
      fields={webhookFields}
      onClose={onClose}
      onSubmit={(form) => {
        create.mutate({
          name: textIn(form, "name"),
          url: textIn(form, "url"),
          subscribed_events: chosenEvents(form)
        })
      }}
    >
      <WebhookFields error={error} />
    </FormDialog>
  )
}

/** The webhooks of the account. */
export const WebhooksPage = () => {
  const { can, formats } = useSession()
  const [isCreating, setCreating] = useState(false)
  const webhooks = useQuery({ queryKey: ["webhooks"], queryFn: ({ signal }) => api.webhooks.list({ signal }) })
  const columns: ReadonlyArray<Column<Webhook>> = [
    {
      name: "Name",
      cell: ({ id, name, url }) => (
        <div className="grid max-w-xs">
          <Link to="/webhooks/$id" params={{ id: String(id) }} className="text-accent font-medium underline">
            <bdi>{name}</bdi>
          </Link>
          <span className="text-muted truncate text-xs">{url}</span>
        </div>
      )
    },
    { name: "Status", cell: ({ status }) => <WebhookStatus status={status} /> },
    {
      name: "Events",
      cell: ({ subscribed_events: events }) => formats.number(events.length),
      isNumber: true,
      isExtra: true
    },
    {
      name: "Failures in a row",
      cell: ({ consecutive_failures: failures }) => formats.number(failures),
      isNumber: true
    },
    {
      name: "Last delivery",
      cell: ({ last_delivery_at: at }) => (at === null ? "Never" : <Time at={at} />),
      isExtra: true
    }
  ]
  return (
    <Page
      title="Webhooks"
      hint="Frontdesk sends a signed request to each webhook when something happens to a call or an appointment."
      actions={
        can("can_write_webhooks") && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create a webhook
          </Button>
        )
      }
    >
      <Card>
        <Remote query={webhooks}>
          {({ webhooks: rows }) =>
            rows.length === 0 ? (
              <Empty title="No webhooks yet">
                {can("can_write_webhooks")
                  ? "Create one, and a program of yours learns of calls and appointments as they happen."
                  : "An editor or an owner of the account can create one."}
              </Empty>
            ) : (
              <Table label="Webhooks" columns={columns} rows={rows} keyOf={({ id }) => id} />
            )
          }
        </Remote>
      </Card>
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  )
}
