/** Returns the text of a field of a form, without white space around it. "" for a field that the form does not have. */
export const textIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.trim() : ""
}
