import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import type { Settings } from "./settings/Settings.ts"

/** Where Linux keeps a random id of its boot: no two machines have the same. */
const linuxBootId = "/proc/sys/kernel/random/boot_id"

/**
 * What tells this machine from others: its name, and where it can be read the id of its boot, since names may be given
 * twice.
 */
const machine = (bootId: string): string => {
  try {
    return `${hostname()} ${readFileSync(bootId, "utf8").trim()}`
  } catch {
    return hostname()
  }
}

/**
 * The name under which a server leases deliveries and tasks: the machine, and the address that is listened on. No two
 * processes have it at once, and after a restart it is the same, so that what the process before held is free at once;
 * not after a reboot. None for a port that the system chooses.
 */
export const make = ({ host, port }: Pick<Settings, "host" | "port">, bootId = linuxBootId): string | null =>
  port === 0 ? null : `${machine(bootId)} ${host}:${port}`
