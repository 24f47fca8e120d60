import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as SuiteOptions from "./suiteOptions.ts"

calendarSyncSuite("google", SuiteOptions.sync, SuiteOptions.options)
