import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { textIn } from "../ui/forms.ts"
import { Card } from "../ui/Page.tsx"
import { isSignedWith } from "./signatureCheck.ts"

/**
 * Says whether a secret that a person enters is the one that signs a request. The secret does not leave the browser, which computes
 * signatures only on a page over https or of its own machine.
 */
export const CheckSecret = ({ body, signature }: { readonly body: string; readonly signature: string }) => {
  const [found, setFound] = useState<boolean | null>(null)
  return (
    <Card title="Check a secret">
      <form
        className="grid gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          const secret = textIn(new FormData(event.currentTarget), "secret")
          void isSignedWith(secret, body, signature).then(setFound)
        }}
      >
        <p className="text-sm">
          The signature is the HMAC-SHA256 of the body, with the secret of the webhook as the key. Enter the secret that
          your receiver has. It stays in this browser.
        </p>
        <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_max-content]">
          <Field
            label="Secret"
            name="secret"
            type="password"
            autoComplete="off"
            required
            onChange={() => setFound(null)}
          />
          <Button type="submit">Check</Button>
        </div>
        <p aria-live="polite" className={found === false ? "text-bad text-sm" : "text-sm"}>
          {found === true && "This secret makes the signature of this request."}
          {found === false && "This secret makes another signature. Your receiver refuses this request."}
        </p>
      </form>
    </Card>
  )
}
