import type { Knex } from 'knex';

/**
 * Initial schema. It is never edited after a release; changes are made in new migrations.
 *
 * - `runs.revision` guards every command; `runs.state` is the state that the interpreter folds, the other columns are
 *   shown in lists. `run_id` is a UUIDv7, so the primary key also serves the order "newest first".
 * - `runs.root_run_id` is the root run of a child run; its index contains the active child runs. The id of a child run
 * contains the time of the call; `runs_called_late` contains the child runs that started more than ten minutes later.
 * - `run_events` and `audit_events` are append-only; triggers refuse all changes except the erasure of personal data.
 * - `jobs.available_at` is the time from which a job may be claimed: its due time while it is free, the end of its
 * lease while a worker runs it. `epoch` fences late writers.
 * - `runs` has no foreign key to its workflow version: versions are never deleted, and a key would lock the row of the
 *   version at each start.
 * - `run_events.txid` lets the change feed wait for transactions that started earlier and commit later.
 * - `delivery_order` determines which subscriptions existed when a signal was thrown. Clocks of several servers cannot
 *   do that, and transaction ids restart in a restored database.
 * - `messages.received` maps workflow ids to the run that received the message (`null`: the workflow refused it).
 *   `message_channels` has a row for each message name and correlation key: `changes` gets a new value whenever a
 *   message or a subscription is added or a start key is freed, `looked` is the position of the last message that was
 *   correlated, `look_at` the time at which a server must correlate again.
 * - `inbound_events.received` has the same form as that of messages. A kept event is also a message, with the same id.
 *   `repeated` exists for an index, because it changes only once, while `repeats` changes often.
 * - `start_subscriptions.position` determines whether a workflow had the start event when a message was published.
 * - `outbox.available_at` works like that of jobs: the end of the lease of the server that delivers the message.
 *   `outbox.started` lists the workflows whose runs a signal has started.
 * - `start_timers` keeps ended timers (`due_at` is null), including those of versions that are no longer the newest:
 *   `fired_at` has the dates at which they started runs, so that a redeployed timer does not start them again.
 */
export const initialSchema = {
  name: '0001-initial-schema',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE principals (
        principal_id text PRIMARY KEY,
        type text NOT NULL,
        name text,
        first_seen_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE workflow_versions (
        workflow_id text NOT NULL,
        version integer NOT NULL,
        digest text NOT NULL,
        name text,
        description text,
        input_schema jsonb,
        elements jsonb NOT NULL,
        bpmn_xml text NOT NULL,
        deployed_at timestamptz NOT NULL,
        deployed_by text NOT NULL,
        newest boolean NOT NULL DEFAULT true,
        PRIMARY KEY (workflow_id, version),
        UNIQUE (workflow_id, digest)
      );
      CREATE UNIQUE INDEX workflow_versions_newest ON workflow_versions (workflow_id) WHERE newest;
      CREATE INDEX workflow_versions_by_deployment ON workflow_versions (deployed_at, workflow_id) WHERE newest;

      CREATE TABLE decision_files (
        digest text PRIMARY KEY,
        dmn_xml text NOT NULL
      );

      CREATE TABLE decision_versions (
        decision_id text NOT NULL,
        version integer NOT NULL,
        digest text NOT NULL REFERENCES decision_files,
        name text NOT NULL,
        decision_type text NOT NULL,
        required_decisions jsonb NOT NULL,
        decision_requirements_id text NOT NULL,
        deployed_at timestamptz NOT NULL,
        deployed_by text NOT NULL,
        newest boolean NOT NULL DEFAULT true,
        PRIMARY KEY (decision_id, version)
      );
      CREATE UNIQUE INDEX decision_versions_newest ON decision_versions (decision_id) WHERE newest;
      CREATE INDEX decision_versions_by_deployment ON decision_versions (deployed_at, decision_id) WHERE newest;
      CREATE INDEX decision_versions_by_file ON decision_versions (digest);

      CREATE TABLE runs (
        run_id uuid PRIMARY KEY,
        workflow_id text NOT NULL,
        workflow_version integer NOT NULL,
        workflow_digest text NOT NULL,
        status text NOT NULL,
        outcome text,
        cancelling boolean NOT NULL,
        current_step text,
        pending_approvals integer NOT NULL,
        pending_questions integer NOT NULL,
        incidents integer NOT NULL,
        waiting_for jsonb NOT NULL,
        risk_level text NOT NULL,
        error jsonb,
        started_at timestamptz NOT NULL,
        started_by text NOT NULL,
        updated_at timestamptz NOT NULL,
        completed_at timestamptz,
        business_key text,
        parent_run_id uuid,
        revision bigint NOT NULL,
        state json NOT NULL,
        last_event_hash text NOT NULL,
        audit_seq integer NOT NULL,
        last_audit_hash text NOT NULL,
        root_run_id uuid
      ) WITH (fillfactor = 70);
      CREATE INDEX runs_by_status ON runs (status, run_id);
      CREATE INDEX runs_by_workflow ON runs (workflow_id, run_id);
      CREATE INDEX runs_by_business_key ON runs (business_key, run_id) WHERE business_key IS NOT NULL;
      CREATE INDEX runs_by_starter ON runs (started_by, run_id);
      CREATE INDEX runs_by_outcome ON runs (outcome, run_id) WHERE outcome <> 'completed';
      CREATE INDEX runs_by_risk ON runs (risk_level, run_id) WHERE risk_level IN ('high', 'critical');
      CREATE INDEX runs_waiting_for_approval ON runs ((pending_approvals > 0), run_id) WHERE (pending_approvals > 0);
      CREATE INDEX runs_waiting_for_question ON runs ((pending_questions > 0), run_id) WHERE (pending_questions > 0);
      CREATE INDEX runs_waiting_for_event ON runs ((waiting_for @> '[{"kind": "event"}]'), run_id) WHERE (waiting_for @> '[{"kind": "event"}]');
      CREATE INDEX runs_waiting_for_timer ON runs ((waiting_for @> '[{"kind": "timer"}]'), run_id) WHERE (waiting_for @> '[{"kind": "timer"}]');
      CREATE INDEX runs_by_parent ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;
      CREATE INDEX runs_called_late ON runs ((root_run_id IS NOT NULL), run_id) WHERE root_run_id IS NOT NULL
        AND started_at > to_timestamp(('x' || translate(left(run_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0::float8 + 600);
      CREATE INDEX runs_alive_by_root ON runs (root_run_id) WHERE root_run_id IS NOT NULL AND outcome IS NULL;

      CREATE TABLE run_events (
        run_id uuid NOT NULL,
        seq integer NOT NULL,
        at timestamptz NOT NULL,
        type text NOT NULL,
        step_id uuid,
        element_id text,
        data jsonb NOT NULL,
        private jsonb,
        salt text,
        commitment text,
        hash text NOT NULL,
        txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY (run_id, seq)
      );
      CREATE INDEX run_events_by_txid ON run_events (txid);

      CREATE TABLE jobs (
        job_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        step_id uuid NOT NULL,
        element_id text NOT NULL,
        job_type text NOT NULL,
        attempt integer NOT NULL,
        tool_constraints jsonb,
        owner text,
        epoch integer NOT NULL,
        available_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      CREATE INDEX jobs_claimable ON jobs (job_type, available_at);

      CREATE TABLE timers (
        timer_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        step_id uuid NOT NULL,
        due_at timestamptz NOT NULL
      );
      CREATE INDEX timers_due ON timers (due_at, timer_id);

      CREATE TABLE message_subscriptions (
        subscription_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        workflow_id text NOT NULL,
        step_id uuid NOT NULL,
        element_id text NOT NULL,
        message_name text NOT NULL,
        correlation_key text NOT NULL,
        since timestamptz NOT NULL
      );
      CREATE INDEX message_subscriptions_by_key ON message_subscriptions
        (message_name, correlation_key, workflow_id, since, subscription_id);

      CREATE SEQUENCE delivery_order;

      CREATE TABLE messages (
        message_id uuid PRIMARY KEY,
        message_name text NOT NULL,
        correlation_key text NOT NULL,
        position bigint NOT NULL DEFAULT nextval('delivery_order'),
        payload json NOT NULL,
        origin jsonb NOT NULL,
        published_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now(),
        received jsonb NOT NULL DEFAULT '{}'
      ) WITH (fillfactor = 70);
      CREATE INDEX messages_by_channel ON messages (message_name, correlation_key, position);
      CREATE INDEX messages_by_expiry ON messages (expires_at);

      CREATE TABLE message_channels (
        message_name text NOT NULL,
        correlation_key text NOT NULL,
        changes bigint NOT NULL DEFAULT nextval('delivery_order'),
        looked bigint NOT NULL DEFAULT 0,
        look_at timestamptz NOT NULL,
        PRIMARY KEY (message_name, correlation_key)
      ) WITH (fillfactor = 70);
      CREATE INDEX message_channels_to_look_at ON message_channels (look_at);

      CREATE TABLE message_start_keys (
        workflow_id text NOT NULL,
        correlation_key text NOT NULL,
        run_id uuid NOT NULL,
        PRIMARY KEY (workflow_id, correlation_key)
      );

      CREATE TABLE inbound_events (
        event_id uuid PRIMARY KEY,
        via text NOT NULL,
        source text,
        idempotency_key text,
        body_digest text,
        once_per_body boolean NOT NULL DEFAULT false,
        message_name text,
        correlation_key text,
        payload json,
        actor jsonb,
        status text NOT NULL,
        code text,
        received jsonb NOT NULL DEFAULT '{}',
        received_at timestamptz NOT NULL,
        expires_at timestamptz,
        repeats bigint NOT NULL DEFAULT 0,
        repeated boolean NOT NULL DEFAULT false,
        last_repeat_at timestamptz,
        "from" text,
        trace_id text
      ) WITH (fillfactor = 80);
      CREATE UNIQUE INDEX inbound_events_key ON inbound_events (via, source, idempotency_key) WHERE status <> 'refused';
      CREATE UNIQUE INDEX inbound_events_body ON inbound_events (via, source, body_digest) WHERE once_per_body;
      CREATE UNIQUE INDEX inbound_events_refused ON inbound_events
        (via, COALESCE(source, ''), code, date_trunc('minute', received_at AT TIME ZONE 'UTC')) WHERE status = 'refused';
      CREATE INDEX inbound_events_by_status ON inbound_events (status, event_id);
      CREATE INDEX inbound_events_by_message ON inbound_events (message_name, event_id);
      CREATE INDEX inbound_events_repeated ON inbound_events (event_id) WHERE repeated;

      CREATE TABLE signal_subscriptions (
        subscription_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        step_id uuid NOT NULL,
        element_id text NOT NULL,
        signal_name text NOT NULL,
        since timestamptz NOT NULL,
        position bigint NOT NULL DEFAULT nextval('delivery_order')
      );
      CREATE INDEX signal_subscriptions_by_name ON signal_subscriptions (signal_name, position);

      CREATE TABLE outbox (
        message_id uuid PRIMARY KEY,
        position bigint NOT NULL DEFAULT nextval('delivery_order'),
        queue uuid NOT NULL,
        run_id uuid,
        actor jsonb,
        sent_at timestamptz NOT NULL,
        message json NOT NULL,
        started text[] NOT NULL DEFAULT '{}',
        attempts integer NOT NULL DEFAULT 0,
        available_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70);
      CREATE INDEX outbox_claimable ON outbox (available_at);
      CREATE INDEX outbox_by_queue ON outbox (queue, position);

      CREATE TABLE start_subscriptions (
        workflow_id text NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        version integer NOT NULL,
        element_id text NOT NULL,
        trigger integer NOT NULL,
        position bigint NOT NULL DEFAULT nextval('delivery_order'),
        PRIMARY KEY (workflow_id, kind, name)
      );
      CREATE INDEX start_subscriptions_by_name ON start_subscriptions (kind, name, workflow_id);

      CREATE TABLE start_timers (
        workflow_id text NOT NULL,
        element_id text NOT NULL,
        trigger integer NOT NULL,
        version integer NOT NULL,
        due_at timestamptz,
        cycle jsonb,
        fired_at timestamptz[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (workflow_id, element_id, trigger)
      );
      CREATE INDEX start_timers_due ON start_timers (due_at, workflow_id);

      CREATE TABLE approvals (
        approval_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        workflow_id text NOT NULL,
        workflow_version integer NOT NULL,
        step_id uuid NOT NULL,
        element_id text NOT NULL,
        title text NOT NULL,
        description text,
        status text NOT NULL,
        round integer NOT NULL,
        previous_approval_id uuid,
        requested_at timestamptz NOT NULL,
        requested_by text NOT NULL,
        due_at timestamptz,
        resolved_at timestamptz,
        resolved_by jsonb,
        candidate_users jsonb NOT NULL,
        candidate_groups jsonb NOT NULL,
        delegations jsonb NOT NULL,
        quorum integer NOT NULL,
        priority integer NOT NULL,
        separation_of_duties text NOT NULL,
        excluded jsonb NOT NULL,
        risk_level text NOT NULL,
        risk_rank smallint NOT NULL GENERATED ALWAYS AS
          (CASE risk_level WHEN 'low' THEN 0 WHEN 'medium' THEN 1 WHEN 'high' THEN 2 ELSE 3 END) STORED,
        risk_factors jsonb NOT NULL,
        rationale text NOT NULL,
        subject jsonb NOT NULL,
        digest text NOT NULL
      ) WITH (fillfactor = 80);
      CREATE INDEX approvals_by_status ON approvals (status, approval_id);
      CREATE INDEX approvals_by_risk ON approvals (status, risk_rank, approval_id);
      CREATE INDEX approvals_by_due_time ON approvals (status, COALESCE(due_at, 'infinity'::timestamptz), approval_id);
      CREATE INDEX approvals_by_run ON approvals (run_id, approval_id);

      CREATE TABLE votes (
        vote_id uuid NOT NULL,
        approval_id uuid NOT NULL,
        run_id uuid NOT NULL,
        decision text NOT NULL,
        comment text,
        voted_by text NOT NULL,
        voted_by_name text,
        voted_at timestamptz NOT NULL,
        digest text NOT NULL,
        signature jsonb,
        PRIMARY KEY (approval_id, vote_id)
      );

      CREATE TABLE artifacts (
        artifact_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        name text NOT NULL,
        version integer NOT NULL,
        size bigint NOT NULL,
        sha256 text NOT NULL,
        content_type text NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        UNIQUE (run_id, name, version)
      );

      CREATE TABLE idempotency_keys (
        scope text NOT NULL,
        key text NOT NULL,
        request_digest text NOT NULL,
        response json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (scope, key)
      );
      CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

      CREATE TABLE settings (
        key text PRIMARY KEY,
        value jsonb,
        secret jsonb,
        revision bigint NOT NULL,
        CHECK ((value IS NULL) <> (secret IS NULL))
      );

      CREATE TABLE settings_revision (
        id smallint PRIMARY KEY CHECK (id = 1),
        revision bigint NOT NULL
      );
      INSERT INTO settings_revision VALUES (1, 0);

      CREATE TABLE audit_events (
        audit_id uuid PRIMARY KEY,
        run_id uuid,
        seq integer NOT NULL,
        at timestamptz NOT NULL,
        actor_id text,
        actor jsonb,
        action text NOT NULL,
        target jsonb NOT NULL,
        result text NOT NULL,
        "from" text,
        data jsonb NOT NULL,
        salt text,
        commitment text NOT NULL,
        previous_hash text NOT NULL,
        hash text NOT NULL
      );
      CREATE INDEX audit_events_by_run ON audit_events (run_id, audit_id) WHERE run_id IS NOT NULL;
      CREATE INDEX audit_events_refused_of_run ON audit_events ((target ->> 'runId'), audit_id) WHERE run_id IS NULL;
      CREATE UNIQUE INDEX audit_events_server_chain ON audit_events (seq) WHERE run_id IS NULL;
      CREATE INDEX audit_events_by_actor ON audit_events (actor_id, audit_id);

      CREATE TABLE audit_chain_head (
        id smallint PRIMARY KEY CHECK (id = 1),
        seq integer NOT NULL,
        hash text NOT NULL
      );
      INSERT INTO audit_chain_head VALUES (1, 0, repeat('0', 64));

      CREATE FUNCTION refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
      END $$;
      CREATE TRIGGER run_events_insert_only BEFORE DELETE OR TRUNCATE ON run_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
      CREATE TRIGGER run_events_unchanged BEFORE UPDATE OF run_id, seq, at, type, step_id, element_id, data, commitment, hash
        ON run_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
      CREATE TRIGGER audit_events_insert_only BEFORE DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
      CREATE TRIGGER audit_events_unchanged
        BEFORE UPDATE OF audit_id, run_id, seq, at, action, target, result, commitment, previous_hash, hash
        ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
    `);
  },
};
