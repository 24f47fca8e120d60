import type { AccountOverview } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { textIn } from "../ui/forms.ts"
import { Problem } from "../ui/Problem.tsx"

/** The largest amount of one deposit that the API accepts. */
const maxAmount = 1_000_000_000

/** Returns the amount of a text, or why it is none. */
const amountIn = (text: string): { readonly amount: number } | { readonly problem: string } => {
  if (!/^\d+(?:\.\d{1,6})?$/.test(text))
    return { problem: "Write a number with at most six decimals, such as 25 or 0.5." }
  const amount = Number(text)
  if (amount === 0) return { problem: "The amount is above zero." }
  return amount > maxAmount ? { problem: "The amount is at most 1,000,000,000." } : { amount }
}

/** Adds money to the balance of an account, after the operator has confirmed the amount. */
export const DepositDialog = ({
  account,
  onClose,
  onDone
}: {
  readonly account: AccountOverview
  readonly onClose: () => void
  readonly onDone: (message: string) => void
}) => {
  const { formats } = useSession()
  const client = useQueryClient()
  const [given, setGiven] = useState<ReturnType<typeof amountIn> | null>(null)
  // One key for all tries of this dialog, so that a repeat after a lost answer does not deposit twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const deposit = useMutation({
    mutationFn: (amount: number) => api.operator.deposit(account.id, { amount }, { idempotencyKey }),
    onSuccess: async ({ amount, balance }) => {
      onDone(`${formats.money(amount)} deposited to ${account.name}. The balance is ${formats.money(balance)}.`)
      onClose()
      await Promise.all([
        client.invalidateQueries({ queryKey: ["operator", "accounts"] }),
        client.invalidateQueries({ queryKey: ["account"] })
      ])
    }
  })
  if (given !== null && "amount" in given)
    return (
      <Dialog title="Make the deposit?" onClose={onClose}>
        <p>
          {formats.money(given.amount)} is added to the balance of <bdi className="font-medium">{account.name}</bdi>{" "}
          (account {account.id}), which then is {formats.money(account.balance + given.amount)}. A deposit cannot be
          taken back.
        </p>
        <Problem error={deposit.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={deposit.isPending} onClick={() => deposit.mutate(given.amount)}>
            {deposit.isPending ? "Depositing…" : "Deposit"}
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <FormDialog
      title={`Deposit to ${account.name}`}
      label="Continue"
      doing="Continue"
      isPending={false}
      onClose={onClose}
      onSubmit={(form) => setGiven(amountIn(textIn(form, "amount")))}
    >
      <Field
        label="Amount"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        required
        hint="In the currency in which you bill this account. Frontdesk stores the number alone."
        problem={given === null ? undefined : given.problem}
      />
    </FormDialog>
  )
}
