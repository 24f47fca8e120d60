PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "frontdesk_migration" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
);
INSERT INTO frontdesk_migration VALUES(1,'2026-11-24 15:20:44','initial');
INSERT INTO frontdesk_migration VALUES(3,'2026-11-24 15:20:44','snapshots');
INSERT INTO frontdesk_migration VALUES(4,'2026-11-24 15:20:44','do_not_call');
INSERT INTO frontdesk_migration VALUES(5,'2026-11-24 15:20:44','search_form');
INSERT INTO frontdesk_migration VALUES(6,'2026-11-24 15:20:44','idempotency_executed');
INSERT INTO frontdesk_migration VALUES(7,'2026-11-24 15:20:44','call_reservations');
INSERT INTO frontdesk_migration VALUES(8,'2026-11-24 15:20:44','reminder_start');
INSERT INTO frontdesk_migration VALUES(9,'2026-11-24 15:20:44','external_calendars_status');
INSERT INTO frontdesk_migration VALUES(12,'2026-11-24 15:20:44','call_retention');
INSERT INTO frontdesk_migration VALUES(13,'2026-11-24 15:20:44','event_invitation');
CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    partner_id INTEGER REFERENCES account (id),
    deposits INTEGER NOT NULL DEFAULT 0,
    charges INTEGER NOT NULL DEFAULT 0,
    holds INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    settings TEXT NOT NULL,
    CHECK (deposits - charges - holds >= 0)
  ) STRICT;
INSERT INTO account VALUES(1,'Acme','client',2,12345678,0,100000,1772442000123,'{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
INSERT INTO account VALUES(2,'Partner','partner',NULL,0,0,0,1772442000123,'{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
INSERT INTO account VALUES(3,'Mate','standard',NULL,0,0,0,1772442000123,'{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
CREATE TABLE team (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL
  ) STRICT;
INSERT INTO team VALUES(1,'Sales 日本');
CREATE TABLE account_team (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    team_id INTEGER NOT NULL REFERENCES team (id),
    PRIMARY KEY (account_id, position)
  ) STRICT;
INSERT INTO account_team VALUES(1,0,1);
INSERT INTO account_team VALUES(3,0,1);
CREATE TABLE api_key (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL,
    prefix TEXT NOT NULL,
    previous_expires_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
INSERT INTO api_key VALUES(1,1,'Everything','["can_read_agents","can_read_calls","can_write_calls","can_read_contacts","can_write_contacts","can_read_calendar","can_write_calendar","can_read_webhooks","can_write_webhooks"]','fd_live_efgh',1772445600123,NULL,NULL,NULL,1772442000123);
CREATE TABLE api_key_hash (
    hash TEXT NOT NULL PRIMARY KEY,
    api_key_id INTEGER NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
    is_current INTEGER NOT NULL
  ) STRICT;
INSERT INTO api_key_hash VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',1,0);
INSERT INTO api_key_hash VALUES('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',1,1);
CREATE TABLE installation (
    id TEXT NOT NULL PRIMARY KEY,
    copied TEXT
  ) STRICT;
INSERT INTO installation VALUES('b01e88a317b09ee9b4380b66a5d389de',NULL);
CREATE TABLE installation_secret (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
INSERT INTO installation_secret VALUES('links','sealed:1:v1:secret');
CREATE TABLE provisioned_ref (
    kind TEXT NOT NULL,
    account_ref TEXT NOT NULL,
    ref TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (kind, account_ref, ref)
  ) STRICT;
INSERT INTO provisioned_ref VALUES('account','','acme',1);
CREATE TABLE row_count (
    kind TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    team_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    type TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (account_id, kind, team_id, status, type)
  ) STRICT;
INSERT INTO row_count VALUES('contact',1,1,'new','lead',1);
INSERT INTO row_count VALUES('contact',1,0,'new','lead',0);
INSERT INTO row_count VALUES('call',1,0,'in_progress','outbound',1);
INSERT INTO row_count VALUES('calendar_event',1,0,'scheduled','meeting',1);
INSERT INTO row_count VALUES('contact',3,1,'new','lead',1);
INSERT INTO row_count VALUES('call',1,1,'completed','outbound',1);
INSERT INTO row_count VALUES('calendar_event',1,1,'scheduled','meeting',1);
INSERT INTO row_count VALUES('calendar_event',3,1,'scheduled','meeting',1);
CREATE TABLE idempotency_key (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER,
    body TEXT,
    token TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))),
    taken_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, executed INTEGER NOT NULL DEFAULT FALSE,
    PRIMARY KEY (account_id, method, path, name)
  ) STRICT;
INSERT INTO idempotency_key VALUES(1,'POST','/api/v1/calls','Order.1','fingerprint',201,'{"a":" "}','6020abe6c9bd991479efcfc7a5fddee6',1772442000123,1772528400123,0);
CREATE TABLE contact (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id INTEGER REFERENCES team (id),
    status TEXT NOT NULL,
    stage TEXT NOT NULL,
    search_text TEXT NOT NULL,
    first_name TEXT,
    last_name TEXT,
    email TEXT,
    company TEXT,
    website TEXT,
    address TEXT,
    city TEXT,
    state TEXT,
    zip_code TEXT,
    country TEXT,
    last_call_date INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    custom_context TEXT NOT NULL,
    industry_context TEXT NOT NULL
  ) STRICT;
INSERT INTO contact VALUES(1,1,1,'new','lead',replace(replace('zoë| leading and trailing |zoë ångström|zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; drop table contact; --|percent % underscore _ backslash \|quotes " and '' and `|line\nbreak\r\nand	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx','\r',char(13)),'\n',char(10)),'Zoë',NULL,NULL,replace(replace('| leading and trailing |Zoë Ångström|Zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; DROP TABLE contact; --|percent % underscore _ backslash \|quotes " and '' and `|line\nbreak\r\nand	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx','\r',char(13)),'\n',char(10)),NULL,NULL,NULL,NULL,NULL,NULL,-63487454399999,317341886400999,1772442000123,'{"odd":[""," leading and trailing ","Zoë Ångström","Zoë decomposed","日本語 العربية","👩‍👩‍👧‍👦 🏳️‍🌈","''; DROP TABLE contact; --","percent % underscore _ backslash \\","quotes \" and '' and `","line\nbreak\r\nand\ttab","line separator   and bell \u0007","null","{{first_name}}","xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],"nul":"a\u0000b","number":1e+300,"nested":{"a":[null,true]}}','{}');
INSERT INTO contact VALUES(3,3,1,'new','lead','max','Max',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1772442000123,1772442000123,'{}','{}');
CREATE TABLE contact_number (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    phone_number TEXT NOT NULL,
    phone_type TEXT,
    is_primary INTEGER NOT NULL,
    do_not_call INTEGER NOT NULL
  ) STRICT;
INSERT INTO contact_number VALUES(1,1,1,0,'+12025550111',NULL,1,1);
INSERT INTO contact_number VALUES(2,3,3,0,'+12025550177',NULL,1,0);
CREATE TABLE contact_tag (
    contact_id INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    team_id INTEGER,
    tag TEXT NOT NULL,
    PRIMARY KEY (contact_id, position)
  ) STRICT;
INSERT INTO contact_tag VALUES(1,0,1,1,'vip');
INSERT INTO contact_tag VALUES(1,1,1,1,'日本');
INSERT INTO contact_tag VALUES(3,0,3,1,'of a mate');
CREATE TABLE variable (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id INTEGER REFERENCES team (id),
    context_type TEXT NOT NULL,
    name TEXT NOT NULL,
    display_name TEXT NOT NULL,
    description TEXT,
    variable_type TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    select_options TEXT
  ) STRICT;
INSERT INTO variable VALUES(1,1,NULL,'contact','size','Size',NULL,'select',0,'["S","L"]');
CREATE TABLE business_value (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (account_id, name)
  ) STRICT;
INSERT INTO business_value VALUES(1,'hours','8');
INSERT INTO business_value VALUES(1,'industry','"care"');
CREATE TABLE agent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id INTEGER REFERENCES team (id),
    assistant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    phone_number TEXT,
    model TEXT NOT NULL,
    voice_id TEXT NOT NULL,
    seconds_used INTEGER NOT NULL DEFAULT 0,
    total_calls INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  ) STRICT;
INSERT INTO agent VALUES(1,1,1,'asst-7161bbfd-4eff-4668-8b86-965b61f3e1e3','Ada','outbound agent','+12025550100','gpt-x','v1',0,0,1772442000123);
INSERT INTO agent VALUES(2,3,1,'asst-6035f1d9-7373-4ff1-a9f9-702754352627','Bea','outbound agent','+12025550100','gpt-x','v1',0,0,1772442000123);
CREATE TABLE call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id INTEGER REFERENCES team (id),
    agent_id INTEGER NOT NULL REFERENCES agent (id),
    contact_id INTEGER REFERENCES contact (id) ON DELETE SET NULL,
    call_id TEXT NOT NULL,
    provider_call_id TEXT,
    status TEXT NOT NULL,
    type TEXT NOT NULL,
    phone_number TEXT NOT NULL,
    submission TEXT NOT NULL,
    billing_status TEXT NOT NULL,
    initial_charge INTEGER NOT NULL,
    final_charge INTEGER NOT NULL,
    price_per_minute INTEGER NOT NULL,
    ended_reason TEXT,
    reconcile_at INTEGER,
    reconcile_count INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    recording_url TEXT,
    summary TEXT,
    variables TEXT NOT NULL,
    metadata TEXT,
    transcript TEXT
  , agent_name TEXT, agent_assistant_id TEXT, contact_name TEXT, contact_email TEXT, contact_company TEXT, contact_status TEXT, contact_stage TEXT, reserved_minutes INTEGER NOT NULL DEFAULT 1, reserve_at INTEGER, confirmed_at INTEGER) STRICT;
INSERT INTO call VALUES(1,1,NULL,1,1,'call-54482bf7-8d4a-4493-b6d9-470fbe1bfb8f',NULL,'in_progress','outbound','+12025550111','intended','pending',0,0,0,NULL,1772442300123,0,1772442000123,NULL,1772442000123,1772442000123,NULL,NULL,'{"a":"b"}','{"order":7}',replace('hello\nhello\nhello\nhello\nhello\nhello\nhello\nhello\nhello\nhello\n','\n',char(10)),'Ada','asst-7161bbfd-4eff-4668-8b86-965b61f3e1e3','Zoë',NULL,replace(replace('| leading and trailing |Zoë Ångström|Zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; DROP TABLE contact; --|percent % underscore _ backslash \|quotes " and '' and `|line\nbreak\r\nand	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx','\r',char(13)),'\n',char(10)),'new','lead',1,NULL,NULL);
INSERT INTO call VALUES(2,1,1,2,3,'call-4192e2b3-b74f-4de9-ae98-a6b7bce088cc',NULL,'completed','outbound','+12025550111','intended','pending',0,0,0,NULL,NULL,0,NULL,NULL,1772442000123,1772442000123,NULL,NULL,'{}',NULL,NULL,'Bea','asst-6035f1d9-7373-4ff1-a9f9-702754352627','Max',NULL,NULL,'new','lead',1,NULL,NULL);
CREATE TABLE calendar_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id INTEGER REFERENCES team (id),
    ai_agent_id INTEGER REFERENCES agent (id),
    event_type TEXT NOT NULL,
    status TEXT NOT NULL,
    start_time INTEGER NOT NULL,
    end_time INTEGER NOT NULL,
    busy_class INTEGER,
    title TEXT NOT NULL,
    location TEXT,
    has_video_conference INTEGER NOT NULL,
    video_conference_url TEXT NOT NULL,
    video_conference_provider TEXT NOT NULL,
    created_by_ai_agent INTEGER NOT NULL,
    is_reminder_enabled INTEGER NOT NULL,
    remind_before_minutes INTEGER NOT NULL,
    customer_name TEXT NOT NULL,
    customer_email TEXT NOT NULL,
    customer_email_key TEXT,
    customer_phone TEXT NOT NULL,
    external_calendars TEXT NOT NULL,
    notify_on_cancel INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    customer_notes TEXT NOT NULL,
    description TEXT NOT NULL
  , ai_agent TEXT, external_calendars_status TEXT NOT NULL DEFAULT '{}', invitation TEXT) STRICT;
INSERT INTO calendar_event VALUES(1,'fb84ccd6-f4a1-4731-b9e6-06dfb3e377ef',1,NULL,NULL,'meeting','scheduled',1772442000123,1772443800123,5,'Demo',NULL,0,'','',0,1,30,'','',NULL,'','{"google":{"id":"1","revision":"a"}}',1,0,1772442000123,1772442000123,'','',NULL,'{}','{"email":"","isSent":false,"status":"scheduled"}');
INSERT INTO calendar_event VALUES(2,'4bf041af-5256-4aec-bf97-6cb21255d3d7',1,1,2,'meeting','scheduled',1772442000123,1772443800123,5,'With the agent of a mate',NULL,0,'','',1,1,30,'','',NULL,'','{}',1,0,1772442000123,1772442000123,'','','{"id":2,"name":"Bea","assistantId":"asst-6035f1d9-7373-4ff1-a9f9-702754352627"}','{}','{"email":"","isSent":false,"status":"scheduled"}');
INSERT INTO calendar_event VALUES(3,'6bdff992-93d2-4f6d-bbc0-27318d5f638f',3,1,NULL,'meeting','scheduled',1772442000123,1772443800123,5,'Of a mate',NULL,0,'','',0,1,30,'','',NULL,'','{}',1,0,1772442000123,1772442000123,'','',NULL,'{}','{"email":"","isSent":false,"status":"scheduled"}');
CREATE TABLE reminder (
    event_id INTEGER NOT NULL REFERENCES calendar_event (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    is_sent INTEGER NOT NULL, start_time INTEGER,
    PRIMARY KEY (event_id, due_at)
  ) STRICT;
INSERT INTO reminder VALUES(1,1772442060123,1,1772442000123);
INSERT INTO reminder VALUES(1,1772442120123,0,NULL);
INSERT INTO reminder VALUES(2,1772442180123,0,NULL);
INSERT INTO reminder VALUES(3,1772442180123,0,NULL);
CREATE TABLE calendar_connection (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    calendar TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    credentials TEXT NOT NULL,
    PRIMARY KEY (account_id, provider)
  ) STRICT;
INSERT INTO calendar_connection VALUES(1,'apple','日本',1772442000123,1772442060123,'sealed:1:v1:password');
CREATE TABLE outbox_task (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    lease_owner TEXT,
    error TEXT,
    tag TEXT NOT NULL,
    event_id INTEGER NOT NULL,
    work TEXT NOT NULL
  ) STRICT;
INSERT INTO outbox_task VALUES(1,0,1772442000123,NULL,NULL,'SyncEvent',1,'{"_tag":"SyncEvent","provider":"google","eventId":1}');
INSERT INTO outbox_task VALUES(2,0,1772442000123,NULL,NULL,'SyncEvent',3,'{"_tag":"SyncEvent","provider":"outlook","eventId":3}');
CREATE TABLE webhook (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    subscribed_events TEXT NOT NULL,
    status TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_delivery_at INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    last_failure_status INTEGER,
    consecutive_failures INTEGER NOT NULL,
    deleted_at INTEGER,
    cancel_through INTEGER
  ) STRICT;
INSERT INTO webhook VALUES(1,1,'Hook','https://hooks.example.com/in','["call.ended"]','active','whsec_new','whsec_old',1772478000123,1772442000123,1772442000123,1772442060123,1772442060123,1772442060123,503,1,NULL,NULL);
INSERT INTO webhook VALUES(2,3,'Hook of a mate','https://hooks.example.com/in','["call.ended"]','active','whsec_mate',NULL,NULL,1772442000123,1772442000123,NULL,NULL,NULL,NULL,0,NULL,NULL);
CREATE TABLE webhook_event (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
INSERT INTO webhook_event VALUES(1,1,'call.ended',1772442000123,X'7b227375626a656374223a2263616c6c3a31227d');
INSERT INTO webhook_event VALUES(2,1,'call.ended',1772442000123,X'7b227375626a656374223a2263616c6c3a32227d');
INSERT INTO webhook_event VALUES(3,1,'call.ended',1772442000123,X'7b227375626a656374223a2263616c6c3a33227d');
INSERT INTO webhook_event VALUES(4,1,'call.ended',1772442060123,X'7b227375626a656374223a2263616c6c3a34227d');
INSERT INTO webhook_event VALUES(5,3,'call.ended',1772442060123,X'7b227375626a656374223a2263616c6c3a6d617465227d');
CREATE TABLE webhook_delivery (
    id INTEGER PRIMARY KEY,
    delivery_id TEXT NOT NULL,
    event_id INTEGER NOT NULL REFERENCES webhook_event (id),
    webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER,
    claimed_due_at INTEGER,
    lease_id TEXT,
    lease_owner TEXT,
    results INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    in_line INTEGER NOT NULL DEFAULT TRUE
  ) STRICT;
INSERT INTO webhook_delivery VALUES(1,'bc559d43-253c-49ff-86f4-25ef089012ce',1,1,'call:1','delivered','automatic',NULL,1772442000123,'c0d87b01-b24f-4fbc-921d-bed2a8db0f8a',NULL,1,0,1,1);
INSERT INTO webhook_delivery VALUES(2,'069173d8-07bd-4546-b343-fd8b3aa27f58',2,1,'call:2','pending','automatic',1772443800123,1772442000123,'c0d87b01-b24f-4fbc-921d-bed2a8db0f8a',NULL,1,0,1,1);
INSERT INTO webhook_delivery VALUES(3,'ec78f47a-63ae-4af7-8ddd-cca4d702a50c',3,1,'call:3','leased','automatic',1772442090123,1772442000123,'c0d87b01-b24f-4fbc-921d-bed2a8db0f8a','owner',0,1,0,1);
INSERT INTO webhook_delivery VALUES(4,'cdcb7252-27dd-43db-9ab6-a3d56c906bd1',4,1,'call:4','pending','automatic',1772442060123,NULL,NULL,NULL,0,0,0,1);
INSERT INTO webhook_delivery VALUES(5,'fce940e0-e88a-4791-842b-52c988334b55',5,2,'call:mate','pending','automatic',1772442060123,NULL,NULL,NULL,0,0,0,1);
CREATE TABLE webhook_attempt (
    delivery_id INTEGER NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status_code INTEGER,
    error TEXT,
    response_body TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
  ) STRICT;
INSERT INTO webhook_attempt VALUES(1,1,'automatic',1772442060123,12,204,NULL,'');
INSERT INTO webhook_attempt VALUES(2,1,'automatic',1772442060123,12,503,'the answer was 503','<h1>ü</h1>');
CREATE TABLE do_not_call_number (
      account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      phone_number TEXT NOT NULL,
      PRIMARY KEY (account_id, phone_number)
    ) STRICT;
INSERT INTO do_not_call_number VALUES(1,'+12025550111');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('team',1);
INSERT INTO sqlite_sequence VALUES('account',3);
INSERT INTO sqlite_sequence VALUES('api_key',1);
INSERT INTO sqlite_sequence VALUES('agent',2);
INSERT INTO sqlite_sequence VALUES('contact',3);
INSERT INTO sqlite_sequence VALUES('contact_number',2);
INSERT INTO sqlite_sequence VALUES('variable',1);
INSERT INTO sqlite_sequence VALUES('call',2);
INSERT INTO sqlite_sequence VALUES('calendar_event',3);
INSERT INTO sqlite_sequence VALUES('outbox_task',2);
INSERT INTO sqlite_sequence VALUES('webhook',2);
CREATE INDEX account_partner ON account (partner_id, id) WHERE partner_id IS NOT NULL;
CREATE INDEX account_team_team ON account_team (team_id);
CREATE INDEX api_key_account ON api_key (account_id, id);
CREATE INDEX api_key_hash_api_key ON api_key_hash (api_key_id);
CREATE INDEX row_count_team ON row_count (team_id, kind, account_id, status, type);
CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at);
CREATE INDEX contact_account ON contact (account_id, id, status, stage);
CREATE INDEX contact_status ON contact (account_id, status, id, stage);
CREATE INDEX contact_team ON contact (team_id, id, account_id, status, stage) WHERE team_id IS NOT NULL;
CREATE INDEX contact_number_contact ON contact_number (contact_id, position);
CREATE INDEX contact_number_phone_number ON contact_number (phone_number, account_id, contact_id, do_not_call);
CREATE INDEX contact_tag_tag ON contact_tag (account_id, tag, contact_id);
CREATE INDEX contact_tag_team ON contact_tag (team_id, tag, contact_id, account_id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX variable_name ON variable (account_id, context_type, name);
CREATE INDEX variable_team ON variable (team_id, id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX agent_assistant ON agent (assistant_id);
CREATE INDEX agent_account ON agent (account_id, id);
CREATE INDEX agent_team ON agent (team_id, id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX call_call_id ON call (call_id);
CREATE INDEX call_provider_call_id ON call (provider_call_id) WHERE provider_call_id IS NOT NULL;
CREATE INDEX call_account ON call (account_id, created_at, id, status, type);
CREATE INDEX call_team ON call (team_id, created_at, id, account_id, status, type) WHERE team_id IS NOT NULL;
CREATE INDEX call_status ON call (account_id, status, created_at, id, type);
CREATE INDEX call_agent ON call (account_id, agent_id, created_at, id, status, type);
CREATE INDEX call_phone_number ON call (account_id, phone_number, created_at, id, status, type);
CREATE INDEX call_contact ON call (contact_id, account_id, created_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX call_running ON call (account_id) WHERE status IN ('queued', 'ringing', 'in_progress');
CREATE INDEX call_reconcile ON call (reconcile_at, id) WHERE reconcile_at IS NOT NULL;
CREATE UNIQUE INDEX calendar_event_uuid ON calendar_event (uuid);
CREATE INDEX calendar_event_account ON calendar_event (account_id, start_time, id, status, event_type);
CREATE INDEX calendar_event_team
    ON calendar_event (team_id, start_time, id, account_id, status, event_type) WHERE team_id IS NOT NULL;
CREATE INDEX calendar_event_status ON calendar_event (account_id, status, start_time, id, event_type);
CREATE INDEX calendar_event_agent
    ON calendar_event (account_id, ai_agent_id, start_time, id, status, event_type) WHERE ai_agent_id IS NOT NULL;
CREATE INDEX calendar_event_customer
    ON calendar_event (account_id, customer_email_key, start_time, id) WHERE customer_email_key IS NOT NULL;
CREATE INDEX calendar_event_busy
    ON calendar_event (account_id, busy_class, start_time, end_time, id) WHERE busy_class IS NOT NULL;
CREATE INDEX reminder_due ON reminder (due_at, event_id) WHERE NOT is_sent;
CREATE INDEX outbox_task_due ON outbox_task (due_at, id) WHERE error IS NULL;
CREATE INDEX outbox_task_abandoned ON outbox_task (id) WHERE error IS NOT NULL;
CREATE INDEX outbox_task_old ON outbox_task (due_at, id) WHERE error IS NOT NULL;
CREATE INDEX webhook_account ON webhook (account_id, id);
CREATE INDEX webhook_cancelling ON webhook (id) WHERE cancel_through IS NOT NULL;
CREATE INDEX webhook_deleted ON webhook (id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX webhook_delivery_delivery_id ON webhook_delivery (delivery_id);
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, id, state);
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at, id, webhook_id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_webhook_due ON webhook_delivery (webhook_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_line ON webhook_delivery (webhook_id, subject, id)
    WHERE attempts = 0 AND in_line;
CREATE TRIGGER call_counted_insert AFTER INSERT ON call BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER call_counted_delete AFTER DELETE ON call BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER call_counted_update AFTER UPDATE OF account_id, team_id, status, type ON call
    WHEN OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.type IS DISTINCT FROM NEW.type BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER contact_counted_insert AFTER INSERT ON contact BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.stage, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER contact_counted_delete AFTER DELETE ON contact BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.stage, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER contact_counted_update AFTER UPDATE OF account_id, team_id, status, stage ON contact
    WHEN OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.stage, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.stage, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER calendar_event_counted_insert AFTER INSERT ON calendar_event BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.event_type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER calendar_event_counted_delete AFTER DELETE ON calendar_event BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.event_type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER calendar_event_counted_update AFTER UPDATE OF account_id, team_id, status, event_type ON calendar_event
    WHEN OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.event_type IS DISTINCT FROM NEW.event_type BEGIN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.event_type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.event_type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total; END;
CREATE TRIGGER call_contact_deleted AFTER UPDATE OF contact_id ON call WHEN NEW.contact_id IS NULL
    BEGIN UPDATE call SET contact_name = NULL, contact_email = NULL, contact_company = NULL, contact_status = NULL, contact_stage = NULL WHERE id = NEW.id; END;
CREATE TRIGGER contact_number_flagged_insert AFTER INSERT ON contact_number WHEN NEW.do_not_call
    BEGIN INSERT INTO do_not_call_number (account_id, phone_number)
      VALUES (NEW.account_id, NEW.phone_number) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER contact_number_flagged_update AFTER UPDATE OF do_not_call ON contact_number WHEN NEW.do_not_call
    BEGIN INSERT INTO do_not_call_number (account_id, phone_number)
      VALUES (NEW.account_id, NEW.phone_number) ON CONFLICT DO NOTHING; END;
CREATE INDEX call_reserve ON call (reserve_at, id) WHERE reserve_at IS NOT NULL;
CREATE INDEX call_ended ON call (ended_at, id) WHERE reconcile_at IS NULL;
CREATE INDEX call_spoken ON call (ended_at, id)
      WHERE transcript IS NOT NULL OR summary IS NOT NULL OR recording_url IS NOT NULL;
COMMIT;
