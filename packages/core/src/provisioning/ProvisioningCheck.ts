import { isNullish } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { formatPath, invalid } from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ProvisioningDocument } from "./ProvisioningDocument.ts"

type Path = ReadonlyArray<string | number>

/** A row and where in the document it stands. */
type Placed<A> = readonly [Path, A]

/**
 * What is wrong with a document that is well-formed: refs given twice, refs of nothing, partners that are none.
 *
 * A ref is unique among all rows of its kind in the document, so that the answer can be read by it. Teams and partners
 * are looked for in the document alone.
 */
export const check = (document: ProvisioningDocument): ReadonlyArray<FieldProblem> => {
  const problems: Array<FieldProblem> = []
  const report = (path: Path, message: string): void => {
    problems.push({ field: formatPath(path), code: invalid, message })
  }
  const unique = <A>(rows: ReadonlyArray<Placed<A>>, field: string, of: (row: A) => string | undefined): void => {
    const seen = new Set<string>()
    for (const [path, row] of rows) {
      const value = of(row)
      if (value === undefined) continue
      if (seen.has(value)) report([...path, field], `This ${field} is given twice`)
      seen.add(value)
    }
  }
  const teams = placed(["teams"], document.teams)
  const accounts = placed(["accounts"], document.accounts)
  const apiKeys = accounts.flatMap(([path, account]) => placed([...path, "api_keys"], account.apiKeys))
  const agents = accounts.flatMap(([path, account]) => placed([...path, "agents"], account.agents))
  const contacts = accounts.flatMap(([path, account]) => placed([...path, "contacts"], account.contacts))

  unique(teams, "ref", ({ ref }) => ref)
  unique(accounts, "ref", ({ ref }) => ref)
  unique(apiKeys, "ref", ({ ref }) => ref)
  unique(agents, "ref", ({ ref }) => ref)
  unique(agents, "assistant_id", ({ assistantId }) => assistantId)
  unique(contacts, "ref", ({ ref }) => ref)
  unique(apiKeys, "key", ({ key }) => key && Redacted.value(key))

  const teamRefs = new Set(teams.map(([, { ref }]) => ref))
  const partnerRefs = new Set(accounts.filter(([, { role }]) => role === "partner").map(([, { ref }]) => ref))
  for (const [path, account] of accounts) {
    account.teams?.forEach((ref, j) => {
      if (!teamRefs.has(ref)) report([...path, "teams", j], "No team of the document has this ref")
    })
    account.agents?.forEach(({ team }, j) => {
      if (!isNullish(team) && !teamRefs.has(team)) {
        report([...path, "agents", j, "team"], "No team of the document has this ref")
      }
    })
    const partner = account.partner ?? null
    if (partner === null && account.role === "client") {
      report([...path, "partner"], "A client names its partner")
    } else if (partner !== null && account.role !== "client") {
      report([...path, "partner"], "Only an account with the role client has a partner")
    } else if (partner !== null && !partnerRefs.has(partner)) {
      report([...path, "partner"], "No account of the document with the role partner has this ref")
    }
  }
  return problems
}

const placed = <A>(path: Path, rows: ReadonlyArray<A> | undefined): ReadonlyArray<Placed<A>> =>
  (rows ?? []).map((row, index) => [[...path, index], row])
