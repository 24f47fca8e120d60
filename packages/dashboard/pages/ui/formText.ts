/** Returns a text of a form, with line ends as the API has them: browsers send each as two characters. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : ""
}
