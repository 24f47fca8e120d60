/** A piece of TypeScript in a page. */
export interface Fence {
  /** The page, as a path from the root of the workspace. */
  readonly page: string
  /** The line of the page, counted from 1, where the code begins. */
  readonly line: number
  readonly code: string
  /** False where the page says, with a reason, that the code is only checked. */
  readonly runs: boolean
}

/** A whole file of the workspace as a page shows it. It is checked and run where it is. */
export interface ShownFile {
  readonly page: string
  readonly line: number
  readonly code: string
  /** A path from the root of the workspace. */
  readonly file: string
}

/** A fence whose page breaks the rules of writing one. */
export interface BadFence {
  readonly page: string
  readonly line: number
  readonly problem: "unclosed" | "unknown word after ts" | "no-run without a reason"
}

const opening = /^( {0,3})(`{3,})ts(?:[ \t]+(.*?))?[ \t]*$/
const anyOpening = /^( {0,3})(`{3,}|~{3,})/
const path = /^[\w./-]+\.ts$/
const reason = /^<!-- not run: \S.* -->$/

/**
 * Finds the `ts` fences of a Markdown page.
 *
 * A fence opened with `ts no-run` is checked but not run, and the next line that is not empty must say why:
 * `<!-- not run: it places a real call -->`. One opened with `ts` and a path shows that file. Fences of other languages
 * are passed over whole, so an example of a fence inside a fence is no fence.
 */
export const fences = (page: string, markdown: string): ReadonlyArray<Fence | ShownFile | BadFence> => {
  const lines = markdown.split(/\r?\n/)
  const found: Array<Fence | ShownFile | BadFence> = []
  let index = 0
  while (index < lines.length) {
    const start = index
    const any = anyOpening.exec(lines[start] ?? "")
    index += 1
    if (any === null) continue
    const mark = any[2] ?? "```"
    const closing = new RegExp(`^ {0,3}${mark.slice(0, 1)}{${mark.length},}[ \\t]*$`)
    while (index < lines.length && !closing.test(lines[index] ?? "")) index += 1
    const end = index
    index += 1
    const words = opening.exec(lines[start] ?? "")
    if (words === null) continue
    const word = words[3] ?? ""
    const bad = (problem: BadFence["problem"]) => found.push({ page, line: start + 1, problem })
    const code = lines.slice(start + 1, end).join("\n")
    if (end >= lines.length) bad("unclosed")
    else if (path.test(word)) found.push({ page, line: start + 2, code, file: word })
    else if (word !== "" && word !== "no-run") bad("unknown word after ts")
    else if (word === "no-run" && !reason.test(lines.slice(end + 1).find((line) => line.trim() !== "") ?? "")) {
      bad("no-run without a reason")
    } else {
      found.push({ page, line: start + 2, code, runs: word === "" })
    }
  }
  return found
}
