import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { download } from "../ui/download.ts"
import { Problem } from "../ui/Problem.tsx"
import { Progress } from "../ui/Progress.tsx"

/** Reads all pages of the export into one file, which the browser saves. Closing the dialog stops it. */
export const ExportContacts = ({
  isFiltered,
  onClose
}: {
  /** Whether the list of the page has filters, which the file does not have. */
  readonly isFiltered: boolean
  readonly onClose: () => void
}) => {
  const { formats } = useSession()
  const abort = useRef<AbortController | null>(null)
  const [characters, setCharacters] = useState(0)
  const read = useMutation({
    mutationFn: async () => {
      const { signal } = (abort.current = new AbortController())
      const texts: Array<string> = []
      let length = 0
      let after: number | null = null
      setCharacters(0)
      do {
        // Each page begins where the one before it ends.
        const page: Awaited<ReturnType<typeof api.contactExports.page>> = await api.contactExports.page(
          after === null ? {} : { after },
          { signal }
        )
        texts.push(page.csv)
        length += page.csv.length
        setCharacters(length)
        after = page.next
      } while (after !== null)
      download(`contacts-${formats.today()}.csv`, "text/csv;charset=utf-8", texts)
    }
  })
  useEffect(() => () => abort.current?.abort(), [])
  const size = `${formats.number(Math.ceil(characters / 1_000))} kB`
  return (
    <Dialog title="Export the contacts" onClose={onClose}>
      <p>
        The file has all contacts that belong to this account. It is a CSV file, which spreadsheets open and an import
        reads again.
      </p>
      {isFiltered && (
        <p className="bg-warn-ground text-warn rounded-md px-3 py-2 text-sm">
          The filters of the list do not apply to the file. It also has the contacts that the list does not show.
        </p>
      )}
      {read.isPending && <Progress label="Reading the contacts" text={`${size} read so far`} />}
      {read.isSuccess && <p role="status">The file is complete, with {size}. The browser saves it.</p>}
      <Problem error={read.error} />
      <DialogActions>
        <Button onClick={onClose}>{read.isSuccess ? "Close" : "Cancel"}</Button>
        {!read.isSuccess && (
          <Button kind="primary" disabled={read.isPending} onClick={() => read.mutate()}>
            {read.isPending ? "Exporting…" : "Export"}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
