import { useSession } from "../app/Session.tsx"

/** A date and a time of day in the zone of the account. In a narrow place, the line breaks between them and nowhere else. */
export const Time = ({ at }: { readonly at: string }) => {
  const { formats } = useSession()
  const [text, date, clock] = [formats.time(at), formats.date(at), formats.clock(at)]
  // Not every language has the date first.
  const isSplit = text.startsWith(date) && text.endsWith(clock)
  return (
    <time dateTime={at}>
      {isSplit ? (
        <>
          <span className="whitespace-nowrap">{text.slice(0, -clock.length).trimEnd()}</span>{" "}
          <span className="whitespace-nowrap">{clock}</span>
        </>
      ) : (
        text
      )}
    </time>
  )
}
