import { RetellFunction, type Tool, Tools, VapiToolCalls } from "@frontdesk/agent-tools"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { usage } from "./CommandFailure.ts"
import * as Parameters from "./Parameters.ts"

const toolName: TextReader<Tools.ToolName> = SettingCodecs.choice(
  Object.fromEntries(Tools.toolNames.map((name) => [name, name]))
)

/** Reads an address to which Retell can send requests. */
const httpUrl: TextReader<string> = (text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
    ? Result.succeed(text)
    : Result.fail("an address that begins with https://, such as https://example.com/tools")
}

/** Returns a tool in the format of a platform. Only Retell needs the address. */
type Definition = (tool: Tool.Tool, url: string) => object

type Format = "json" | "retell" | "vapi"

const format: TextReader<Format> = SettingCodecs.choice<Format>({ json: "json", retell: "retell", vapi: "vapi" })

const definitions: Readonly<Record<Format, Definition>> = {
  json: ({ argumentsSchema, description, name }) => ({ name, description, parameters: argumentsSchema }),
  retell: RetellFunction.definition,
  vapi: VapiToolCalls.definition
}

/** The command `frontdesk tools`. It needs neither a database nor settings. */
export const tools = Command.make(
  "tools",
  {
    format: Parameters.readFlag("format", format).pipe(
      Flag.withMetavar("FORMAT"),
      Flag.withDescription(
        "vapi: tools of an assistant at Vapi. retell: custom functions of an agent at Retell. json: name, description and " +
          "JSON Schema of the arguments (default: json)"
      ),
      Flag.withDefault<Format>("json")
    ),
    url: Parameters.readFlag("url", httpUrl).pipe(
      Flag.withMetavar("URL"),
      Flag.withDescription(
        "The address to which Retell sends the calls of tools. Only for --format retell, which needs it"
      ),
      Flag.optional
    ),
    tool: Parameters.readFlag("tool", toolName).pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Print only this tool. Can be repeated (default: all tools)"),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function* ({ format, tool, url }) {
    const isRetell = format === "retell"
    if (isRetell && Option.isNone(url)) {
      return yield* usage("--format retell needs --url, the address to which Retell sends the calls of tools")
    }
    if (!isRetell && Option.isSome(url)) return yield* usage("--url is only for --format retell")
    const address = Option.getOrElse(url, () => "")
    const printed = Tools.toolNames
      .filter((name) => tool.length === 0 || tool.includes(name))
      .map((name) => definitions[format](Tools.byName[name], address))
    yield* Console.log(JSON.stringify(printed, null, 2))
  })
).pipe(
  Command.withShortDescription("Print the definitions of the tools for agents"),
  Command.withDescription(
    "Prints the definitions of the tools that a voice agent calls, as a JSON list in the format of a platform. It needs neither " +
      "a database nor settings."
  )
)
