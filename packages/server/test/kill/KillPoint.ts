import * as Struct from "effect/Struct"

/** A kind of operation that a round needs in order to reach a kill point. */
export type Need = "create" | "burst" | "reminder" | "call" | "keyed" | "webhook" | "booking" | "held"

/** The actor that kills the server, and the moment. */
export type Where =
  /** The server itself, before a call of a port, or after the call and before its result is used. */
  | { readonly by: "server"; readonly point: string; readonly when: "before" | "after" }
  /** The receiver, after it has received a whole request and before it answers. */
  | { readonly by: "receiver" }
  /** The test, during an operation or the work that follows from it. */
  | { readonly by: "clock" }
  /** The test, some time after the start of the process. */
  | { readonly by: "start" }

/** A place at which the server is killed. */
export interface KillPoint {
  readonly where: Where
  /** The server is killed at a random pass of the point, from 1 to this. */
  readonly passes: number
  readonly needs: ReadonlyArray<Need>
  /** How often the point is chosen, relative to the others. */
  readonly weight: number
}

const at = (
  when: "before" | "after",
  point: string,
  { needs = ["create"], passes = 3, weight = 1 }: Partial<Omit<KillPoint, "where">> = {}
): KillPoint => ({ where: { by: "server", point, when }, passes, needs, weight })

/**
 * Every kill point, by its name in reports.
 *
 * `commit of X` is passed directly after the commit of a transaction that has called the member X of a port. `X taken` is
 * passed by a claim that claimed something, `X not alone` by a send that is not the first of its claim, and
 * `X uncommitted` after X has written and while its transaction is open. `Transaction.run in a group` is passed when a
 * transaction has run all its statements while another one that has waits for the COMMIT.
 */
export const killPoints = {
  "after commit": at("after", "commit of CalendarEventStore.insert", { needs: ["keyed"], weight: 2 }),
  "after the socket write": { where: { by: "receiver" }, passes: 8, needs: ["create"], weight: 3 },
  "after the answer": at("after", "WebhookSender.send", { passes: 8, weight: 3 }),
  "before the record": at("before", "DeliveryQueue.record", { weight: 2 }),
  "in a batch, between sends": at("before", "WebhookSender.send not alone", { needs: ["burst"], weight: 1 }),
  "in a batch, before the record's commit": at("after", "DeliveryQueue.record uncommitted", { needs: ["burst"] }),
  "in a batch, after the claim": at("after", "DeliveryQueue.claim taken", { needs: ["burst"] }),
  "after the record": at("after", "DeliveryQueue.record"),
  "in the transaction of a change": at("after", "DeliveryStore.add"),
  "in a group, before its commit": at("after", "Transaction.run in a group", { needs: ["burst"] }),
  "in a group, after its commit": at("after", "commit of CalendarEventStore.insert", { needs: ["burst"] }),
  "booking and its answer written, not committed": at("after", "ToolCallStore.insert", { needs: ["booking"] }),
  "booking committed, not answered": at("after", "commit of ToolCallStore.insert", { needs: ["booking"], weight: 2 }),
  "slot hold committed, not answered": at("after", "commit of SlotHoldStore.place", { needs: ["held"], passes: 2 }),
  "reminder marked, not committed": at("after", "ReminderStore.markSent", { needs: ["reminder"], passes: 2 }),
  "reminder committed": at("after", "commit of ReminderStore.markSent", { needs: ["reminder"], passes: 2 }),
  "call committed": at("after", "commit of CallStore.insert", { needs: ["call"], passes: 1 }),
  "provider asked, answer not kept": at("after", "CallProvider.start", { needs: ["call"], passes: 1 }),
  "money moved, not committed": at("after", "AccountStore.changeFunds", { needs: ["call"], passes: 2 }),
  "call report committed": at("after", "commit of CallStore.update", { needs: ["call"], passes: 5 }),
  "task taken": at("after", "OutboxStore.claim taken"),
  "mail sent, task not completed": at("after", "Mailer.send"),
  "idempotent answer, not committed": at("after", "IdempotencyStore.complete", { needs: ["keyed"], passes: 1 }),
  "idempotent answer committed": at("after", "commit of IdempotencyStore.complete", { needs: ["keyed"], passes: 1 }),
  "webhook change committed": at("after", "commit of WebhookStore.findForUpdate", { needs: ["webhook"], passes: 2 }),
  "before leases are released": at("before", "DeliveryQueue.release", { passes: 1 }),
  "after leases are released": at("after", "DeliveryQueue.release", { passes: 1 }),
  "at a random time": { where: { by: "clock" }, passes: 1, needs: ["create", "booking"], weight: 4 },
  "during start": { where: { by: "start" }, passes: 1, needs: [], weight: 1 }
} as const satisfies Readonly<Record<string, KillPoint>>

/** The name of a kill point. */
export type KillPointName = keyof typeof killPoints

/** The name for kills of an idle server. They are counted, but they check nothing. */
export const whileIdle = "while idle"

/** The name under which a kill is counted. */
export type KillName = KillPointName | typeof whileIdle

/** The names of all kill points, in order. */
export const killPointNames: ReadonlyArray<KillPointName> = Struct.keys(killPoints)
