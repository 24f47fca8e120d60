import * as CalendarChangeMutants from "@frontdesk/testing/mutant/calendarChange"
import * as CalendarSyncMutants from "@frontdesk/testing/mutant/calendarSync"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as SuiteOptions from "./google/suiteOptions.ts"

// The fake of `CalendarSync` has no external calendar in which a person could change something.
mutantSuite("CalendarSync, changes by a person", CalendarSyncMutants.changesByHand, (mutate, runner) =>
  calendarSyncSuite("Google", mutate(SuiteOptions.sync), { ...SuiteOptions.options, runner })
)

mutantSuite("CalendarSync, another writer", CalendarChangeMutants.otherWriter, (mutate, runner) =>
  calendarSyncSuite("Google", mutate(SuiteOptions.sync), { ...SuiteOptions.options, runner })
)

mutantSuite("CalendarSync, another calendar", CalendarChangeMutants.otherCalendar, (mutate, runner) =>
  calendarSyncSuite("Google", mutate(SuiteOptions.sync), { ...SuiteOptions.options, runner })
)
