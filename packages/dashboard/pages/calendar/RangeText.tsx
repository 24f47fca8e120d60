import { useSession } from "../app/Session.tsx"
import { dayName } from "./calendarDays.ts"
import type { TimeRange } from "./eventValues.ts"
import { dateOfWall, wallOf, zoneNameAt } from "./zonedTime.ts"

/** A time with its date in the zone of the account, and the name that the zone has at this time. */
export const RangeText = ({
  range: { end, start },
  isZoneShown = false
}: {
  readonly range: TimeRange
  readonly isZoneShown?: boolean
}) => {
  const { clock, zone } = useSession().formats
  const [first, last] = [dateOfWall(wallOf(start, zone)), dateOfWall(wallOf(end, zone))]
  const [from, until] = [clock(new Date(start).toISOString()), clock(new Date(end).toISOString())]
  return (
    <span>
      {dayName(first)}, {from} – {first === last ? until : `${dayName(last)}, ${until}`}
      {isZoneShown && ` ${zoneNameAt(start, zone)}`}
    </span>
  )
}
