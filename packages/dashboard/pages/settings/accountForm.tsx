import type { Account, PatchAccount } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type ComponentProps, useRef, useState } from "react"
import { api, hasCode } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { Checkbox, Field, Select } from "../ui/Field.tsx"
import { focusProblem, useFocusOnProblem } from "../ui/focusProblem.ts"
import { words } from "../ui/formats.ts"
import { Card } from "../ui/Page.tsx"
import { Problem, problemOf } from "../ui/Problem.tsx"
import { useUnsaved } from "../ui/Unsaved.tsx"
import { ClosedList, languageName, languages, timeIn, timeZones } from "./accountChoices.tsx"
import { changesOf, contactFields, type Draft, draftOf, type Edits, hasProblem, lengthOf } from "./accountDraft.ts"
import { DateOverrides, WorkingHours } from "./accountHours.tsx"

const Minutes = (props: ComponentProps<typeof Field>) => (
  <Field type="number" inputMode="numeric" min={0} max={525_600} step={1} {...props} />
)

interface Part {
  readonly draft: Draft
  readonly error: unknown
  readonly edit: (edits: Edits) => void
}

const General = ({ draft, edit, error }: Part) => {
  const time = timeIn(draft.timeZone)
  const language = languageName(draft.language)
  return (
    <div className="grid gap-4 p-4 sm:grid-cols-2">
      <Field
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        problem={problemOf(error, "name")}
        onChange={({ target }) => edit({ name: target.value })}
      />
      <Field
        label="Language"
        list="account-languages"
        required
        value={draft.language}
        hint={`${language === null ? "Choose a language from the list." : `${language}.`} The tools of the agents answer in it.`}
        problem={problemOf(error, "language")}
        onChange={({ target }) => edit({ language: target.value })}
      />
      <Field
        label="Time zone"
        list="account-time-zones"
        required
        spellCheck={false}
        autoComplete="off"
        value={draft.timeZone}
        hint={time === null ? "Type a city, and choose a zone from the list." : `There it is ${time} now.`}
        problem={problemOf(error, "time_zone")}
        onChange={({ target }) => edit({ timeZone: target.value })}
      />
      <datalist id="account-time-zones">
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </datalist>
      <datalist id="account-languages">
        {languages.map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag)}
          </option>
        ))}
      </datalist>
    </div>
  )
}

/** Returns how long a number of minutes is in days and hours, where that is easier to read. */
const inDays = (minutes: string): string => {
  const length = lengthOf(minutes)
  return length === undefined || Number(minutes) < 60 ? "" : `It is ${length}.`
}

const Booking = ({ draft, edit, error }: Part) => (
  <div className="grid gap-4 p-4 sm:grid-cols-2">
    <Minutes
      label="Minutes between the starts of free times"
      min={1}
      max={1_440}
      value={draft.slotInterval}
      hint="With 30, free times start at 9:00, 9:30, 10:00. Empty: as far apart as the appointment is long."
      problem={problemOf(error, "slot_interval_minutes")}
      onChange={({ target }) => edit({ slotInterval: target.value })}
    />
    <Minutes
      label="Minimum notice in minutes"
      required
      value={draft.minimumNotice}
      hint={`No time sooner than this is offered. ${inDays(draft.minimumNotice)}`}
      problem={problemOf(error, "minimum_notice_minutes")}
      onChange={({ target }) => edit({ minimumNotice: target.value })}
    />
    <Minutes
      label="Minutes kept free before each appointment"
      required
      value={draft.bufferBefore}
      hint="Time to prepare, for example. No free time is offered in it."
      problem={problemOf(error, "buffer_before_minutes")}
      onChange={({ target }) => edit({ bufferBefore: target.value })}
    />
    <Minutes
      label="Minutes kept free after each appointment"
      required
      value={draft.bufferAfter}
      hint="Time to tidy up, for example. No free time is offered in it."
      problem={problemOf(error, "buffer_after_minutes")}
      onChange={({ target }) => edit({ bufferAfter: target.value })}
    />
    <div className="sm:col-span-2">
      <Checkbox
        label="Refuse an appointment that overlaps another one"
        checked={draft.rejectConflicts}
        onChange={({ target }) => edit({ rejectConflicts: target.checked })}
      />
    </div>
  </div>
)

const Contacts = ({ draft, edit, error }: Part) => (
  <div className="grid gap-6 p-4 sm:grid-cols-2">
    <ClosedList
      label="Statuses of contacts"
      what="status"
      lines={draft.contactStatuses}
      problem={problemOf(error, "contact_statuses")}
      onChange={(contactStatuses) => edit({ contactStatuses })}
    />
    <ClosedList
      label="Stages of contacts"
      what="stage"
      lines={draft.contactStages}
      problem={problemOf(error, "contact_stages")}
      onChange={(contactStages) => edit({ contactStages })}
    />
  </div>
)

const Callers = ({ draft, edit, error }: Part) => (
  <div className="grid gap-5 p-4">
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="A person who calls from the number of a contact"
        value={draft.inboundIdentity}
        hint="A caller can forge the number that is shown."
        problem={problemOf(error, "inbound_identity")}
        onChange={({ target }) => edit({ inboundIdentity: target.value === "trusted" ? "trusted" : "number_only" })}
      >
        <option value="number_only">is greeted by name and manages appointments only</option>
        <option value="trusted">is trusted to be the contact</option>
      </Select>
      <Select
        label="A call from an unknown number"
        value={draft.inboundContacts}
        problem={problemOf(error, "inbound_contacts")}
        onChange={({ target }) => edit({ inboundContacts: target.value === "create" ? "create" : "known" })}
      >
        <option value="known">adds no contact</option>
        <option value="create">adds a contact</option>
      </Select>
    </div>
    <fieldset>
      <legend className="mb-2 text-sm font-medium">Agents may change these fields of a contact</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {contactFields.map((field) => (
          <Checkbox
            key={field}
            label={words(field)}
            checked={draft.agentContactFields.includes(field)}
            onChange={({ target }) =>
              edit({
                agentContactFields: target.checked
                  ? [...draft.agentContactFields, field]
                  : draft.agentContactFields.filter((one) => one !== field)
              })
            }
          />
        ))}
      </div>
    </fieldset>
  </div>
)

/** The settings of the account as a form. It saves what was changed, and nothing else. */
export const AccountForm = ({ account }: { readonly account: Account }) => {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [edits, setEdits] = useState<Edits>({})
  const save = useMutation({
    mutationFn: (changes: PatchAccount) => api.account.patch(changes),
    onSuccess: (saved) => {
      client.setQueryData(["account"], saved)
      setEdits({})
    }
  })
  const { error, isPending } = save
  useFocusOnProblem(form, error)

  const changes = changesOf(account, edits)
  const count = Object.keys(changes).length
  const { question } = useUnsaved({ isChanged: count > 0 })
  const part: Part = {
    draft: { ...draftOf(account), ...edits },
    error,
    edit: (more) => setEdits((before) => ({ ...before, ...more }))
  }
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (hasProblem(edits)) focusProblem(form.current)
        else if (count > 0) save.mutate(changes)
      }}
    >
      <fieldset disabled={isPending} className="grid min-w-0 gap-5">
        <Card title="General">
          <General {...part} />
        </Card>
        <Card title="Working hours">
          <p className="text-muted px-4 pt-3">
            Free times are offered within these hours. The end 00:00 is midnight after the day.
          </p>
          <WorkingHours
            hours={part.draft.workingHours}
            error={error}
            onChange={(workingHours) => part.edit({ workingHours })}
          />
        </Card>
        <Card title="Dates with other hours">
          <DateOverrides
            overrides={part.draft.dateOverrides}
            error={error}
            onChange={(dateOverrides) => part.edit({ dateOverrides })}
          />
        </Card>
        <Card title="Booking">
          <Booking {...part} />
        </Card>
        <Card title="Contacts">
          <Contacts {...part} />
        </Card>
        <Card title="Callers and agents">
          <Callers {...part} />
        </Card>
      </fieldset>
      <div aria-live="polite" className="pointer-events-none sticky bottom-0 z-10">
        {count > 0 && (
          <section
            aria-label="Unsaved changes"
            className="border-line bg-card pointer-events-auto mt-5 grid gap-2 rounded-t-xl border p-3 shadow-lg sm:flex sm:items-center sm:justify-between"
          >
            {hasProblem(edits) ? (
              <p className="text-bad px-1">Some hours have a problem. Change them before you save.</p>
            ) : error === null || isPending ? (
              <p className="px-1">{count === 1 ? "One setting is" : `${count} settings are`} changed and not saved.</p>
            ) : hasCode(error, "validation_error") ? (
              <p role="alert" className="text-bad px-1">
                Not saved. The settings with problems are marked.
              </p>
            ) : (
              <Problem error={error} />
            )}
            <div className="flex justify-end gap-2">
              <Button
                disabled={isPending}
                onClick={() => {
                  save.reset()
                  setEdits({})
                }}
              >
                Discard
              </Button>
              <Button kind="primary" type="submit" disabled={isPending}>
                {isPending ? "Saving…" : "Save"}
              </Button>
            </div>
          </section>
        )}
        {save.isSuccess && count === 0 && (
          <p className="bg-good-ground text-good mx-auto mt-5 mb-3 w-max rounded-full px-4 py-2 font-medium shadow-lg">
            Saved
          </p>
        )}
      </div>
      {question}
    </form>
  )
}
