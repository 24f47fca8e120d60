import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { PostgresConfig, PostgresTls } from "./ClientConfig.ts"

/** The parameters that a URL may have. */
const parameters = [
  "application_name",
  "channel_binding",
  "connect_timeout",
  "dbname",
  "host",
  "options",
  "password",
  "port",
  "sslmode",
  "sslrootcert",
  "user"
]

/**
 * What each `sslmode` of a URL checks. Unlike in libpq, `require` checks everything, because a connection that an
 * attacker can take over is not what the word promises (D-PG-7). `no-verify` encrypts and checks nothing.
 */
const modes = new Map<string, PostgresTls["verify"] | false>([
  ["disable", false],
  ["no-verify", "none"],
  ["require", "full"],
  ["verify-ca", "ca"],
  ["verify-full", "full"]
])

/**
 * Returns how a URL wants its connections encrypted. Fails with what is wrong with the URL, without showing any of it.
 */
export const tlsOf = (secret: Redacted.Redacted): Result.Result<boolean | PostgresTls, string> => {
  const url = URL.parse(Redacted.value(secret))
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    return Result.fail("expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")
  }
  // A reserved character in a password ends it. The rest of the password is then read as path, query or fragment.
  if (
    /[/@]/.test(url.pathname.slice(1)) ||
    url.hash !== "" ||
    [...url.searchParams.keys()].some((name) => /\W/.test(name))
  ) {
    return Result.fail("a / or @ in the password must be written %2F or %40, a ? or # %3F or %23")
  }
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    return Result.fail(`the parameter ${unknown} is not supported; supported are ${parameters.join(", ")}`)
  }
  if (url.searchParams.get("channel_binding") === "require") {
    return Result.fail("channel_binding=require is not supported; leave it out, sslmode=require checks the certificate")
  }
  if (![url.hostname, url.username, url.password, url.pathname].every(isDecodable)) {
    return Result.fail("a % that begins no encoded character must be written %25")
  }
  const timeout = url.searchParams.get("connect_timeout")
  if (timeout !== null && !/^\d{1,6}$/.test(timeout)) {
    return Result.fail("connect_timeout must be a whole number of seconds")
  }
  const port = url.searchParams.get("port")
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    return Result.fail("port must be a whole number from 1 to 65535")
  }
  const mode = url.searchParams.get("sslmode")
  const verify = modes.get(mode ?? "disable")
  if (verify === undefined) return Result.fail(`sslmode must be one of ${[...modes.keys()].join(", ")}`)
  const file = url.searchParams.get("sslrootcert")
  if (verify === false) {
    return file === null ? Result.succeed(false) : Result.fail("sslrootcert needs a sslmode that encrypts")
  }
  if (file === null || file === "system") return Result.succeed({ verify })
  return Result.try({
    try: (): PostgresTls => ({ verify, ca: readFileSync(file, "utf8") }),
    catch: () => "sslrootcert must be the path of a file that can be read"
  })
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Returns the TLS options for Node. */
export const tlsOptions = (tls: boolean | PostgresTls): boolean | ConnectionOptions => {
  if (typeof tls === "boolean") return tls
  return {
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.verify === "ca" && { checkServerIdentity: () => undefined }),
    ...(tls.verify === "none" && { rejectUnauthorized: false })
  }
}

/** Returns the host, port and name of a database without its credentials. */
export const show = ({ database, host, port, url: secret }: PostgresConfig): string => {
  const url = secret === undefined ? null : URL.parse(Redacted.value(secret))
  const from = (name: string) => url?.searchParams.get(name) || undefined
  const atHost = host ?? from("host") ?? (url?.hostname || "localhost")
  const atPort = port ?? from("port") ?? (url?.port || 5432)
  const name = database ?? from("dbname") ?? url?.pathname.slice(1) ?? ""
  return `${atHost}:${atPort}/${name}`
}

/** Returns a parameter of a URL. */
export const parameter = (secret: Redacted.Redacted, name: string): string | undefined =>
  URL.parse(Redacted.value(secret))?.searchParams.get(name) ?? undefined

/** Returns a URL without the parameters that this package applies itself, because the driver supports less of them. */
export const forDriver = (secret: Redacted.Redacted): Redacted.Redacted => {
  const url = new URL(Redacted.value(secret))
  for (const name of ["sslmode", "sslrootcert", "channel_binding"]) url.searchParams.delete(name)
  return Redacted.make(url.href)
}
