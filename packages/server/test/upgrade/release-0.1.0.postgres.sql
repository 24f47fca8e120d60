CREATE FUNCTION public.calendar_event_counted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.event_type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('calendar_event', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.event_type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.event_type IS DISTINCT FROM NEW.event_type THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    SELECT * FROM (VALUES ('calendar_event', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.event_type, CAST(-1 AS bigint)), ('calendar_event', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.event_type, CAST(1 AS bigint)))
      AS change (kind, account_id, team_id, status, type, total)
    ORDER BY account_id, team_id, status COLLATE "C", type COLLATE "C"
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      END IF;
      RETURN NULL;
    END $$;
CREATE FUNCTION public.call_contact_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      NEW.contact_name := NULL; NEW.contact_email := NULL; NEW.contact_company := NULL; NEW.contact_status := NULL; NEW.contact_stage := NULL;
      RETURN NEW;
    END $$;
CREATE FUNCTION public.call_counted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.type, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('call', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.type, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.type IS DISTINCT FROM NEW.type THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    SELECT * FROM (VALUES ('call', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.type, CAST(-1 AS bigint)), ('call', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.type, CAST(1 AS bigint)))
      AS change (kind, account_id, team_id, status, type, total)
    ORDER BY account_id, team_id, status COLLATE "C", type COLLATE "C"
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      END IF;
      RETURN NULL;
    END $$;
CREATE FUNCTION public.contact_counted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.stage, 1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('contact', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.stage, -1)
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      ELSIF OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.status IS DISTINCT FROM NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage THEN INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    SELECT * FROM (VALUES ('contact', OLD.account_id, coalesce(OLD.team_id, 0), OLD.status, OLD.stage, CAST(-1 AS bigint)), ('contact', NEW.account_id, coalesce(NEW.team_id, 0), NEW.status, NEW.stage, CAST(1 AS bigint)))
      AS change (kind, account_id, team_id, status, type, total)
    ORDER BY account_id, team_id, status COLLATE "C", type COLLATE "C"
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;
      END IF;
      RETURN NULL;
    END $$;
CREATE FUNCTION public.contact_number_flagged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      INSERT INTO do_not_call_number (account_id, phone_number)
      VALUES (NEW.account_id, NEW.phone_number) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
CREATE TABLE public.account (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    partner_id bigint,
    deposits bigint DEFAULT 0 NOT NULL,
    charges bigint DEFAULT 0 NOT NULL,
    holds bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    settings json NOT NULL,
    CONSTRAINT account_check CHECK ((((deposits - charges) - holds) >= 0))
);
ALTER TABLE public.account ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_team (
    account_id bigint NOT NULL,
    "position" bigint NOT NULL,
    team_id bigint NOT NULL
);
CREATE TABLE public.agent (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    team_id bigint,
    assistant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    phone_number text COLLATE pg_catalog."C",
    model text NOT NULL COLLATE pg_catalog."C",
    voice_id text NOT NULL COLLATE pg_catalog."C",
    seconds_used bigint DEFAULT 0 NOT NULL,
    total_calls bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.agent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.api_key (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    permissions json NOT NULL,
    prefix text NOT NULL COLLATE pg_catalog."C",
    previous_expires_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.api_key_hash (
    hash text NOT NULL COLLATE pg_catalog."C",
    api_key_id bigint NOT NULL,
    is_current boolean NOT NULL
);
ALTER TABLE public.api_key ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.api_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.business_value (
    account_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.calendar_connection (
    account_id bigint NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    calendar text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    credentials text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.calendar_event (
    id bigint NOT NULL,
    uuid text NOT NULL COLLATE pg_catalog."C",
    account_id bigint NOT NULL,
    team_id bigint,
    ai_agent_id bigint,
    event_type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    start_time timestamp with time zone NOT NULL,
    end_time timestamp with time zone NOT NULL,
    busy_class bigint,
    title text NOT NULL COLLATE pg_catalog."C",
    location text COLLATE pg_catalog."C",
    has_video_conference boolean NOT NULL,
    video_conference_url text NOT NULL COLLATE pg_catalog."C",
    video_conference_provider text NOT NULL COLLATE pg_catalog."C",
    created_by_ai_agent boolean NOT NULL,
    is_reminder_enabled boolean NOT NULL,
    remind_before_minutes bigint NOT NULL,
    customer_name text NOT NULL COLLATE pg_catalog."C",
    customer_email text NOT NULL COLLATE pg_catalog."C",
    customer_email_key text COLLATE pg_catalog."C",
    customer_phone text NOT NULL COLLATE pg_catalog."C",
    external_calendars json NOT NULL,
    notify_on_cancel boolean NOT NULL,
    sequence bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    customer_notes text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    ai_agent json,
    external_calendars_status json DEFAULT '{}'::json NOT NULL,
    invitation text COLLATE pg_catalog."C"
);
ALTER TABLE public.calendar_event ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.calendar_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.call (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    team_id bigint,
    agent_id bigint NOT NULL,
    contact_id bigint,
    call_id text NOT NULL COLLATE pg_catalog."C",
    provider_call_id text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    phone_number text NOT NULL COLLATE pg_catalog."C",
    submission text NOT NULL COLLATE pg_catalog."C",
    billing_status text NOT NULL COLLATE pg_catalog."C",
    initial_charge bigint NOT NULL,
    final_charge bigint NOT NULL,
    price_per_minute bigint NOT NULL,
    ended_reason text COLLATE pg_catalog."C",
    reconcile_at timestamp with time zone,
    reconcile_count bigint NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    recording_url text COLLATE pg_catalog."C",
    summary text COLLATE pg_catalog."C",
    variables json NOT NULL,
    metadata json,
    transcript text COLLATE pg_catalog."C",
    agent_name text COLLATE pg_catalog."C",
    agent_assistant_id text COLLATE pg_catalog."C",
    contact_name text COLLATE pg_catalog."C",
    contact_email text COLLATE pg_catalog."C",
    contact_company text COLLATE pg_catalog."C",
    contact_status text COLLATE pg_catalog."C",
    contact_stage text COLLATE pg_catalog."C",
    reserved_minutes bigint DEFAULT 1 NOT NULL,
    reserve_at timestamp with time zone,
    confirmed_at timestamp with time zone
);
ALTER TABLE public.call ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.call_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.contact (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    team_id bigint,
    status text NOT NULL COLLATE pg_catalog."C",
    stage text NOT NULL COLLATE pg_catalog."C",
    search_text text NOT NULL COLLATE pg_catalog."C",
    first_name text COLLATE pg_catalog."C",
    last_name text COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    company text COLLATE pg_catalog."C",
    website text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    city text COLLATE pg_catalog."C",
    state text COLLATE pg_catalog."C",
    zip_code text COLLATE pg_catalog."C",
    country text COLLATE pg_catalog."C",
    last_call_date timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    custom_context json NOT NULL,
    industry_context json NOT NULL
);
ALTER TABLE public.contact ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.contact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.contact_number (
    id bigint NOT NULL,
    contact_id bigint NOT NULL,
    account_id bigint NOT NULL,
    "position" bigint NOT NULL,
    phone_number text NOT NULL COLLATE pg_catalog."C",
    phone_type text COLLATE pg_catalog."C",
    is_primary boolean NOT NULL,
    do_not_call boolean NOT NULL
);
ALTER TABLE public.contact_number ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.contact_number_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.contact_tag (
    contact_id bigint NOT NULL,
    "position" bigint NOT NULL,
    account_id bigint NOT NULL,
    team_id bigint,
    tag text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.do_not_call_number (
    account_id bigint NOT NULL,
    phone_number text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.frontdesk_migration (
    migration_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.idempotency_key (
    account_id bigint NOT NULL,
    method text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    status bigint,
    body text COLLATE pg_catalog."C",
    token text DEFAULT (gen_random_uuid())::text NOT NULL COLLATE pg_catalog."C",
    taken_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    executed boolean DEFAULT false NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.installation (
    id text NOT NULL COLLATE pg_catalog."C",
    copied text COLLATE pg_catalog."C"
);
CREATE TABLE public.installation_secret (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.outbox_task (
    id bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone NOT NULL,
    lease_owner text COLLATE pg_catalog."C",
    error text COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    event_id bigint NOT NULL,
    work json NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000');
ALTER TABLE public.outbox_task ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.outbox_task_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.provisioned_ref (
    kind text NOT NULL COLLATE pg_catalog."C",
    account_ref text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL
);
CREATE UNLOGGED TABLE public.rate_limit_bucket (
    name text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    level bigint NOT NULL,
    allowed boolean NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.reminder (
    event_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    is_sent boolean NOT NULL,
    start_time timestamp with time zone
);
CREATE TABLE public.row_count (
    kind text NOT NULL COLLATE pg_catalog."C",
    account_id bigint NOT NULL,
    team_id bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    total bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.team (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.team ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.team_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.variable (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    team_id bigint,
    context_type text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    variable_type text NOT NULL COLLATE pg_catalog."C",
    is_default boolean NOT NULL,
    select_options json
);
ALTER TABLE public.variable ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.variable_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhook (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    subscribed_events json NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    previous_secret text COLLATE pg_catalog."C",
    previous_secret_expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_delivery_at timestamp with time zone,
    last_success_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_failure_status bigint,
    consecutive_failures bigint NOT NULL,
    deleted_at timestamp with time zone,
    cancel_through bigint
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.webhook_attempt (
    delivery_id bigint NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp with time zone NOT NULL,
    duration_ms bigint NOT NULL,
    status_code bigint,
    error text COLLATE pg_catalog."C",
    response_body text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.webhook_delivery (
    id bigint NOT NULL,
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    event_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone,
    claimed_due_at timestamp with time zone,
    lease_id text COLLATE pg_catalog."C",
    lease_owner text COLLATE pg_catalog."C",
    results bigint NOT NULL,
    claims bigint NOT NULL,
    attempts bigint NOT NULL,
    in_line boolean DEFAULT true NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE public.webhook_delivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhook_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhook_event (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE public.webhook_event ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhook_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.webhook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.account VALUES (2, 'Partner', 'partner', NULL, 0, 0, 0, '2026-03-02 09:00:00.123+00', '{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
INSERT INTO public.account VALUES (1, 'Acme', 'client', 2, 12345678, 0, 100000, '2026-03-02 09:00:00.123+00', '{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
INSERT INTO public.account VALUES (3, 'Mate', 'standard', NULL, 0, 0, 0, '2026-03-02 09:00:00.123+00', '{"timeZone":"UTC","workingHours":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]],"thu":[["09:00","17:00"]],"fri":[["09:00","17:00"]]},"dateOverrides":{},"slotIntervalMinutes":null,"bufferBeforeMinutes":0,"bufferAfterMinutes":0,"minimumNoticeMinutes":0,"rejectConflicts":false,"contactStatuses":null,"contactStages":null,"pricePerMinute":0,"maxRunningCalls":10}');
INSERT INTO public.account_team VALUES (1, 0, 1);
INSERT INTO public.account_team VALUES (3, 0, 1);
INSERT INTO public.agent VALUES (1, 1, 1, 'asst-6f836d49-8b4a-4b3b-a53f-af02040fe442', 'Ada', 'outbound agent', '+12025550100', 'gpt-x', 'v1', 0, 0, '2026-03-02 09:00:00.123+00');
INSERT INTO public.agent VALUES (2, 3, 1, 'asst-5f5cb07b-4a37-4a65-8fb2-52561e83e3e7', 'Bea', 'outbound agent', '+12025550100', 'gpt-x', 'v1', 0, 0, '2026-03-02 09:00:00.123+00');
INSERT INTO public.api_key VALUES (1, 1, 'Everything', '["can_read_agents","can_read_calls","can_write_calls","can_read_contacts","can_write_contacts","can_read_calendar","can_write_calendar","can_read_webhooks","can_write_webhooks"]', 'fd_live_efgh', '2026-03-02 10:00:00.123+00', NULL, NULL, NULL, '2026-03-02 09:00:00.123+00');
INSERT INTO public.api_key_hash VALUES ('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 1, true);
INSERT INTO public.api_key_hash VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1, false);
INSERT INTO public.business_value VALUES (1, 'hours', '8');
INSERT INTO public.business_value VALUES (1, 'industry', '"care"');
INSERT INTO public.calendar_connection VALUES (1, 'apple', '日本', '2026-03-02 09:00:00.123+00', '2026-03-02 09:01:00.123+00', 'sealed:1:v1:password');
INSERT INTO public.calendar_event VALUES (1, 'e9046333-b45d-4ec9-a40f-ae1bf5827a5a', 1, NULL, NULL, 'meeting', 'scheduled', '2026-03-02 09:00:00.123+00', '2026-03-02 09:30:00.123+00', 5, 'Demo', NULL, false, '', '', false, true, 30, '', '', NULL, '', '{"google":{"id":"1","revision":"a"}}', true, 0, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', '', '', NULL, '{}', '{"email":"","isSent":false,"status":"scheduled"}');
INSERT INTO public.calendar_event VALUES (2, '664b38ab-3d2a-432b-984f-6f6d448908d0', 1, 1, 2, 'meeting', 'scheduled', '2026-03-02 09:00:00.123+00', '2026-03-02 09:30:00.123+00', 5, 'With the agent of a mate', NULL, false, '', '', true, true, 30, '', '', NULL, '', '{}', true, 0, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', '', '', '{"id":2,"name":"Bea","assistantId":"asst-5f5cb07b-4a37-4a65-8fb2-52561e83e3e7"}', '{}', '{"email":"","isSent":false,"status":"scheduled"}');
INSERT INTO public.calendar_event VALUES (3, 'e6da488d-9ebd-4226-b2f0-4e9a99855fed', 3, 1, NULL, 'meeting', 'scheduled', '2026-03-02 09:00:00.123+00', '2026-03-02 09:30:00.123+00', 5, 'Of a mate', NULL, false, '', '', false, true, 30, '', '', NULL, '', '{}', true, 0, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', '', '', NULL, '{}', '{"email":"","isSent":false,"status":"scheduled"}');
INSERT INTO public.call VALUES (1, 1, NULL, 1, 1, 'call-01076036-1bbb-4710-af77-6bc4df3abcf5', NULL, 'in_progress', 'outbound', '+12025550111', 'intended', 'pending', 0, 0, 0, NULL, '2026-03-02 09:05:00.123+00', 0, '2026-03-02 09:00:00.123+00', NULL, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', NULL, NULL, '{"a":"b"}', '{"order":7}', 'hello
hello
hello
hello
hello
hello
hello
hello
hello
hello
', 'Ada', 'asst-6f836d49-8b4a-4b3b-a53f-af02040fe442', 'Zoë', NULL, '| leading and trailing |Zoë Ångström|Zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; DROP TABLE contact; --|percent % underscore _ backslash \|quotes " and '' and `|line
break
and	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'new', 'lead', 1, NULL, NULL);
INSERT INTO public.call VALUES (2, 1, 1, 2, 3, 'call-c1704c8a-9b32-44d3-9452-15c757e242fd', NULL, 'completed', 'outbound', '+12025550111', 'intended', 'pending', 0, 0, 0, NULL, NULL, 0, NULL, NULL, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', NULL, NULL, '{}', NULL, NULL, 'Bea', 'asst-5f5cb07b-4a37-4a65-8fb2-52561e83e3e7', 'Max', NULL, NULL, 'new', 'lead', 1, NULL, NULL);
INSERT INTO public.contact VALUES (1, 1, 1, 'new', 'lead', 'zoë| leading and trailing |zoë ångström|zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; drop table contact; --|percent % underscore _ backslash \|quotes " and '' and `|line
break
and	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'Zoë', NULL, NULL, '| leading and trailing |Zoë Ångström|Zoë decomposed|日本語 العربية|👩‍👩‍👧‍👦 🏳️‍🌈|''; DROP TABLE contact; --|percent % underscore _ backslash \|quotes " and '' and `|line
break
and	tab|line separator   and bell |null|{{first_name}}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', NULL, NULL, NULL, NULL, NULL, NULL, '0043-03-01 12:00:00.001+00 BC', '12026-03-01 12:00:00.999+00', '2026-03-02 09:00:00.123+00', '{"odd":[""," leading and trailing ","Zoë Ångström","Zoë decomposed","日本語 العربية","👩‍👩‍👧‍👦 🏳️‍🌈","''; DROP TABLE contact; --","percent % underscore _ backslash \\","quotes \" and '' and `","line\nbreak\r\nand\ttab","line separator   and bell \u0007","null","{{first_name}}","xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],"nul":"a\u0000b","number":1e+300,"nested":{"a":[null,true]}}', '{}');
INSERT INTO public.contact VALUES (3, 3, 1, 'new', 'lead', 'max', 'Max', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', '{}', '{}');
INSERT INTO public.contact_number VALUES (1, 1, 1, 0, '+12025550111', NULL, true, true);
INSERT INTO public.contact_number VALUES (2, 3, 3, 0, '+12025550177', NULL, true, false);
INSERT INTO public.contact_tag VALUES (1, 0, 1, 1, 'vip');
INSERT INTO public.contact_tag VALUES (1, 1, 1, 1, '日本');
INSERT INTO public.contact_tag VALUES (3, 0, 3, 1, 'of a mate');
INSERT INTO public.do_not_call_number VALUES (1, '+12025550111');
INSERT INTO public.frontdesk_migration VALUES (1, '2026-11-24 15:20:45.425264+00', 'initial');
INSERT INTO public.frontdesk_migration VALUES (3, '2026-11-24 15:20:45.425264+00', 'snapshots');
INSERT INTO public.frontdesk_migration VALUES (4, '2026-11-24 15:20:45.425264+00', 'do_not_call');
INSERT INTO public.frontdesk_migration VALUES (5, '2026-11-24 15:20:45.425264+00', 'search_form');
INSERT INTO public.frontdesk_migration VALUES (6, '2026-11-24 15:20:45.425264+00', 'idempotency_executed');
INSERT INTO public.frontdesk_migration VALUES (7, '2026-11-24 15:20:45.425264+00', 'call_reservations');
INSERT INTO public.frontdesk_migration VALUES (8, '2026-11-24 15:20:45.425264+00', 'reminder_start');
INSERT INTO public.frontdesk_migration VALUES (9, '2026-11-24 15:20:45.425264+00', 'external_calendars_status');
INSERT INTO public.frontdesk_migration VALUES (12, '2026-11-24 15:20:45.425264+00', 'call_retention');
INSERT INTO public.frontdesk_migration VALUES (13, '2026-11-24 15:20:45.425264+00', 'event_invitation');
INSERT INTO public.idempotency_key VALUES (1, 'POST', '/api/v1/calls', 'Order.1', 'fingerprint', 201, '{"a":" "}', 'e5dc884a-3c41-4dd6-a327-6aec34e210a3', '2026-03-02 09:00:00.123+00', '2026-03-03 09:00:00.123+00', false);
INSERT INTO public.installation VALUES ('4ea645a7-1963-448f-97a3-8ed41b91d313', NULL);
INSERT INTO public.installation_secret VALUES ('links', 'sealed:1:v1:secret');
INSERT INTO public.outbox_task VALUES (1, 0, '2026-03-02 09:00:00.123+00', NULL, NULL, 'SyncEvent', 1, '{"_tag":"SyncEvent","provider":"google","eventId":1}');
INSERT INTO public.outbox_task VALUES (2, 0, '2026-03-02 09:00:00.123+00', NULL, NULL, 'SyncEvent', 3, '{"_tag":"SyncEvent","provider":"outlook","eventId":3}');
INSERT INTO public.provisioned_ref VALUES ('account', '', 'acme', 1);
INSERT INTO public.rate_limit_bucket VALUES ('1', 1772442000123, 5, true);
INSERT INTO public.reminder VALUES (1, '2026-03-02 09:01:00.123+00', true, '2026-03-02 09:00:00.123+00');
INSERT INTO public.reminder VALUES (1, '2026-03-02 09:02:00.123+00', false, NULL);
INSERT INTO public.reminder VALUES (2, '2026-03-02 09:03:00.123+00', false, NULL);
INSERT INTO public.reminder VALUES (3, '2026-03-02 09:03:00.123+00', false, NULL);
INSERT INTO public.row_count VALUES ('contact', 1, 1, 'new', 'lead', 1);
INSERT INTO public.row_count VALUES ('contact', 1, 0, 'new', 'lead', 0);
INSERT INTO public.row_count VALUES ('call', 1, 0, 'in_progress', 'outbound', 1);
INSERT INTO public.row_count VALUES ('calendar_event', 1, 0, 'scheduled', 'meeting', 1);
INSERT INTO public.row_count VALUES ('contact', 3, 1, 'new', 'lead', 1);
INSERT INTO public.row_count VALUES ('call', 1, 1, 'completed', 'outbound', 1);
INSERT INTO public.row_count VALUES ('calendar_event', 1, 1, 'scheduled', 'meeting', 1);
INSERT INTO public.row_count VALUES ('calendar_event', 3, 1, 'scheduled', 'meeting', 1);
INSERT INTO public.team VALUES (1, 'Sales 日本');
INSERT INTO public.variable VALUES (1, 1, NULL, 'contact', 'size', 'Size', NULL, 'select', false, '["S","L"]');
INSERT INTO public.webhook VALUES (1, 1, 'Hook', 'https://hooks.example.com/in', '["call.ended"]', 'active', 'whsec_new', 'whsec_old', '2026-03-02 19:00:00.123+00', '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', '2026-03-02 09:01:00.123+00', '2026-03-02 09:01:00.123+00', '2026-03-02 09:01:00.123+00', 503, 1, NULL, NULL);
INSERT INTO public.webhook VALUES (2, 3, 'Hook of a mate', 'https://hooks.example.com/in', '["call.ended"]', 'active', 'whsec_mate', NULL, NULL, '2026-03-02 09:00:00.123+00', '2026-03-02 09:00:00.123+00', NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.webhook_attempt VALUES (1, 1, 'automatic', '2026-03-02 09:01:00.123+00', 12, 204, NULL, '');
INSERT INTO public.webhook_attempt VALUES (2, 1, 'automatic', '2026-03-02 09:01:00.123+00', 12, 503, 'the answer was 503', '<h1>ü</h1>');
INSERT INTO public.webhook_delivery VALUES (3, 'c50499e0-37f7-476e-8227-9917dfb77308', 3, 1, 'call:3', 'leased', 'automatic', '2026-03-02 09:01:30.123+00', '2026-03-02 09:00:00.123+00', 'b7606ae0-cd89-4209-a463-cb5c77786c97', 'owner', 0, 1, 0, true);
INSERT INTO public.webhook_delivery VALUES (1, 'ac414964-b799-41d8-afff-f9cf0936b55d', 1, 1, 'call:1', 'delivered', 'automatic', NULL, '2026-03-02 09:00:00.123+00', 'b7606ae0-cd89-4209-a463-cb5c77786c97', NULL, 1, 0, 1, true);
INSERT INTO public.webhook_delivery VALUES (2, 'c57762d1-0243-4cff-a232-b235088d13de', 2, 1, 'call:2', 'pending', 'automatic', '2026-03-02 09:30:00.123+00', '2026-03-02 09:00:00.123+00', 'b7606ae0-cd89-4209-a463-cb5c77786c97', NULL, 1, 0, 1, true);
INSERT INTO public.webhook_delivery VALUES (4, 'f7263c21-d107-4c8b-a17b-60145d10e444', 4, 1, 'call:4', 'pending', 'automatic', '2026-03-02 09:01:00.123+00', NULL, NULL, NULL, 0, 0, 0, true);
INSERT INTO public.webhook_delivery VALUES (5, '4a614888-cc77-42c1-b8a8-84c2ac1a883c', 5, 2, 'call:mate', 'pending', 'automatic', '2026-03-02 09:01:00.123+00', NULL, NULL, NULL, 0, 0, 0, true);
INSERT INTO public.webhook_event VALUES (1, 1, 'call.ended', '2026-03-02 09:00:00.123+00', '\x7b227375626a656374223a2263616c6c3a31227d');
INSERT INTO public.webhook_event VALUES (2, 1, 'call.ended', '2026-03-02 09:00:00.123+00', '\x7b227375626a656374223a2263616c6c3a32227d');
INSERT INTO public.webhook_event VALUES (3, 1, 'call.ended', '2026-03-02 09:00:00.123+00', '\x7b227375626a656374223a2263616c6c3a33227d');
INSERT INTO public.webhook_event VALUES (4, 1, 'call.ended', '2026-03-02 09:01:00.123+00', '\x7b227375626a656374223a2263616c6c3a34227d');
INSERT INTO public.webhook_event VALUES (5, 3, 'call.ended', '2026-03-02 09:01:00.123+00', '\x7b227375626a656374223a2263616c6c3a6d617465227d');
SELECT pg_catalog.setval('public.account_id_seq', 3, true);
SELECT pg_catalog.setval('public.agent_id_seq', 2, true);
SELECT pg_catalog.setval('public.api_key_id_seq', 1, true);
SELECT pg_catalog.setval('public.calendar_event_id_seq', 3, true);
SELECT pg_catalog.setval('public.call_id_seq', 2, true);
SELECT pg_catalog.setval('public.contact_id_seq', 3, true);
SELECT pg_catalog.setval('public.contact_number_id_seq', 2, true);
SELECT pg_catalog.setval('public.outbox_task_id_seq', 2, true);
SELECT pg_catalog.setval('public.team_id_seq', 1, true);
SELECT pg_catalog.setval('public.variable_id_seq', 1, true);
SELECT pg_catalog.setval('public.webhook_delivery_id_seq', 5, true);
SELECT pg_catalog.setval('public.webhook_event_id_seq', 5, true);
SELECT pg_catalog.setval('public.webhook_id_seq', 2, true);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_pkey PRIMARY KEY (account_id, "position");
ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_key_hash
    ADD CONSTRAINT api_key_hash_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.business_value
    ADD CONSTRAINT business_value_pkey PRIMARY KEY (account_id, name);
ALTER TABLE ONLY public.calendar_connection
    ADD CONSTRAINT calendar_connection_pkey PRIMARY KEY (account_id, provider);
ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.call
    ADD CONSTRAINT call_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contact_number
    ADD CONSTRAINT contact_number_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contact
    ADD CONSTRAINT contact_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contact_tag
    ADD CONSTRAINT contact_tag_pkey PRIMARY KEY (contact_id, "position");
ALTER TABLE ONLY public.do_not_call_number
    ADD CONSTRAINT do_not_call_number_pkey PRIMARY KEY (account_id, phone_number);
ALTER TABLE ONLY public.frontdesk_migration
    ADD CONSTRAINT frontdesk_migration_pkey PRIMARY KEY (migration_id);
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (account_id, method, path, name);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.installation_secret
    ADD CONSTRAINT installation_secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.outbox_task
    ADD CONSTRAINT outbox_task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.provisioned_ref
    ADD CONSTRAINT provisioned_ref_pkey PRIMARY KEY (kind, account_ref, ref);
ALTER TABLE ONLY public.rate_limit_bucket
    ADD CONSTRAINT rate_limit_bucket_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.reminder
    ADD CONSTRAINT reminder_pkey PRIMARY KEY (event_id, due_at);
ALTER TABLE ONLY public.row_count
    ADD CONSTRAINT row_count_pkey PRIMARY KEY (account_id, kind, team_id, status, type);
ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.variable
    ADD CONSTRAINT variable_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_attempt
    ADD CONSTRAINT webhook_attempt_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);
CREATE INDEX account_partner ON public.account USING btree (partner_id, id) WHERE (partner_id IS NOT NULL);
CREATE INDEX account_team_team ON public.account_team USING btree (team_id);
CREATE INDEX agent_account ON public.agent USING btree (account_id, id);
CREATE UNIQUE INDEX agent_assistant ON public.agent USING btree (assistant_id);
CREATE INDEX agent_team ON public.agent USING btree (team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX api_key_account ON public.api_key USING btree (account_id, id);
CREATE INDEX api_key_hash_api_key ON public.api_key_hash USING btree (api_key_id);
CREATE INDEX calendar_event_account ON public.calendar_event USING btree (account_id, start_time, id, status, event_type);
CREATE INDEX calendar_event_agent ON public.calendar_event USING btree (account_id, ai_agent_id, start_time, id, status, event_type) WHERE (ai_agent_id IS NOT NULL);
CREATE INDEX calendar_event_busy ON public.calendar_event USING btree (account_id, busy_class, start_time, end_time, id) WHERE (busy_class IS NOT NULL);
CREATE INDEX calendar_event_customer ON public.calendar_event USING btree (account_id, customer_email_key, start_time, id) WHERE (customer_email_key IS NOT NULL);
CREATE INDEX calendar_event_status ON public.calendar_event USING btree (account_id, status, start_time, id, event_type);
CREATE INDEX calendar_event_team ON public.calendar_event USING btree (team_id, start_time, id, account_id, status, event_type) WHERE (team_id IS NOT NULL);
CREATE UNIQUE INDEX calendar_event_uuid ON public.calendar_event USING btree (uuid);
CREATE INDEX call_account ON public.call USING btree (account_id, created_at, id, status, type);
CREATE INDEX call_agent ON public.call USING btree (account_id, agent_id, created_at, id, status, type);
CREATE UNIQUE INDEX call_call_id ON public.call USING btree (call_id);
CREATE INDEX call_contact ON public.call USING btree (contact_id, account_id, created_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX call_ended ON public.call USING btree (ended_at, id) WHERE (reconcile_at IS NULL);
CREATE INDEX call_phone_number ON public.call USING btree (account_id, phone_number, created_at, id, status, type);
CREATE INDEX call_provider_call_id ON public.call USING btree (provider_call_id) WHERE (provider_call_id IS NOT NULL);
CREATE INDEX call_reconcile ON public.call USING btree (reconcile_at, id) WHERE (reconcile_at IS NOT NULL);
CREATE INDEX call_reserve ON public.call USING btree (reserve_at, id) WHERE (reserve_at IS NOT NULL);
CREATE INDEX call_running ON public.call USING btree (account_id) WHERE (status = ANY (ARRAY['queued'::text, 'ringing'::text, 'in_progress'::text]));
CREATE INDEX call_spoken ON public.call USING btree (ended_at, id) WHERE ((transcript IS NOT NULL) OR (summary IS NOT NULL) OR (recording_url IS NOT NULL));
CREATE INDEX call_status ON public.call USING btree (account_id, status, created_at, id, type);
CREATE INDEX call_team ON public.call USING btree (team_id, created_at, id, account_id, status, type) WHERE (team_id IS NOT NULL);
CREATE INDEX contact_account ON public.contact USING btree (account_id, id, status, stage);
CREATE INDEX contact_number_contact ON public.contact_number USING btree (contact_id, "position");
CREATE INDEX contact_number_phone_number ON public.contact_number USING btree (phone_number, account_id, contact_id, do_not_call);
CREATE INDEX contact_status ON public.contact USING btree (account_id, status, id, stage);
CREATE INDEX contact_tag_tag ON public.contact_tag USING btree (account_id, tag, contact_id);
CREATE INDEX contact_tag_team ON public.contact_tag USING btree (team_id, tag, contact_id, account_id) WHERE (team_id IS NOT NULL);
CREATE INDEX contact_team ON public.contact USING btree (team_id, id, account_id, status, stage) WHERE (team_id IS NOT NULL);
CREATE INDEX idempotency_key_expires ON public.idempotency_key USING btree (expires_at);
CREATE INDEX outbox_task_abandoned ON public.outbox_task USING btree (id) WHERE (error IS NOT NULL);
CREATE INDEX outbox_task_due ON public.outbox_task USING btree (due_at, id) WHERE (error IS NULL);
CREATE INDEX outbox_task_old ON public.outbox_task USING btree (due_at, id) WHERE (error IS NOT NULL);
CREATE INDEX reminder_due ON public.reminder USING btree (due_at, event_id) WHERE (NOT is_sent);
CREATE INDEX row_count_team ON public.row_count USING btree (team_id, kind, account_id, status, type);
CREATE UNIQUE INDEX variable_name ON public.variable USING btree (account_id, context_type, name);
CREATE INDEX variable_team ON public.variable USING btree (team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX webhook_account ON public.webhook USING btree (account_id, id);
CREATE INDEX webhook_cancelling ON public.webhook USING btree (id) WHERE (cancel_through IS NOT NULL);
CREATE INDEX webhook_deleted ON public.webhook USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_delivery_delivery_id ON public.webhook_delivery USING btree (delivery_id);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (due_at, id, webhook_id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_event ON public.webhook_delivery USING btree (event_id);
CREATE INDEX webhook_delivery_line ON public.webhook_delivery USING btree (webhook_id, subject, id) WHERE ((attempts = 0) AND in_line);
CREATE INDEX webhook_delivery_webhook ON public.webhook_delivery USING btree (webhook_id, id, state);
CREATE INDEX webhook_delivery_webhook_due ON public.webhook_delivery USING btree (webhook_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE TRIGGER calendar_event_counted AFTER INSERT OR DELETE OR UPDATE OF account_id, team_id, status, event_type ON public.calendar_event FOR EACH ROW EXECUTE FUNCTION public.calendar_event_counted();
CREATE TRIGGER call_contact_deleted BEFORE UPDATE OF contact_id ON public.call FOR EACH ROW WHEN ((new.contact_id IS NULL)) EXECUTE FUNCTION public.call_contact_deleted();
CREATE TRIGGER call_counted AFTER INSERT OR DELETE OR UPDATE OF account_id, team_id, status, type ON public.call FOR EACH ROW EXECUTE FUNCTION public.call_counted();
CREATE TRIGGER contact_counted AFTER INSERT OR DELETE OR UPDATE OF account_id, team_id, status, stage ON public.contact FOR EACH ROW EXECUTE FUNCTION public.contact_counted();
CREATE TRIGGER contact_number_flagged AFTER INSERT OR UPDATE OF do_not_call ON public.contact_number FOR EACH ROW WHEN (new.do_not_call) EXECUTE FUNCTION public.contact_number_flagged();
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_key_hash
    ADD CONSTRAINT api_key_hash_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_key(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.business_value
    ADD CONSTRAINT business_value_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.calendar_connection
    ADD CONSTRAINT calendar_connection_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_ai_agent_id_fkey FOREIGN KEY (ai_agent_id) REFERENCES public.agent(id);
ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.call
    ADD CONSTRAINT call_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.call
    ADD CONSTRAINT call_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agent(id);
ALTER TABLE ONLY public.call
    ADD CONSTRAINT call_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.contact(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.call
    ADD CONSTRAINT call_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.contact
    ADD CONSTRAINT contact_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.contact_number
    ADD CONSTRAINT contact_number_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.contact(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.contact_tag
    ADD CONSTRAINT contact_tag_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.contact(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.contact
    ADD CONSTRAINT contact_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.do_not_call_number
    ADD CONSTRAINT do_not_call_number_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reminder
    ADD CONSTRAINT reminder_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.calendar_event(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.variable
    ADD CONSTRAINT variable_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.variable
    ADD CONSTRAINT variable_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id);
ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_attempt
    ADD CONSTRAINT webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_delivery(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.webhook_event(id);
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhook(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
