/** Returns the text of a field of a form, without spaces around it, or an empty text without the field. */
export const textIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.trim() : ""
}
