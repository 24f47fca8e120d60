import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import type { Settings } from "./settings/Settings.ts"

/** The file in which Linux shows a random id of the current boot. Only containers of one machine have the same id. */
const linuxBootId = "/proc/sys/kernel/random/boot_id"

/**
 * Returns a text that identifies this machine: its host name and, where the file can be read, the id of its boot. Two
 * machines may have the same host name.
 */
const machine = (bootId: string): string => {
  try {
    return `${hostname()} ${readFileSync(bootId, "utf8").trim()}`
  } catch {
    return hostname()
  }
}

/**
 * Returns the name under which a server claims deliveries and tasks: the machine and the address that the server listens
 * on. Two running processes have the same name only in containers of one machine that also have the same host name.
 *
 * After a restart the name is the same, so the new process takes over at once what the old one had claimed. After a reboot
 * it differs, and the leases must run out first. Returns null when the system chooses the port, because the address then
 * differs after every start.
 */
export const make = ({ host, port }: Pick<Settings, "host" | "port">, bootId = linuxBootId): string | null =>
  port === 0 ? null : `${machine(bootId)} ${host}:${port}`

/** Returns a name for the operator: that of {@link make}, or one that the server has only until it stops. */
export const shown = (settings: Pick<Settings, "host" | "port">): string =>
  make(settings) ?? `${machine(linuxBootId)} process ${process.pid} ${crypto.randomUUID().slice(0, 8)}`
