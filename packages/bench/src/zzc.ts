import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import { AccountId } from "@frontdesk/core/access/Account"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"
import { DeliveryId } from "@frontdesk/core/webhook/Delivery"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
const at = DateTime.makeUnsafe(1_000_000_000_000)
const later = DateTime.makeUnsafe(1_000_000_030_000)
let n = 0
const make = (hooks: number, rowsEach: (h: number) => number, due: number) => Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* DeliveryStore
  yield* sql`INSERT INTO account (name, role, created_at, settings) VALUES ('a','standard',0,'{}')`
  yield* sql.withTransaction(Effect.gen(function*(){
  yield* sql`INSERT INTO webhook_event (account_id, name, created_at, body) VALUES (1, 'call.ended', 0, x'00')`
  for (let h = 1; h <= hooks; h++) {
    yield* sql.unsafe(`INSERT INTO webhook (account_id,name,url,subscribed_events,status,secret,created_at,updated_at,consecutive_failures) VALUES (1,'w','https://x','["call.ended"]','active','s',0,0,0)`)
    yield* sql.unsafe(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ${rowsEach(h)}) INSERT INTO webhook_delivery (delivery_id,event_id,webhook_id,subject,state,kind,due_at,results,claims,attempts) SELECT printf('%08x-0000-7000-8000-%012x', ${h}, i), 1, ${h}, 's' || i, 'pending','automatic', ${due} + i, 0,0,0 FROM n`)
  }}))
  const claim = store.claim({ now: at, leaseUntil: later, leaseId: "l" + n++, owner: "o", limit: 256, perWebhook: 8, inFlight: new Map() })
  const times: number[] = []
  let got = 0
  for (let i = 0; i < 20; i++) { const b = performance.now(); const c = yield* claim; times.push(performance.now() - b); got += c.length
    if (c.length) { const b2 = performance.now(); yield* store.record(c.slice(0,50).map(d => ({ key: d.key, leaseId: d.leaseId, webhookId: d.webhookId, kind: "automatic" as const, attempt: { startedAt: at, durationMs: 3, statusCode: 200, error: null }, responseBody: "ok", next: { state: "delivered" as const }, webhookStatus: "active" as const })), at); if (i === 10) console.log("   record 50:", (performance.now() - b2).toFixed(2), "ms") } }
  console.log(hooks, "hooks", "claims", times.map(t => t.toFixed(1)).join(" "), "got", got)
}).pipe(Effect.provide(SqliteStorage.layer({ filename: process.argv[2] ?? ":memory:" })))






await Effect.runPromise(make(100, () => 1000, 0))
await Effect.runPromise(make(10, () => 100, 0))
await Effect.runPromise(make(1, () => 100_000, 0))
await Effect.runPromise(make(1000, () => 100, 0))
await Effect.runPromise(make(10_000, () => 5, 0))
await Effect.runPromise(make(10_000, () => 5, 2_000_000_000_000))
await Effect.runPromise(make(100, (h) => h === 1 ? 100_000 : 50, 0))
