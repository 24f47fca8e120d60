import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { setTimeout as sleep } from "node:timers/promises"
import * as Client from "./Client.ts"
import { type KillName, killPoints, whileIdle } from "./KillPoint.ts"
import type { Ledger } from "./Ledger.ts"
import type { Receivers } from "./Receivers.ts"
import * as Records from "./Records.ts"
import * as Script from "./Script.ts"
import * as ServerProcess from "./ServerProcess.ts"
import type { WorldDatabase } from "./WorldDatabase.ts"

/** The wait before each retry of a delivery, in milliseconds. */
export const delays = [200, 300, 400]

const keyOf = (version: string): string => `${version}:${Buffer.from(version.repeat(16)).toString("base64")}`

/** The number of processes after which the server gets a new secret key, in addition to the old one. */
const livesOfKey = 20

const keysOf = (life: number): string => (life <= livesOfKey ? keyOf("v1") : `${keyOf("v2")},${keyOf("v1")}`)

const settings = ({ database, isKnownAgain, isSealed }: Place, life: number, name: string) => ({
  FRONTDESK_DATABASE_URL: database.urlAs(name),
  ...(isSealed && { FRONTDESK_SECRET_KEYS: keysOf(life) }),
  FRONTDESK_WEBHOOK_RETRY_DELAYS: delays.map((delay) => `${delay} ms`).join(),
  FRONTDESK_WEBHOOK_TIMEOUT: "600 ms",
  // If a lease is not recovered at the start, it does not run out during the test, and the test fails.
  FRONTDESK_WEBHOOK_LEASE: isKnownAgain ? "10 minutes" : "10600 ms",
  FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
  FRONTDESK_SIMULATED_CALL_PACE: "100",
  FRONTDESK_RATE_LIMIT: "off"
})

/**
 * How long the test waits for the kill point before it sends another operation that leads to the point, in
 * milliseconds.
 */
const idleTime = 1_000

/** How long the test waits for the kill point after the last operation before it kills the server anyway. */
const maxIdleTime = 30_000

/** The maximum number of further kills at a random time when the server was idle at the first. */
const maxClockTries = 20

/** The maximum number of tries to cancel a delivery. */
const maxCancelTries = 20

/** How long the server may take to finish all work at the end. Leases that run out take 11 seconds. */
const maxSettleTime = 45_000

/**
 * The lives of one server: consecutive processes on the same database. Other servers may run on the database at the
 * same time, and are not killed.
 */
export interface Lives {
  /** Kills a server while it starts, which may include creating the database. */
  readonly duringStart: (lateness: number) => Promise<void>
  /** Starts a server, creates the webhooks that no operation changes, and kills the server. */
  readonly setUp: () => Promise<void>
  /** Runs a round and kills the server at its kill point, or after a while if it does not reach the point. */
  readonly live: (round: Script.Round) => Promise<void>
  /** Runs the operations of {@link Script.closing}, so that each invariant is checked in every world. */
  readonly close: () => Promise<void>
  /** Lets a server finish all work and stops it. Returns how much work was left after the maximum time. */
  readonly settle: () => Promise<number>
  /** Kills all servers that still run. */
  readonly end: () => Promise<void>
  /** The number of kills by kill point. */
  readonly kills: ReadonlyMap<KillName, number>
  /** The log of each server that has ended. */
  readonly logs: ReadonlyArray<string>
}

/** Options of the lives of a server. */
export interface Place {
  readonly folder: string
  readonly database: WorldDatabase
  /** Whether each process has the same node name. */
  readonly isKnownAgain: boolean
  /** Whether servers have secret keys. */
  readonly isSealed: boolean
  /** The number of servers that run at the same time. */
  readonly nodes: number
  readonly seed: number
  readonly receivers: Receivers
  readonly ledger: Ledger
}

/** Prepares the lives of a server, without starting a process. */
export const make = async (place: Place): Promise<Lives> => {
  const { database, folder, isKnownAgain, ledger, nodes, receivers, seed } = place
  ServerProcess.prepare()
  const port = isKnownAgain ? await freePort(seed) : 0
  const client = Client.make(ledger, receivers)
  const kills = new Map<KillName, number>()
  const logs: Array<string> = []
  const others: Array<ServerProcess.ServerProcess> = []
  let last: ServerProcess.ServerProcess | null = null
  let life = 0

  const count = (name: KillName): void => void kills.set(name, (kills.get(name) ?? 0) + 1)

  const launch = (port: number, kill: ServerProcess.StartOptions["kill"], life: number, name: string) => {
    const server = ServerProcess.start({ folder, port, kill, settings: settings(place, life, name) })
    void server.ended.then(() => logs.push(server.log()))
    return server
  }

  const start = (kill: ServerProcess.StartOptions["kill"]) => {
    life += 1
    last = launch(port, kill, life, `life ${life}`)
    return last
  }

  const end = async (): Promise<void> => {
    for (const server of [...others, ...(last === null ? [] : [last])]) {
      server.kill()
      await server.ended
    }
  }

  /** Stops a server with SIGTERM. Throws when its exit code is not 0. */
  const stop = async (server: ServerProcess.ServerProcess): Promise<void> => {
    server.stop()
    const { code } = await server.ended
    if (code !== 0) throw new Error(`The server ended with ${code}: ${server.log()}`)
  }

  /** Kills a server and waits for its end. Throws when the server has ended by itself. */
  const killNow = async (server: ServerProcess.ServerProcess): Promise<void> => {
    const isByItself = server.hasEnded()
    server.kill()
    const { code, signal } = await server.ended
    if (isByItself || signal !== "SIGKILL") throw new Error(`The server ended by itself with ${code}: ${server.log()}`)
  }

  /** Counts a kill at a random time, or as one while idle if no work was unfinished. Returns whether some was. */
  const countRandom = async (server: ServerProcess.ServerProcess, before: ReadonlySet<string>): Promise<boolean> => {
    const isBusy = server.hasUnanswered() || [...(await Records.begun(database))].some((name) => !before.has(name))
    count(isBusy ? "at a random time" : whileIdle)
    return isBusy
  }

  const startWhole = async (): Promise<ServerProcess.ServerProcess> => {
    const server = start(null)
    if (!(await server.listening)) throw new Error(`The server does not start: ${server.log()}`)
    return server
  }

  /**
   * Starts a server after PostgreSQL has ended the sessions of the killed one. Otherwise PostgreSQL could commit a
   * claim of the killed process after the lease recovery, and the test would have to wait for the whole lease.
   */
  const startWhenQuiet = async (): Promise<ServerProcess.ServerProcess> => {
    await database.hasLeft(`life ${life}`)
    return startWhole()
  }

  const duringStart = async (lateness: number): Promise<void> => {
    const server = start(null)
    await Promise.race([sleep(150 + lateness * 700), server.listening])
    await killNow(server)
    count("during start")
  }

  const setUp = async (): Promise<void> => {
    const server = await startWhole()
    await client.setUp(server)
    await killNow(server)
    await countRandom(server, new Set())
    while (others.length < nodes - 1) {
      // It has all keys, because it continues to run when the killed server gets the new key.
      const other = launch(0, null, livesOfKey + 1, "other")
      others.push(other)
      if (!(await other.listening)) throw new Error(`The server does not start: ${other.log()}`)
    }
  }

  /** Kills the server up to 100 ms after the begin of an operation, whether it has been answered or not. */
  const liveByClock = async ({ lateness, operations }: Script.Round): Promise<void> => {
    const before = await Records.begun(database)
    const server = await startWhole()
    await client.catchUp(server)
    const place = lateness * operations.length
    const [aim, ...skipped] = operations.slice(Math.floor(place))
    for (const operation of operations.slice(0, operations.length - skipped.length - 1)) {
      await client.perform(server, operation)
    }
    const performed = aim === undefined ? Promise.resolve() : client.perform(server, aim)
    await sleep((place % 1) * 100)
    await killNow(server)
    await performed
    if (await countRandom(server, before)) return
    // The server was idle. The next kills follow directly after a request, which is then unfinished.
    for (let tries = 0; tries < maxClockTries; tries += 1) {
      const server = await startWhole()
      await client.catchUp(server)
      const performed = client.perform(server, { _tag: "TestWebhook", pick: 0 })
      await killNow(server)
      await performed
      if (await countRandom(server, before)) return
    }
  }

  const live = async (round: Script.Round): Promise<void> => {
    const { where } = killPoints[round.kill]
    if (where.by === "start") return duringStart(round.lateness)
    await receivers.setIntermittentClosed(round.areIntermittentClosed)
    if (where.by === "clock") return liveByClock(round)
    const before = await Records.begun(database)
    const { pass } = round
    const server = start(
      where.by === "server" ? { signal: "SIGKILL", point: where.point, when: where.when, pass } : null
    )
    let isKilled = false
    const killServer = (): void => {
      isKilled = true
      server.kill()
    }
    receivers.onWhole(where.by === "receiver" ? { pass, run: killServer } : null)
    if (await server.listening) {
      await client.catchUp(server)
      for (const operation of round.operations) {
        if (server.hasEnded()) break
        await client.perform(server, operation)
      }
      // With several servers another one may reach the point, so the test does not wait for it.
      for (const operation of nodes === 1 ? round.more : []) {
        await Promise.race([server.ended, sleep(idleTime)])
        if (server.hasEnded()) break
        await client.perform(server, operation)
      }
      await Promise.race([server.ended, sleep(nodes === 1 ? maxIdleTime : idleTime)])
    }
    const isReached = isKilled || (server.hasEnded() && where.by === "server")
    receivers.onWhole(null)
    if (isReached) {
      const { code, signal } = await server.ended
      if (signal !== "SIGKILL") throw new Error(`The server ended with ${code}: ${server.log()}`)
      count(round.kill)
    } else {
      await killNow(server)
      await countRandom(server, before)
    }
  }

  /** Waits until no work is left. Returns how much was left after the maximum time. */
  const comeToRest = async (): Promise<number> => {
    const until = Date.now() + maxSettleTime
    let left = await Records.unsettled(database)
    while (left > 0 && Date.now() < until) {
      await sleep(100)
      left = await Records.unsettled(database)
    }
    return left
  }

  const close = async (): Promise<void> => {
    await receivers.setIntermittentClosed(false)
    const server = await startWhenQuiet()
    await client.catchUp(server)
    const perform = async (operations: ReadonlyArray<Script.Operation>): Promise<void> => {
      for (const operation of operations) await client.perform(server, operation)
      await comeToRest()
    }
    await perform(Script.closing.operations)
    await perform(Script.closing.afterwards)
    // A try fails if all attempts were made before the webhook was turned off. The next try turns the webhook on again.
    for (let time = 1; time <= maxCancelTries && (await Records.cancelled(database)) === 0; time += 1) {
      await perform(Script.closing.cancelling(time))
    }
    await stop(server)
    for (const round of Script.closing.rounds) await live(round)
  }

  const settle = async (): Promise<number> => {
    await receivers.setIntermittentClosed(false)
    const server = await startWhenQuiet()
    await client.catchUp(server)
    const left = await comeToRest()
    for (const each of [server, ...others]) await stop(each)
    return left
  }

  return { duringStart, setUp, live, close, settle, end, kills, logs }
}
