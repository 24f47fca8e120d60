/** A TypeScript program in a page. */
export interface Fence {
  /** The page, as a path from the root of the workspace. */
  readonly page: string
  /** The line of the page on which the code begins, counted from 1. */
  readonly line: number
  readonly code: string
  /** Whether the code is run. False if the page gives a reason why it is only checked. */
  readonly runs: boolean
}

/** A file of the workspace that a page shows completely. It is checked and run at its own place. */
export interface ShownFile {
  readonly page: string
  readonly line: number
  readonly code: string
  /** The path from the root of the workspace. */
  readonly file: string
}

/** A fence that is not well formed. */
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
 * Returns the `ts` fences of a Markdown page.
 *
 * A fence that begins with `ts no-run` is checked but not run, and the next line that is not empty must give the
 * reason:
 * `<!-- not run: it places a real call -->`. A fence that begins with `ts` and a path shows that file. Fences of other
 * languages are skipped with their content, so that a page can show a fence as an example.
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
