import type { CreateContactImport } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Checkbox, Field, Select } from "../ui/Field.tsx"
import { Problem, problemOf } from "../ui/Problem.tsx"
import { Progress } from "../ui/Progress.tsx"
import { type Choice, ColumnChoice, columnsOf, mappingOf, suggest } from "./columns.tsx"
import { beginningOf, FileProblem, headerOf, type Sent, sendFile, type Separator, separators } from "./csvFile.ts"
import { knownWays, onKnownOf } from "./importWords.ts"
import { ImportProgress } from "./ImportProgress.tsx"

const separatorNames: Readonly<Record<Separator, string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Vertical bar"
}

/** A file that was chosen, with its first line. */
interface Chosen {
  readonly file: File
  readonly text: string
  readonly separator: Separator
  readonly choice: Choice
}

const none: Sent = { parts: 0, bytes: 0 }

/** Imports contacts from a file in three steps: the choice of the file, its sending, and the reading of its lines by the server. */
export const ImportContacts = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [sent, setSent] = useState(none)
  const abort = useRef<AbortController | null>(null)
  const variables = useQuery({
    queryKey: ["variables", "contact"],
    queryFn: ({ signal }) => api.variables.list({ context_type: "contact" }, { signal })
  })
  const own = variables.data?.variables.filter(({ is_default: isDefault }) => !isDefault) ?? []
  const choose = useMutation({
    mutationFn: async (file: File) => {
      if (file.size === 0) throw new FileProblem("The file is empty.")
      const { separator, text } = await beginningOf(file)
      return { file, separator, text, choice: suggest(columnsOf(headerOf(text, separator)), own) }
    },
    onMutate: () => setChosen(null),
    onSuccess: setChosen
  })
  const send = useMutation({
    mutationFn: ({ file, settings }: { readonly file: File; readonly settings: CreateContactImport }) => {
      abort.current = new AbortController()
      setSent(none)
      return sendFile(file, settings, setSent, abort.current.signal)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["contact-imports"] })
  })
  const isStopped = abort.current?.signal.aborted === true

  if (send.data !== undefined)
    return (
      <Dialog title="Import" onClose={onClose}>
        <ImportProgress
          id={send.data.id}
          onClose={onClose}
          onImport={() => {
            const { file, settings } = send.variables
            send.mutate({ file, settings: { ...settings, dry_run: false } })
          }}
        />
      </Dialog>
    )
  if (send.isPending)
    return (
      <Dialog title="Import contacts" onClose={onClose}>
        <Sending sent={sent} total={chosen?.file.size ?? 0} />
        <DialogActions>
          <Button onClick={() => abort.current?.abort()}>Stop</Button>
          <Button kind="primary" onClick={onClose}>
            Go on in the background
          </Button>
        </DialogActions>
      </Dialog>
    )
  const error = isStopped ? null : (choose.error ?? send.error)
  const header = chosen === null ? [] : headerOf(chosen.text, chosen.separator)
  return (
    <Dialog title="Import contacts" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen === null || chosen.choice.size === 0) return
          const form = new FormData(event.currentTarget)
          send.mutate({
            file: chosen.file,
            settings: {
              on_known: onKnownOf(form.get("on_known")),
              separator: chosen.separator,
              dry_run: form.get("dry_run") !== null,
              ...mappingOf(header, chosen.choice)
            }
          })
        }}
      >
        <Field
          label="CSV file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          required
          hint="Text in UTF-8, with the names of the columns in its first line."
          problem={error instanceof FileProblem ? error.message : undefined}
          onChange={({ target: { files } }) => {
            send.reset()
            const file = files?.[0]
            if (file === undefined) setChosen(null)
            else choose.mutate(file)
          }}
        />
        <Select
          label="When a line has the number or e-mail address of a contact"
          name="on_known"
          defaultValue="skip"
          problem={problemOf(error, "on_known")}
        >
          {Object.entries(knownWays).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
        {chosen !== null && (
          <>
            <Select
              label="Between the cells is a"
              value={chosen.separator}
              onChange={({ target: { value } }) => {
                const separator = separators.find((one) => one === value) ?? ","
                const choice = suggest(columnsOf(headerOf(chosen.text, separator)), own)
                setChosen({ ...chosen, separator, choice })
              }}
            >
              {separators.map((one) => (
                <option key={one} value={one}>
                  {separatorNames[one]}
                </option>
              ))}
            </Select>
            <ColumnChoice
              columns={columnsOf(header)}
              choice={chosen.choice}
              variables={own}
              problem={problemOf(error, "columns") ?? problemOf(error, "columns[0]")}
              onChange={(choice) => setChosen({ ...chosen, choice })}
            />
          </>
        )}
        <Checkbox name="dry_run" label="Only check the file. No contact is created or changed." />
        {isStopped && <p role="status">The import was stopped before it has read a line.</p>}
        {!(error instanceof FileProblem) && <Problem error={error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={choose.isPending || chosen?.choice.size === 0}>
            Send the file
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const Sending = ({ sent, total }: { readonly sent: Sent; readonly total: number }) => {
  const { formats } = useSession()
  const kilobytes = (bytes: number) => formats.number(Math.ceil(bytes / 1_000))
  const parts = formats.counted(sent.parts, "part", "parts")
  return (
    <>
      <Progress
        label="Sending the file"
        max={Math.max(total, 1)}
        value={Math.min(sent.bytes, total)}
        text={`${parts} sent, ${kilobytes(sent.bytes)} of ${kilobytes(total)} kB`}
      />
      <p className="text-muted">
        Keep the dashboard open until the file is sent. The server reads its lines afterwards.
      </p>
    </>
  )
}
