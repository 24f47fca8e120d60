import { isNullish } from "effect/Predicate"
import { formatPath, invalid } from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ProvisioningDocument } from "./ProvisioningDocument.ts"

type Path = ReadonlyArray<string | number>

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
  const unique = (rows: ReadonlyArray<readonly [Path, string]>, what: string): void => {
    const seen = new Set<string>()
    for (const [path, value] of rows) {
      if (seen.has(value)) report(path, `This ${what} is given twice`)
      seen.add(value)
    }
  }
  const teams = document.teams ?? []
  const accounts = document.accounts ?? []
  const within = <A>(
    key: string,
    rows: (account: (typeof accounts)[number]) => ReadonlyArray<A> | undefined,
    of: (row: A) => string,
    field: string
  ) =>
    accounts.flatMap((account, i) =>
      (rows(account) ?? []).map((row, j): readonly [Path, string] => [["accounts", i, key, j, field], of(row)])
    )

  unique(
    teams.map((team, i) => [["teams", i, "ref"], team.ref]),
    "ref"
  )
  unique(
    accounts.map((account, i) => [["accounts", i, "ref"], account.ref]),
    "ref"
  )
  unique(
    within(
      "api_keys",
      (account) => account.apiKeys,
      (key) => key.ref,
      "ref"
    ),
    "ref"
  )
  unique(
    within(
      "agents",
      (account) => account.agents,
      (agent) => agent.ref,
      "ref"
    ),
    "ref"
  )
  unique(
    within(
      "agents",
      (account) => account.agents,
      (agent) => agent.assistantId,
      "assistant_id"
    ),
    "assistant id"
  )
  unique(
    within(
      "contacts",
      (account) => account.contacts,
      (contact) => contact.ref,
      "ref"
    ),
    "ref"
  )
  unique(
    within(
      "api_keys",
      (account) => account.apiKeys?.filter((key) => key.key !== undefined),
      (key) => key.key ?? "",
      "key"
    ),
    "key"
  )

  const teamRefs = new Set(teams.map((team) => team.ref))
  accounts.forEach((account, i) => {
    account.teams?.forEach((ref, j) => {
      if (!teamRefs.has(ref)) report(["accounts", i, "teams", j], "No team of the document has this ref")
    })
    account.agents?.forEach((agent, j) => {
      if (!isNullish(agent.team) && !teamRefs.has(agent.team)) {
        report(["accounts", i, "agents", j, "team"], "No team of the document has this ref")
      }
    })
    const partner = accounts.find((other) => other.ref === account.partner)
    if (!isNullish(account.partner) && account.role !== "client") {
      report(["accounts", i, "partner"], "Only an account with the role client has a partner")
    } else if (!isNullish(account.partner) && partner?.role !== "partner") {
      report(["accounts", i, "partner"], "No account of the document with the role partner has this ref")
    } else if (isNullish(account.partner) && account.role === "client") {
      report(["accounts", i, "partner"], "A client names its partner")
    }
  })
  return problems
}
