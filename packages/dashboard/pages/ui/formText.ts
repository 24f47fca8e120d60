/** Returns the text of a field of a form, and an empty one for a field that the form does not have. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}
