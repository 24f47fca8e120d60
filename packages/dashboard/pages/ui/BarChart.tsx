import { useEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { Formats } from "./formats.ts"

/** A figure for each day. */
export interface DayFigure {
  readonly date: string
  readonly value: number
}

const height = 160

/** Returns a colour of the theme, as a canvas needs it. */
const colour = (name: string): string => {
  const probe = document.createElement("span")
  probe.style.color = `var(--color-${name})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}

const secondsOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000

const halfDay = 43_200

const draw = (target: HTMLElement, days: ReadonlyArray<DayFigure>, formats: Formats): uPlot => {
  const [ink, line, bar] = [colour("muted"), colour("line"), colour("accent")]
  const axis = { stroke: ink, font: "11px system-ui", ticks: { show: false } }
  return new uPlot(
    {
      width: target.clientWidth,
      height,
      tzDate: (seconds) => new Date(seconds * 1000),
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 16, 0, 0],
      // Half a day more on both sides, so that the first and the last bar are whole.
      scales: {
        x: { time: false, range: (_, min, max) => [min - halfDay, max + halfDay] },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] }
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          space: 60,
          incrs: [86_400, 2 * 86_400, 7 * 86_400, 14 * 86_400],
          values: (_, ticks) => ticks.map((tick) => formats.day(new Date(tick * 1000).toISOString().slice(0, 10)))
        },
        {
          ...axis,
          size: 48,
          grid: { stroke: line, width: 1 },
          values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? formats.number(tick) : ""))
        }
      ],
      series: [
        {},
        {
          fill: bar,
          stroke: bar,
          width: 0,
          ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
          points: { show: false }
        }
      ]
    },
    [days.map(({ date }) => secondsOf(date)), days.map(({ value }) => value)],
    target
  )
}

/** Bars for days, and the same figures as a table for those who do not see the bars. */
export const BarChart = ({
  days,
  formats,
  title,
  units: [one, many]
}: {
  readonly title: string
  /** What the bars count, for one and for several. */
  readonly units: readonly [one: string, many: string]
  readonly days: ReadonlyArray<DayFigure>
  readonly formats: Formats
}) => {
  const target = useRef<HTMLDivElement>(null)
  const total = days.reduce((sum, { value }) => sum + value, 0)
  useEffect(() => {
    const shown = target.current
    if (shown === null) return undefined
    let chart = draw(shown, days, formats)
    const redraw = () => {
      chart.destroy()
      chart = draw(shown, days, formats)
    }
    const size = new ResizeObserver(() => {
      if (chart.width !== shown.clientWidth) chart.setSize({ width: shown.clientWidth, height })
    })
    size.observe(shown)
    const dark = matchMedia("(prefers-color-scheme: dark)")
    dark.addEventListener("change", redraw)
    return () => {
      size.disconnect()
      dark.removeEventListener("change", redraw)
      chart.destroy()
    }
  }, [days, formats])
  return (
    <figure className="grid min-w-0 gap-2 p-4">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="text-sm font-medium">{title}</span>
        <span className="text-muted text-xs">{formats.counted(total, one, many)}</span>
      </figcaption>
      {total === 0 ? (
        <p className="text-muted grid h-40 place-items-center text-sm">None in these {days.length} days</p>
      ) : (
        <div ref={target} aria-hidden="true" className="h-40 min-w-0 overflow-hidden" />
      )}
      <details className="text-xs">
        <summary className="text-muted w-max">As a table</summary>
        <table className="mt-2 w-full">
          <thead>
            <tr>
              <th scope="col" className="text-left font-medium">
                Day
              </th>
              <th scope="col" className="text-right font-medium">
                {many}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, value }) => (
              <tr key={date}>
                <th scope="row" className="text-left font-normal">
                  {formats.day(date)}
                </th>
                <td className="text-right tabular-nums">{formats.number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
