import { problemsOf, textOf } from "../app/api.ts"
import { type FieldProblem, problemText, sentenceOf } from "../app/problemWords.ts"
import { Button } from "./Button.tsx"

/** Why something has failed: a sentence, or a list of the fields that need a change. */
export const ProblemText = ({ error }: { readonly error: unknown }) => {
  const problems = problemsOf(error)
  if (problems.length < 2) return <p className="wrap-anywhere">{textOf(error)}</p>
  return (
    <ul className="list-disc pl-4">
      {problems.map((problem, index) => (
        <li key={index} className="wrap-anywhere">
          {problemText(problem)}
        </li>
      ))}
    </ul>
  )
}

/** Says why an action has failed, or why a part of a page is missing, which can then be asked for again. */
export const Problem = ({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) =>
  error === null || error === undefined ? null : (
    <div role="alert" className="bg-bad-ground text-bad grid justify-items-start gap-2 rounded-md px-3 py-2 text-sm">
      <ProblemText error={error} />
      {onAgain !== undefined && <Button onClick={onAgain}>Try again</Button>}
    </div>
  )

/** Returns what the API says of a field, which is the first of its problems of the field or of a part of it. */
export const detailOf = (error: unknown, field: string): FieldProblem | undefined =>
  problemsOf(error).find(
    (problem) =>
      problem.field === field || problem.field.startsWith(`${field}.`) || problem.field.startsWith(`${field}[`)
  )

/** Returns the problem of a field that the API has named, as the sentence below the field. */
export const problemOf = (error: unknown, field: string): string | undefined => {
  const detail = detailOf(error, field)
  return detail === undefined ? undefined : sentenceOf(detail.message)
}
