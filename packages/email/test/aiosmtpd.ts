import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { certificate, key } from "./certificate.ts"

/**
 * The program of the mail server. It requires STARTTLS and a login. For each message it writes a line of JSON with what Python's
 * email module has parsed. It ends when its input ends.
 */
const program = `
import asyncio, email, email.policy, json, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult

class Handler:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        calendars = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
        print(json.dumps({
            "to": envelope.rcpt_tos,
            "isEncrypted": session.ssl is not None,
            "header": {"to": str(mail["To"]), "subject": str(mail["Subject"]), "id": str(mail["Message-ID"])},
            "methods": [part.get_param("method") for part in calendars],
            "calendars": [part.get_content() for part in calendars],
            "types": [part.get_content_type() for part in mail.walk()],
            "defects": [str(defect) for part in mail.walk() for defect in part.defects],
        }), flush=True)
        return "250 taken"

def login(server, session, envelope, mechanism, auth):
    return AuthResult(success=auth.login == b"desk" and auth.password == b"s3cret", handled=False)

async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    loop = asyncio.get_running_loop()
    make = lambda: SMTP(Handler(), tls_context=context, require_starttls=True, auth_required=True, authenticator=login)
    server = await loop.create_server(make, "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)

asyncio.run(main())
`

/** The Python with aiosmtpd. Debian's Python is tried too, because another one may come first on the PATH. */
const python = ["python3", "/usr/bin/python3"].find((name) => {
  try {
    execFileSync(name, ["-c", "import aiosmtpd.smtp"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})

/** Whether the mail server is installed: Debian's package python3-aiosmtpd. */
export const isInstalled: boolean = python !== undefined

const Started = Schema.fromJsonString(Schema.Struct({ port: Schema.Int }))

const Received = Schema.fromJsonString(
  Schema.Struct({
    to: Schema.Array(Schema.String),
    isEncrypted: Schema.Boolean,
    header: Schema.Struct({ to: Schema.String, subject: Schema.String, id: Schema.String }),
    methods: Schema.Array(Schema.String),
    calendars: Schema.Array(Schema.String),
    types: Schema.Array(Schema.String),
    defects: Schema.Array(Schema.String)
  })
)

/** Starts the mail server. Returns its port, and an effect that waits for the next message. It stops when the scope ends. */
export const start = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-aiosmtpd-"))
    const [certificateFile, keyFile] = [join(folder, "certificate.pem"), join(folder, "key.pem")]
    writeFileSync(certificateFile, certificate)
    writeFileSync(keyFile, key)
    const child = spawn(python ?? "python3", ["-c", program, certificateFile, keyFile], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    return { child, folder, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  }),
  ({ child, folder }) =>
    Effect.callback<void>((resume) => {
      child.once("exit", () => {
        rmSync(folder, { recursive: true })
        resume(Effect.void)
      })
      child.stdin.end()
    })
).pipe(
  Effect.flatMap(
    Effect.fnUntraced(function* ({ lines }) {
      const line = Effect.promise(async () => {
        const next = await lines.next()
        return next.done === true ? "" : next.value
      })
      const { port } = yield* Effect.flatMap(line, Schema.decodeUnknownEffect(Started))
      return { port, next: Effect.flatMap(line, Schema.decodeUnknownEffect(Received)) }
    })
  )
)
