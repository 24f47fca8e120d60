import type { Account } from "@frontdesk/core/access/Account"
import { FundMovements } from "@frontdesk/core/account/FundMovements"
import type { MovementQuery } from "@frontdesk/core/account/FundMovementInput"
import { MovementKind } from "@frontdesk/core/access/FundMovement"
import * as Money from "@frontdesk/core/values/Money"
import type { PageRequest } from "@frontdesk/core/values/Page"
import * as FundsView from "@frontdesk/http/account/FundsView"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { as } from "./AsOperator.ts"
import { usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const encode = Schema.encodeSync(FundsView.MovementView)

const filters = {
  kind: Parameters.readFlag("kind", Parameters.movementKind).pipe(
    Flag.withMetavar("KIND"),
    Flag.withDescription(`List only movements of this kind: ${MovementKind.literals.join(", ")}`),
    Flag.optional
  ),
  callId: Flag.String("call").pipe(
    Flag.withMetavar("CALL_ID"),
    Flag.withDescription("List only movements for the call with this call_id"),
    Flag.optional
  ),
  ...Parameters.dateFlags
}

const listOf = (account: Account, query: MovementQuery, page: PageRequest) =>
  Effect.gen(function* () {
    return yield* (yield* FundMovements).movements(query, page).pipe(as(account))
  }).pipe(Effect.catchTag("InvalidParameter", () => usage("--end-date is before --start-date")))

/** The command `frontdesk accounts movements`. */
export const movements = Command.make(
  "movements",
  {
    account: Parameters.accountFlag,
    database: Parameters.databaseFlags,
    json: Parameters.json,
    filters,
    ...Parameters.pageFlags
  },
  ({ account, database, filters, json, limit, page }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const found = yield* listOf(owner, Record.getSomes(filters), { page, limit })
        if (json) {
          return yield* Output.json({
            ...Output.pageFields(found),
            movements: found.items.map((one) => encode(FundsView.movementView(one)))
          })
        }
        yield* Output.table(
          ["ID", "TIME", "KIND", "AMOUNT", "BALANCE", "CALL"],
          found.items.map(({ amount, at, balanceAfter, callId, id, kind }) => [
            String(id),
            DateTime.formatIso(at),
            kind,
            Money.format(amount),
            Money.format(balanceAfter),
            callId ?? ""
          ])
        )
        yield* Output.line(`\n${Output.place("movements", found)}`)
      }),
      database
    )
).pipe(
  Command.withDescription("List the changes of an account's balance, newest first, with the balance after each"),
  Command.withExamples([
    { command: "frontdesk accounts movements --account acme --kind deposit", description: "The deposits of acme" }
  ])
)
