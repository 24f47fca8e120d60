/** Gives the browser a file to save, made of texts that follow each other. */
export const download = (name: string, type: string, texts: ReadonlyArray<string>): void => {
  const url = URL.createObjectURL(new Blob([...texts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the address after the click, so it is freed only later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
