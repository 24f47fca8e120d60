import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { TextField } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { numberOf, problemOfNumbers, writtenIn } from "./phoneNumbers.ts"
import { useDoNotCallChanged } from "./useDoNotCallChanged.ts"

/** Adds numbers to the do-not-call list. */
export const AddDoNotCall = ({
  number = "",
  onClose,
  onDone
}: {
  /** The number that the field has at first. */
  readonly number?: string | undefined
  readonly onClose: () => void
  /** Receives what was done. */
  readonly onDone: (message: string) => void
}) => {
  const changed = useDoNotCallChanged()
  const { formats } = useSession()
  const [written, setWritten] = useState<ReadonlyArray<string> | null>(null)
  const add = useMutation({
    mutationFn: (numbers: ReadonlyArray<string>) => api.doNotCall.add({ phone_numbers: numbers }),
    onSuccess: async ({ added }, numbers) => {
      await changed()
      const known = new Set(numbers).size - added.length
      onClose()
      onDone(
        `${formats.counted(added.length, "number was", "numbers were")} added.${
          known === 0 ? "" : ` ${formats.counted(known, "number was", "numbers were")} on the list before.`
        }`
      )
    }
  })
  const problem = written === null ? undefined : problemOfNumbers(written, add.error)
  return (
    <FormDialog
      title="Add numbers"
      label="Add"
      doing="Adding…"
      isPending={add.isPending}
      onClose={onClose}
      onSubmit={(form) => {
        const numbers = writtenIn(rawTextIn(form, "numbers"))
        setWritten(numbers)
        add.reset()
        if (problemOfNumbers(numbers, null) === undefined) add.mutate(numbers.map(numberOf))
      }}
    >
      <TextField
        label="Phone numbers"
        name="numbers"
        required
        autoFocus
        rows={6}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        defaultValue={number}
        placeholder={"+12025550123\n+12025550124"}
        hint="One number on each line, or separated by commas. With the country code, as in +12025550123."
        problem={problem}
      />
      {problem === undefined && <FormProblem error={add.error} fields={[]} />}
    </FormDialog>
  )
}
