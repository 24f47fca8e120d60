import { isNullish } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { formatPath, invalid } from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ProvisioningDocument } from "./ProvisioningDocument.ts"

type Path = ReadonlyArray<string | number>

/** A row with its path in the document. */
type Placed<A> = readonly [Path, A]

/**
 * Returns the problems of a document that has the right form. These are repeated refs, assistant ids and key values, refs
 * that no row has, and accounts whose partner does not fit their role. Returns an empty list when there is none.
 *
 * A ref must be unique among all rows of its kind, because the result lists ids by ref. Refs of teams and partners must be
 * in the same document.
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
      if (seen.has(value)) report([...path, field], `Another row of this kind has the same ${field}`)
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
      if (!teamRefs.has(ref)) report([...path, "teams", j], noTeam)
    })
    account.agents?.forEach(({ team }, j) => {
      if (!isNullish(team) && !teamRefs.has(team)) {
        report([...path, "agents", j, "team"], noTeam)
      }
    })
    const partner = account.partner ?? null
    if (partner === null && account.role === "client") {
      report([...path, "partner"], "An account with the role client needs a partner")
    } else if (partner !== null && account.role !== "client") {
      report([...path, "partner"], "Only an account with the role client has a partner")
    } else if (partner !== null && !partnerRefs.has(partner)) {
      report([...path, "partner"], "No account of the document with the role partner has this ref")
    }
  }
  return problems
}

const noTeam = "No team of the document has this ref"

const placed = <A>(path: Path, rows: ReadonlyArray<A> | undefined): ReadonlyArray<Placed<A>> =>
  (rows ?? []).map((row, index) => [[...path, index], row])
