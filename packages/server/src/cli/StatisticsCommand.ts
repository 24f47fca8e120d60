import { type Figures, figureNames } from "@frontdesk/core/statistics/Statistic"
import { Statistics } from "@frontdesk/core/statistics/Statistics"
import * as Money from "@frontdesk/core/values/Money"
import { StatisticsView } from "@frontdesk/http/statistics/StatisticsView"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { as } from "./AsOperator.ts"
import { usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const encode = Schema.encodeSync(StatisticsView)

const cells = (figures: Figures): ReadonlyArray<string> =>
  figureNames.map((name) => (name === "spend" ? Money.format(figures.spend) : String(figures[name])))

/** The command `frontdesk accounts statistics`. */
export const statistics = Command.make(
  "statistics",
  {
    account: Parameters.accountFlag,
    database: Parameters.databaseFlags,
    json: Parameters.json,
    range: Parameters.dateFlags
  },
  ({ account, database, json, range }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const found = yield* (yield* Statistics).get(Record.getSomes(range)).pipe(
          as(owner),
          Effect.catchTag("InvalidParameter", ({ message }) => usage(message))
        )
        if (json) return yield* Output.json(encode(found))
        yield* Output.table(
          ["DATE", ...figureNames.map((name) => name.toUpperCase())],
          [...found.days.map((one) => [one.date, ...cells(one)]), ["total", ...cells(found.totals)]]
        )
        if (!found.isComplete) {
          yield* Output.line("\nThe newest changes are not counted yet. Repeat the command in a few seconds.")
        }
      }),
      database
    )
).pipe(
  Command.withDescription("Show what an account did on each day: calls, minutes, spend, bookings and deliveries"),
  Command.withExamples([
    { command: "frontdesk accounts statistics --account acme", description: "The last 30 days of acme" }
  ])
)
