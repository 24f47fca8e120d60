/** Returns the text of a field of a form, exactly as it was written. "" for a field that the form does not have. */
export const rawTextIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

/** Returns the text of a field of a form, without white space around it. */
export const textIn = (form: FormData, name: string): string => rawTextIn(form, name).trim()
