import { maxChangedNumbers } from "@frontdesk/core/contact/DoNotCallInput"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as Arr from "effect/Array"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { as } from "./AsOperator.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const common = { account: Parameters.accountFlag, database: Parameters.databaseFlags, json: Parameters.json }

const phoneNumber: TextReader<PhoneNumber> = (text) =>
  Result.mapError(
    Schema.decodeResult(PhoneNumber)(text),
    () => "a phone number in E.164 form, for example +12025550123"
  )

const numbers = Parameters.readArgument("number", phoneNumber).pipe(
  Argument.withDescription("Phone numbers in E.164 form, for example +12025550123"),
  Argument.atLeast(1)
)

/** Changes the numbers in as many steps as the list needs. Returns those that were changed, sorted. */
const inSteps = <E, R>(
  numbers: ReadonlyArray<PhoneNumber>,
  step: (some: ReadonlyArray<PhoneNumber>) => Effect.Effect<ReadonlyArray<PhoneNumber>, E, R>
) => Effect.map(Effect.forEach(Arr.chunksOf(numbers, maxChangedNumbers), step), (changed) => changed.flat().toSorted())

const counted = (count: number): string => (count === 1 ? "1 number was" : `${count} numbers were`)

const list = Command.make("list", { ...common, ...Parameters.pageFlags }, ({ account, database, json, limit, page }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const found = yield* (yield* DoNotCallLists).list({}, { page, limit }).pipe(as(owner))
      if (json) return yield* Output.json({ ...Output.pageFields(found), phone_numbers: found.items })
      yield* Output.table(
        ["NUMBER"],
        found.items.map((number) => [number])
      )
      yield* Output.line(Output.place("numbers", found))
    }),
    database
  )
).pipe(Command.withDescription("List the numbers that an account must not call"))

const add = Command.make("add", { ...common, numbers }, ({ account, database, json, numbers }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const added = yield* inSteps(numbers, (yield* DoNotCallLists).add).pipe(as(owner))
      if (json) return yield* Output.json({ account_id: owner.id, added })
      yield* Output.line(`${counted(added.length)} added to the list of account ${owner.id} (${owner.name})`)
    }),
    database
  )
).pipe(
  Command.withDescription("Add numbers to the do-not-call list of an account; the other numbers stay on the list"),
  Command.withExamples([
    { command: "frontdesk do-not-call add --account acme +12025550123", description: "Stop all calls to a number" }
  ])
)

const remove = Command.make("remove", { ...common, numbers }, ({ account, database, json, numbers }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const removed = yield* inSteps(numbers, (yield* DoNotCallLists).remove).pipe(as(owner))
      if (json) return yield* Output.json({ account_id: owner.id, removed })
      yield* Output.line(`${counted(removed.length)} removed from the list of account ${owner.id} (${owner.name})`)
    }),
    database
  )
).pipe(
  Command.withDescription(
    "Remove numbers from the do-not-call list of an account. Contacts of the account with such a number lose the " +
      "do-not-call flag too"
  )
)

/** The command `frontdesk do-not-call`. */
export const doNotCall = Command.make("do-not-call").pipe(
  Command.withDescription("Manage the numbers that an account must not call"),
  Command.withSubcommands([list, add, remove])
)
