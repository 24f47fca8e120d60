import { setTimeout as sleep } from "node:timers/promises"
import * as Client from "./Client.ts"
import { type KillName, killPoints, whileIdle } from "./KillPoint.ts"
import * as Bundle from "../support/bundle.ts"
import type { Ledger } from "./Ledger.ts"
import type { Receivers } from "./Receivers.ts"
import * as Records from "./Records.ts"
import * as Script from "./Script.ts"
import * as ServerProcess from "./ServerProcess.ts"
import type { WorldDatabase } from "./WorldDatabase.ts"

/** The waits before the retries, in milliseconds. */
export const delays = [200, 300, 400]

const keyOf = (version: string): string => `${version}:${Buffer.from(version.repeat(16)).toString("base64")}`

/** After so many lives a new key comes in front of those that seal secrets. */
const livesOfKey = 20

const keysOf = (life: number): string => (life <= livesOfKey ? keyOf("v1") : `${keyOf("v2")},${keyOf("v1")}`)

const settings = ({ database, isKnownAgain, isSealed }: Place, life: number, name: string) => ({
  FRONTDESK_DATABASE_URL: database.urlAs(name),
  ...(isSealed && { FRONTDESK_SECRET_KEYS: keysOf(life) }),
  FRONTDESK_WEBHOOK_RETRY_DELAYS: delays.map((delay) => `${delay} ms`).join(),
  FRONTDESK_WEBHOOK_TIMEOUT: "600 ms",
  // One that is not freed at the start does not run out while the end is waited for.
  FRONTDESK_WEBHOOK_LEASE: isKnownAgain ? "10 minutes" : "10600 ms",
  FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
  FRONTDESK_SIMULATED_CALL_PACE: "100",
  FRONTDESK_RATE_LIMIT: "off"
})

/** How long a server may do nothing before more is asked of it that leads to the point of its round. */
const idle = 1_000

/** How long a server is waited for that has been asked everything, until it is killed all the same. */
const longestIdle = 30_000

/** How often a kill by the clock is tried again when it found the server idle. */
const mostClockTries = 20

/** How often it is tried to cancel a delivery. */
const mostCancelTries = 20

/** For how long a server may come to rest at the end: leases that run out take 11 s of it. */
const patience = 45_000

/**
 * The lives of one server: processes that have the same database, one after the other. Others may live beside it on that
 * database, and are left alone.
 */
export interface Lives {
  /** Kills a server while it starts, which may make the database first. */
  readonly duringStart: (lateness: number) => Promise<void>
  /** Lets a server make the webhooks that last, and kills it. */
  readonly setUp: () => Promise<void>
  /** Runs a round and kills the server at its point, or after a while if the point is not reached. */
  readonly live: (round: Script.Round) => Promise<void>
  /** Brings about what every world ends with, whatever its rounds did. */
  readonly close: () => Promise<void>
  /** Lets a server come to rest, and stops it; answers how much was left to do when patience ended. */
  readonly settle: () => Promise<number>
  /** Kills the server that runs, if one does. */
  readonly end: () => Promise<void>
  /** How often the server was killed, by point. */
  readonly kills: ReadonlyMap<KillName, number>
  /** What each server has logged. */
  readonly logs: ReadonlyArray<string>
}

/** Where the lives are lived. */
export interface Place {
  readonly folder: string
  readonly database: WorldDatabase
  /** Whether each server leases under the name of the one before. */
  readonly isKnownAgain: boolean
  /** Whether servers have keys to seal secrets with. */
  readonly isSealed: boolean
  /** How many servers live at the same time. */
  readonly nodes: number
  readonly seed: number
  readonly receivers: Receivers
  readonly ledger: Ledger
}

/** The lives of a server in a folder; none has begun. */
export const make = async (place: Place): Promise<Lives> => {
  const { database, folder, isKnownAgain, ledger, nodes, receivers, seed } = place
  const program = await Bundle.path("child")
  const port = isKnownAgain ? await ServerProcess.freePort(seed) : 0
  const client = Client.make(ledger, receivers)
  const kills = new Map<KillName, number>()
  const logs: Array<string> = []
  const others: Array<ServerProcess.ServerProcess> = []
  let last: ServerProcess.ServerProcess | null = null
  let life = 0

  const count = (name: KillName): void => void kills.set(name, (kills.get(name) ?? 0) + 1)

  const launch = (port: number, kill: ServerProcess.StartOptions["kill"], life: number, name: string) => {
    const server = ServerProcess.start({ program, folder, port, kill, settings: settings(place, life, name) })
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

  /** Ends a server as an operator does. */
  const stop = async (server: ServerProcess.ServerProcess): Promise<void> => {
    server.stop()
    const { code } = await server.ended
    if (code !== 0) throw new Error(`The server ended with ${code}: ${server.log()}`)
  }

  /** Kills a server that must not have ended by itself, and waits until it is gone. */
  const strike = async (server: ServerProcess.ServerProcess): Promise<void> => {
    const isByItself = server.hasEnded()
    server.kill()
    const { code, signal } = await server.ended
    if (isByItself || signal !== "SIGKILL") throw new Error(`The server ended by itself with ${code}: ${server.log()}`)
  }

  /** Counts a kill at no point of the server by what it left undone; returns whether it left anything. */
  const countRandom = async (server: ServerProcess.ServerProcess, before: ReadonlySet<string>): Promise<boolean> => {
    const isBusy = server.wasAsked() || [...(await Records.begun(database))].some((name) => !before.has(name))
    count(isBusy ? "at a random time" : whileIdle)
    return isBusy
  }

  const startWhole = async (): Promise<ServerProcess.ServerProcess> => {
    const server = start(null)
    if (!(await server.listening)) throw new Error(`The server does not start: ${server.log()}`)
    return server
  }

  /**
   * Starts a server that is to come to rest. A claim that PostgreSQL commits after its process was killed may come after
   * the release of the leases, and then lasts for its whole lease: longer than this test waits.
   */
  const startWhenQuiet = async (): Promise<ServerProcess.ServerProcess> => {
    await database.hasLeft(`life ${life}`)
    return startWhole()
  }

  const duringStart = async (lateness: number): Promise<void> => {
    const server = start(null)
    await Promise.race([sleep(150 + lateness * 700), server.listening])
    await strike(server)
    count("during start")
  }

  const setUp = async (): Promise<void> => {
    const server = await startWhole()
    await client.setUp(server)
    await strike(server)
    await countRandom(server, new Set())
    while (others.length < nodes - 1) {
      // It outlives the change of keys, and is not asked to seal anything.
      const other = launch(0, null, livesOfKey + 1, "other")
      others.push(other)
      if (!(await other.listening)) throw new Error(`The server does not start: ${other.log()}`)
    }
  }

  /** Kills some time after an operation was begun, answered or not. */
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
    await strike(server)
    await performed
    if (await countRandom(server, before)) return
    // Nothing was under way then. A request that has just been written is.
    for (let tries = 0; tries < mostClockTries; tries += 1) {
      const server = await startWhole()
      await client.catchUp(server)
      const performed = client.perform(server, { _tag: "TestWebhook", pick: 0 })
      await strike(server)
      await performed
      if (await countRandom(server, before)) return
    }
  }

  const live = async (round: Script.Round): Promise<void> => {
    const { where } = killPoints[round.kill]
    if (where.by === "start") return duringStart(round.lateness)
    await receivers.setDead(round.isDead)
    if (where.by === "clock") return liveByClock(round)
    const before = await Records.begun(database)
    const { pass } = round
    const server = start(
      where.by === "server" ? { signal: "SIGKILL", point: where.point, when: where.when, pass } : null
    )
    let isStruck = false
    const strikeNow = (): void => {
      isStruck = true
      server.kill()
    }
    receivers.onWhole(where.by === "receiver" ? { pass, run: strikeNow } : null)
    if (await server.listening) {
      await client.catchUp(server)
      for (const operation of round.operations) {
        if (server.hasEnded()) break
        await client.perform(server, operation)
      }
      // Another server may do what leads to the point; then it is not waited for.
      for (const operation of nodes === 1 ? round.more : []) {
        await Promise.race([server.ended, sleep(idle)])
        if (server.hasEnded()) break
        await client.perform(server, operation)
      }
      await Promise.race([server.ended, sleep(nodes === 1 ? longestIdle : idle)])
    }
    const isReached = isStruck || (server.hasEnded() && where.by === "server")
    receivers.onWhole(null)
    if (isReached) {
      const { code, signal } = await server.ended
      if (signal !== "SIGKILL") throw new Error(`The server ended with ${code}: ${server.log()}`)
      count(round.kill)
    } else {
      await strike(server)
      await countRandom(server, before)
    }
  }

  /** Waits until nothing is left to do; returns how much was when patience ended. */
  const comeToRest = async (): Promise<number> => {
    const until = Date.now() + patience
    let left = await Records.unsettled(database)
    while (left > 0 && Date.now() < until) {
      await sleep(100)
      left = await Records.unsettled(database)
    }
    return left
  }

  const close = async (): Promise<void> => {
    await receivers.setDead(false)
    const server = await startWhenQuiet()
    await client.catchUp(server)
    const perform = async (operations: ReadonlyArray<Script.Operation>): Promise<void> => {
      for (const operation of operations) await client.perform(server, operation)
      await comeToRest()
    }
    await perform(Script.closing.operations)
    await perform(Script.closing.afterwards)
    // One is too late if all attempts were made before the webhook was off; the next pair turns it on again.
    for (let time = 1; time <= mostCancelTries && (await Records.cancelled(database)) === 0; time += 1) {
      await perform(Script.closing.cancelling(time))
    }
    await stop(server)
    for (const round of Script.closing.rounds) await live(round)
  }

  const settle = async (): Promise<number> => {
    await receivers.setDead(false)
    const server = await startWhenQuiet()
    await client.catchUp(server)
    const left = await comeToRest()
    for (const each of [server, ...others]) await stop(each)
    return left
  }

  return { duringStart, setUp, live, close, settle, end, kills, logs }
}
