import type { CalendarEvent, Contact } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { ContactChoice } from "../contacts/ContactChoice.tsx"
import { nameOf, primaryOf } from "../contacts/contactForm.tsx"
import { Checkbox, Field, Select, TextField } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { problemOf } from "../ui/Problem.tsx"
import { eventStatuses, eventTypes } from "./eventValues.ts"

interface Fields {
  /** Null for a new event. */
  readonly event: CalendarEvent | null
  readonly error: unknown
}

/** An option of a choice. */
interface Named {
  readonly id: number
  readonly name: string
}

/** Returns the options with the one that is stored, which may no longer be among them. */
const withStored = (options: ReadonlyArray<Named>, stored: Named | null | undefined): ReadonlyArray<Named> =>
  stored === null || stored === undefined || options.some(({ id }) => id === stored.id) ? options : [stored, ...options]

const Choice = ({
  error,
  hint,
  label,
  name,
  options,
  stored
}: {
  readonly label: string
  readonly name: string
  readonly hint: string
  readonly options: ReadonlyArray<Named>
  readonly stored: Named | null | undefined
  readonly error: unknown
}) => (
  <Select
    label={label}
    name={name}
    defaultValue={String(stored?.id ?? "")}
    hint={hint}
    problem={problemOf(error, name)}
  >
    <option value="">None</option>
    {withStored(options, stored).map(({ id, name: shown }) => (
      <option key={id} value={id}>
        {shown}
      </option>
    ))}
  </Select>
)

/** The agent and the team of an event. */
const Owners = ({ error, event }: Fields) => {
  const { account, can } = useSession()
  const agents = useQuery({
    queryKey: ["agents", "active"],
    queryFn: ({ signal }) => api.agents.list({ archived: false }, { signal }),
    enabled: can("can_read_agents")
  })
  const team = event?.team
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {can("can_read_agents") && (
        <Choice
          label="Agent"
          name="ai_agent_id"
          hint="The agent that the event belongs to."
          options={agents.data?.agents ?? []}
          stored={event?.ai_agent}
          error={error}
        />
      )}
      {withStored(account.teams, team).length > 0 && (
        <Choice
          label="Team"
          name="team_id"
          hint="The accounts of the team see the event too."
          options={account.teams}
          stored={team}
          error={error}
        />
      )}
    </div>
  )
}

const Kind = ({ error, event }: Fields) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Select
      label="Type"
      name="event_type"
      defaultValue={event?.event_type ?? "appointment"}
      problem={problemOf(error, "event_type")}
    >
      {eventTypes.map((type) => (
        <option key={type} value={type}>
          {words(type)}
        </option>
      ))}
    </Select>
    <Select
      label="Status"
      name="status"
      defaultValue={event?.status ?? "scheduled"}
      problem={problemOf(error, "status")}
    >
      {eventStatuses
        .filter((status) => status !== "cancelled" || event?.status === "cancelled")
        .map((status) => (
          <option key={status} value={status}>
            {words(status)}
          </option>
        ))}
    </Select>
  </div>
)

/** Who the event is with. A contact that is chosen fills the fields, which can still be changed. */
const Customer = ({ error, event }: Fields) => {
  const { can } = useSession()
  const [contactId, setContactId] = useState("")
  const [customer, setCustomer] = useState({
    name: event?.customer.name ?? "",
    phone: event?.customer.phone ?? "",
    email: event?.customer.email ?? ""
  })
  const choose = (contact: Contact | null) => {
    setContactId(String(contact?.id ?? ""))
    if (contact === null) return
    setCustomer({
      name: nameOf(contact),
      phone: primaryOf(contact)?.phone_number ?? "",
      email: contact.email ?? ""
    })
  }
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-sm font-semibold">Customer</legend>
      {can("can_read_contacts") && (
        <div className="sm:col-span-2">
          <ContactChoice chosen={contactId} onChoose={choose} hint="Fills name, number and address." />
        </div>
      )}
      <Field
        label="Name"
        name="customer_name"
        maxLength={255}
        autoComplete="off"
        value={customer.name}
        onChange={({ target }) => setCustomer({ ...customer, name: target.value })}
        problem={problemOf(error, "customer_name")}
      />
      <Field
        label="Phone number"
        name="customer_phone"
        type="tel"
        maxLength={50}
        autoComplete="off"
        value={customer.phone}
        onChange={({ target }) => setCustomer({ ...customer, phone: target.value })}
        problem={problemOf(error, "customer_phone")}
      />
      <Field
        label="E-mail address"
        name="customer_email"
        type="email"
        maxLength={254}
        autoComplete="off"
        value={customer.email}
        onChange={({ target }) => setCustomer({ ...customer, email: target.value })}
        problem={problemOf(error, "customer_email")}
      />
      <TextField
        label="Notes"
        name="customer_notes"
        rows={3}
        maxLength={10_000}
        hint="What the people of the account should know. It is in no mail."
        defaultValue={event?.customer.notes}
        problem={problemOf(error, "customer_notes")}
      />
    </fieldset>
  )
}

const Place = ({ error, event }: Fields) => (
  <fieldset className="grid gap-4 sm:grid-cols-2">
    <legend className="mb-2 text-sm font-semibold">Place</legend>
    <Field
      label="Location"
      name="location"
      maxLength={1_000}
      defaultValue={event?.location ?? ""}
      problem={problemOf(error, "location")}
    />
    <Field
      label="Video link"
      name="video_conference_url"
      type="url"
      maxLength={2_048}
      placeholder="https://"
      defaultValue={event?.video_conference_url}
      problem={problemOf(error, "video_conference_url")}
    />
    <Field
      label="Video service"
      name="video_conference_provider"
      maxLength={100}
      defaultValue={event?.video_conference_provider}
      problem={problemOf(error, "video_conference_provider")}
    />
    <div className="self-end py-2">
      <Checkbox
        name="has_video_conference"
        label="Takes place as a video conference"
        defaultChecked={event?.has_video_conference ?? false}
      />
    </div>
  </fieldset>
)

const Reminder = ({ error, event }: Fields) => {
  const [isEnabled, setEnabled] = useState(event?.is_reminder_enabled ?? false)
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-sm font-semibold">Reminder</legend>
      <div className="py-2 sm:self-end">
        <Checkbox
          name="is_reminder_enabled"
          label="Remind of the event"
          checked={isEnabled}
          onChange={({ target: { checked } }) => setEnabled(checked)}
        />
      </div>
      <Field
        label="Minutes before the start"
        name="remind_before_minutes"
        type="number"
        required
        min={0}
        max={40_320}
        readOnly={!isEnabled}
        defaultValue={event?.remind_before_minutes ?? 30}
        problem={problemOf(error, "remind_before_minutes")}
      />
    </fieldset>
  )
}

/** The fields of an event in a form, without its title and times. */
export const EventFields = (fields: Fields) => (
  <>
    <Kind {...fields} />
    <Customer {...fields} />
    <Place {...fields} />
    <TextField
      label="Description"
      name="description"
      rows={3}
      maxLength={10_000}
      hint="The customer sees it in the invitation."
      defaultValue={fields.event?.description}
      problem={problemOf(fields.error, "description")}
    />
    <Reminder {...fields} />
    <Owners {...fields} />
  </>
)

/** The choices of a write that are not a part of the event. */
export const WriteOptions = () => (
  <div className="grid gap-2">
    <Checkbox
      name="require_available"
      defaultChecked
      label="Only if the time is free: within the working hours, with no other event"
    />
    <Checkbox name="send_notifications" defaultChecked label="Tell the customer by e-mail" />
    <Checkbox name="sync_external_calendars" defaultChecked label="Copy it to the connected calendars" />
  </div>
)
