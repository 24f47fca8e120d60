import { parseXml, type XmlElement, type XmlNode } from "@rgrove/parse-xml"
import type { Answer } from "../CallbackSender.ts"

/** A verb of TwiML, or an element inside a verb. */
export interface Verb {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Verb>
  /** The text of the element and of its children. */
  readonly text: string
}

/** What Twilio does with an answer. */
export interface Instructions {
  /** The seconds after which Twilio ends the call. Null when the conversation decides. */
  readonly seconds: number | null
  /** Why Twilio cannot use the answer, with its own number of the error. Null when it can. */
  readonly error: string | null
}

/** The seconds that the fake takes for a sentence, and for the message about an error of the application. */
export const sentenceSeconds = 3

/** The maximum size of TwiML in bytes, and the maximum length of a URL and of a parameter in characters. */
const limits = { bytes: 64_000, url: 4_000, parameter: 499 }

const conversations = new Set(["Connect", "Redirect", "Dial", "Gather"])

const isElement = (node: XmlNode): node is XmlElement => node.type === "element"

const verbOf = (element: XmlElement): Verb => ({
  name: element.name,
  attributes: { ...element.attributes },
  children: element.children.filter(isElement).map(verbOf),
  text: element.text
})

/**
 * Parses TwiML and returns its verbs.
 *
 * @throws when the text is not well-formed XML, or is not TwiML
 */
export const parseTwiml = (text: string): ReadonlyArray<Verb> => {
  const { root } = parseXml(text)
  if (root?.name !== "Response") throw new Error("the root element is not Response")
  return root.children.filter(isElement).map(verbOf)
}

/** Returns what is wrong with a verb and its children, or undefined when Twilio accepts them. */
const problemOf = (verb: Verb): string | undefined => {
  switch (verb.name) {
    case "Stream": {
      const url = URL.parse(verb.attributes["url"] ?? "")
      if (url?.protocol !== "wss:") return "31922: the URL of a stream must begin with wss://"
      return url.search === "" ? firstProblem(verb.children) : "31920: the URL of a stream has a query"
    }
    case "Parameter": {
      const { name = "", value = "" } = verb.attributes
      return name.length + value.length > limits.parameter ? "31103: a parameter is too long" : undefined
    }
    case "Redirect": {
      const isUsable = /^https?:$/.test(URL.parse(verb.text)?.protocol ?? "") && verb.text.length <= limits.url
      return isUsable ? undefined : "11100: the URL of a redirect is not valid"
    }
    default:
      return firstProblem(verb.children)
  }
}

const firstProblem = (verbs: ReadonlyArray<Verb>): string | undefined =>
  verbs.map(problemOf).find((problem) => problem !== undefined)

/** Returns the seconds after which verbs end a call, or null when a conversation decides. */
const secondsOf = (verbs: ReadonlyArray<Verb>): number | null => {
  let seconds = 0
  for (const { attributes, name } of verbs) {
    if (name === "Hangup") break
    if (conversations.has(name)) return null
    if (name === "Say") seconds += sentenceSeconds
    if (name === "Pause") seconds += Number(attributes["length"] ?? 1)
  }
  return seconds
}

const failed = (error: string): Instructions => ({ seconds: sentenceSeconds, error })

/**
 * Returns what Twilio does with an answer. It neither follows a redirect nor connects a stream: a conversation has no audio.
 *
 * @param answer null when the server did not answer
 */
export const instructionsOf = (answer: Answer | null): Instructions => {
  if (answer === null) return failed("11205: the server did not answer")
  const { body, contentType, status } = answer
  if (status < 200 || status > 299) return failed(`11200: the server answered ${status}`)
  if (!/^(?:text|application)\/xml\b/i.test(contentType)) return failed("12300: the content type is not XML")
  if (Buffer.byteLength(body) > limits.bytes) return failed("11750: the TwiML is too large")
  try {
    const verbs = parseTwiml(body)
    const problem = firstProblem(verbs)
    return problem === undefined ? { seconds: secondsOf(verbs), error: null } : failed(problem)
  } catch (error) {
    return failed(`12100: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : "the TwiML is not XML"}`)
  }
}
