import { problemsOf } from "../app/api.ts"
import { detailOf, Problem } from "./Problem.tsx"

/** Says why a form was not accepted, unless its fields say all of it. Then it sends the reader there. */
export const FormProblem = ({
  error,
  fields
}: {
  readonly error: unknown
  /** The fields of the API that show their problems. */
  readonly fields: ReadonlyArray<string>
}) => {
  const details = problemsOf(error)
  const isShown = ({ field, message }: { readonly field: string; readonly message: string }) =>
    fields.some(
      (name) =>
        (field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)) &&
        detailOf(error, name)?.message === message
    )
  if (details.length === 0 || !details.every(isShown)) return <Problem error={error} />
  return (
    <p role="alert" className="bg-bad-ground text-bad rounded-md px-3 py-2 text-sm">
      {details.length === 1
        ? "One field needs a change. The text below it says which."
        : "Some fields need a change. The texts below them say which."}
    </p>
  )
}
