import { readFileSync } from "node:fs"
import { hostname, platform } from "node:os"
import type { Settings } from "./settings/Settings.ts"

/** Where Linux keeps a random id of its boot: no two machines have the same. */
const bootId = "/proc/sys/kernel/random/boot_id"

/** What tells this machine from others: its name, and on Linux its boot, since names may be given twice. */
const machine = (): string =>
  platform() === "linux" ? `${hostname()} ${readFileSync(bootId, "utf8").trim()}` : hostname()

/**
 * The name under which a server leases deliveries and tasks: the machine, and the address that is listened on. No two
 * processes have it at once, and after a restart it is the same, so that what the process before held is free at once; not
 * after a reboot. None for a port that the system chooses.
 */
export const make = ({ host, port }: Pick<Settings, "host" | "port">): string | null =>
  port === 0 ? null : `${machine()} ${host}:${port}`
