import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import type {
  ApprovalFilter,
  InboundEventFilter,
  PolicyDecisionFilter,
  QuestionFilter,
  RunFilter,
} from '@countersign/core/ports';
import { buildConnectionOptions } from '../database/connection-options.js';
import { buildInboundEventQuery } from '../inbound-events/list-inbound-events.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { buildApprovalQuery } from '../queries/approval-queries.js';
import { explain, explainGeneric, fillWithManyRows, ROW_COUNT, type Plan } from '../queries/many-rows.spec.support.js';
import { buildPageStatement, SCAN_WINDOW } from '../queries/page-statement.js';
import { buildPolicyDecisionQuery } from '../queries/policy-decision-queries.js';
import { buildQuestionQuery } from '../queries/question-queries.js';
import { readPage, type PageQuery } from '../queries/read-page.js';
import { AGENT_EVENTS } from '../queries/run-detail-queries.js';
import { buildRunQuery } from '../queries/run-queries.js';
import { COUNT_ELEMENTS, computeWorkflowStatistics } from '../queries/workflow-statistics.js';

const LIMIT = 50;
const MIDDLE = 1_750_000_000_000 + (ROW_COUNT / 2) * 1000;

/** Two indexes: runs that wait for child runs are found by a second index. None exist here. */
const CALLING_INDEXES = 2;

/** Two indexes: stuck runs, and runs that wait for child runs, are found by a second index. */
const ATTENTION_INDEXES = 2;

/** Two indexes: child runs that started late are also found by a second index. */
const LATE_RUN_INDEXES = 2;

/**
 * Filters with the maximum number of rows that a page may read (the page, or the rows that match its one condition),
 * and the number of indexes if it uses more than one.
 */
const RUNS: readonly (readonly [RunFilter, number, number?])[] = [
  [{}, 51],
  [{ status: 'active' }, 51],
  [{ status: 'blocked' }, 51],
  [{ status: 'failed' }, 51],
  [{ status: 'completed' }, 51],
  [{ outcome: 'completed' }, 51],
  [{ outcome: 'failed' }, 51],
  [{ outcome: 'cancelled' }, 51],
  [{ workflowId: 'workflow-7' }, 51],
  [{ workflowId: 'workflow-7', workflowVersion: 1 }, 200],
  [{ riskLevel: 'critical' }, 51],
  [{ riskLevel: 'high' }, 51],
  [{ riskLevel: 'low' }, 200],
  [{ startedBy: 'user-5' }, 51],
  [{ businessKey: 'key-17' }, 51],
  [{ parentRunId: '01974bbe-1f80-7001-8100-000000000001' }, 51],
  [{ root: true }, 51],
  [{ root: false }, SCAN_WINDOW],
  [{ startedAfter: MIDDLE }, 51, LATE_RUN_INDEXES],
  [{ startedAfter: MIDDLE, status: 'active' }, 200, CALLING_INDEXES + 1],
  [{ startedBefore: MIDDLE }, 700],
  [{ waitingFor: 'approval' }, 51, CALLING_INDEXES],
  [{ waitingFor: 'question' }, 51, CALLING_INDEXES],
  [{ waitingFor: 'event' }, 51],
  [{ waitingFor: 'timer' }, 51, CALLING_INDEXES],
  [{ stuckSince: MIDDLE }, 200],
  // The page, and the 80 active runs, which may be stuck; no rejected and no cancelled runs.
  [{ needsAttention: { stuckSince: MIDDLE } }, 51 + 80, ATTENTION_INDEXES],
  [{ needsAttention: { stuckSince: MIDDLE }, status: 'active' }, 400 + 80, ATTENTION_INDEXES],
  [{ needsAttention: { stuckSince: MIDDLE }, outcome: 'rejected' }, 400 + 80, ATTENTION_INDEXES],
  [{ needsAttention: { stuckSince: MIDDLE }, businessKey: 'key-17' }, 51],
  [{ status: 'failed', startedBy: 'user-5' }, 100],
  [{ q: 'nothing of this kind' }, SCAN_WINDOW],
  [{ riskLevel: 'low', q: 'nothing of this kind' }, SCAN_WINDOW],
];

const APPROVALS: readonly (readonly [ApprovalFilter, number])[] = [
  [{}, 51],
  ...(['newest', 'risk', 'due', 'urgency'] as const).flatMap((sort): (readonly [ApprovalFilter, number])[] => [
    [{ status: 'pending', sort }, 51],
    [{ status: 'approved', sort }, 51],
    [{ status: 'expired', sort }, 51],
    [{ sort }, 6 * 51],
    [{ status: 'pending', sort, decidableBy: { id: 'user-3', groups: ['approvers'] } }, 51],
    [{ status: 'pending', sort, decidableBy: { id: 'nobody', groups: [] } }, SCAN_WINDOW],
    [{ sort, undecidableBy: { id: 'nobody', groups: [] } }, 51],
    [{ status: 'pending', sort, workflowId: 'none' }, SCAN_WINDOW],
  ]),
  [{ status: 'pending', riskLevel: 'critical' }, 51],
  [{ status: 'pending', riskLevel: 'high', sort: 'risk' }, 51],
  [{ status: 'pending', riskLevel: 'high', sort: 'urgency' }, 51],
  [{ status: 'pending', dueBefore: MIDDLE, sort: 'due' }, 51],
  [{ runId: '01974bbe-1f80-7001-8100-000000000001' }, 51],
];

const INBOUND_EVENTS: readonly (readonly [InboundEventFilter, number])[] = [
  [{}, 51],
  ...(['matched', 'unmatched', 'buffered', 'expired', 'refused'] as const).map(
    (status): readonly [InboundEventFilter, number] => [{ status }, 51],
  ),
  [{ source: 'source-7' }, 1_100],
  [{ messageName: 'message-7' }, 51],
  [{ repeated: true }, 51],
  [{ via: 'event-ingress' }, 600],
  [{ messageName: 'message-7', source: 'source-7', status: 'buffered' }, SCAN_WINDOW],
  [{ via: 'nothing of this kind' }, SCAN_WINDOW],
];

const QUESTIONS: readonly (readonly [filter: QuestionFilter, maxRows: number, maxIndexes?: number])[] = [
  [{}, 51],
  ...(['pending', 'answered', 'expired'] as const).map((status): readonly [QuestionFilter, number] => [{ status }, 51]),
  [{ status: 'pending', workflowId: 'workflow-7' }, SCAN_WINDOW],
  [{ workflowId: 'none' }, SCAN_WINDOW],
  [{ runId: '01974bbe-1f80-7001-8100-000000000001' }, 51],
  [{ runId: '01974bbe-1f80-7001-8100-000000000001', status: 'pending' }, 51],
  [{ status: 'pending', sort: 'due' }, 51],
  [{ sort: 'due' }, 4 * 51],
  [{ status: 'pending', sort: 'due', dueBefore: 0 }, 0],
  [{ status: 'pending', sort: 'due', q: 'Which?' }, SCAN_WINDOW, 2],
  // Here the run of every scanned question is read, twice.
  [{ status: 'pending', sort: 'due', q: 'nothing of this kind' }, 3 * SCAN_WINDOW, 2],
];

/** Each policy decision of a page is read with its run. */
const POLICY_DECISIONS: readonly (readonly [PolicyDecisionFilter, number])[] = [
  [{}, 102],
  [{ decision: 'allow' }, 200],
  [{ decision: 'require_approval' }, 200],
  [{ decision: 'deny' }, 1_300],
  [{ riskLevel: 'critical' }, 2_400],
  [{ policyDigest: 'sha256:1' }, 104],
  [{ policyDigest: 'sha256:none' }, SCAN_WINDOW + 1],
  // Here the run of every scanned policy decision is read.
  [{ workflowId: 'workflow-7' }, 2 * SCAN_WINDOW + 51],
  [{ runId: '01974bbe-1f80-7001-8100-000000000001' }, 102],
  [{ runId: '01974bbe-1f80-7001-8100-000000000001', decision: 'deny' }, 102],
];

describe(`pages among ${ROW_COUNT} rows`, function () {
  this.timeout(120_000);
  let test: TestStorage;
  let database: Knex;
  let explainPage: (
    query: PageQuery,
    after: readonly string[] | undefined,
    kind: 'custom' | 'generic',
  ) => Promise<Plan>;

  before(async () => {
    test = await createTestStorage();
    const client = await test.connect();
    await fillWithManyRows(client);
    database = knex({
      client: 'pg',
      connection: buildConnectionOptions(test.connectionString) as Knex.PgConnectionConfig,
      pool: { min: 0, max: 1 },
    });
    explainPage = (query, after, kind) => {
      const { sql, bindings } = buildPageStatement(query, after, LIMIT);
      const native = database.raw(sql, bindings).toSQL().toNative();
      return kind === 'custom'
        ? explain(client, native.sql, native.bindings)
        : explainGeneric(client, native.sql, native.bindings);
    };
  });

  after(async () => {
    await database.destroy();
    await test.dispose();
  });

  /** Checks the rows and indexes that the first page and a later page read, with a custom and a generic plan. */
  async function checkPages(query: PageQuery, maxRows: number, maxIndexes = 1): Promise<void> {
    const { nextCursor } = await readPage(database, query, { limit: LIMIT });
    const key =
      nextCursor === null
        ? undefined
        : (JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[]).slice(1);
    for (const after of key === undefined ? [undefined] : [undefined, key]) {
      // The plan for these values and the generic plan.
      for (const kind of ['custom', 'generic'] as const) {
        const { scans, rowsRead } = await explainPage(query, after, kind);
        expect(new Set(scans).size, `${kind}: ${scans.join()}`).to.be.within(1, maxIndexes);
        for (const scan of scans) expect(scan).to.match(/^(runs|run_events|votes|approvals|inbound_events|questions)_/);
        expect(rowsRead, kind).to.be.at.most(maxRows);
      }
    }
  }

  for (const [filter, maxRows, maxIndexes] of RUNS) {
    it(`should read at most ${maxRows} runs for ${JSON.stringify(filter)}`, () =>
      checkPages(buildRunQuery(filter), maxRows, maxIndexes));
  }

  for (const [filter, maxRows] of APPROVALS) {
    it(`should read at most ${maxRows} approvals for ${JSON.stringify(filter)}`, () =>
      checkPages(buildApprovalQuery(filter), maxRows));
  }

  for (const [filter, maxRows] of [
    // Each vote of the page is read with its approval.
    [{ votedBy: 'user-3' }, 2 * 51],
    [{ votedBy: 'user-3', status: 'rejected' }, 1_600],
    [{ votedBy: 'user-3', q: 'nothing of this kind' }, 2 * SCAN_WINDOW],
    [{ votedBy: 'nobody' }, 0],
  ] as const) {
    it(`should read at most ${maxRows} votes and approvals for ${JSON.stringify(filter)}`, () =>
      checkPages(buildApprovalQuery(filter), maxRows, 2));
  }

  for (const [filter, maxRows] of INBOUND_EVENTS) {
    it(`should read at most ${maxRows} inbound events for ${JSON.stringify(filter)}`, () =>
      checkPages(buildInboundEventQuery(filter), maxRows));
  }

  for (const [filter, maxRows, maxIndexes] of QUESTIONS) {
    it(`should read at most ${maxRows} questions for ${JSON.stringify(filter)}`, () =>
      checkPages(buildQuestionQuery(filter), maxRows, maxIndexes));
  }

  for (const [filter, maxRows] of POLICY_DECISIONS) {
    it(`should read at most ${maxRows} policy decisions and runs for ${JSON.stringify(filter)}`, () =>
      checkPages(buildPolicyDecisionQuery(filter), maxRows, 2));
  }

  it('should use one statement for run pages of similar size, with at most five custom plans', async () => {
    const client = await test.connect();
    // The database compares the first custom plans with a generic plan.
    const MAX_CUSTOM_PLANS = 5;
    for (const [index, query] of [buildRunQuery({}), buildRunQuery({ workflowId: 'workflow-7' })].entries()) {
      const { nextCursor } = await readPage(database, query, { limit: 40 });
      const key = (JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as string[]).slice(1);
      for (let limit = 26; limit <= 50; limit += 1) {
        for (const [part, after] of [undefined, key].entries()) {
          const { sql, bindings } = buildPageStatement(query, after, limit);
          const native = database.raw(sql, bindings).toSQL().toNative();
          const { rows } = await client.query<{ matches: boolean }>({
            name: `page_${index}_${part}`,
            text: native.sql,
            values: [...native.bindings],
          });
          expect(rows.filter(({ matches }) => matches)).to.have.length(51);
        }
      }
    }

    const { rows } = await client.query<{ name: string; custom: number; all: number }>(
      'SELECT name, custom_plans::int AS custom, (custom_plans + generic_plans)::int AS all FROM pg_prepared_statements',
    );
    expect(rows).to.have.length(4);
    for (const { name, custom, all } of rows) {
      expect(all, name).to.equal(25);
      expect(custom, name).to.be.at.most(MAX_CUSTOM_PLANS);
    }
  });

  it('should refuse a limit that is not an integer', () => {
    for (const limit of ['1; DROP TABLE runs', 1.5, Number.NaN])
      expect(() => buildPageStatement(buildRunQuery({}), undefined, limit as number), String(limit)).to.throw(
        TypeError,
      );
  });

  it('should limit a count to the maximum and to the rows that a page may scan', async () => {
    for (const [filter, maxCount, expected] of [
      [{}, 1_000, { count: 1_000, exact: false }],
      [{ status: 'active' }, 1_000, { count: 80, exact: true }],
      // The newest 10,000 runs contain no match.
      [{ q: 'workflow-', riskLevel: 'low', workflowVersion: 1 }, 1_000, { count: 0, exact: false }],
    ] as const) {
      expect(await test.storage.countRuns(filter, maxCount), JSON.stringify(filter)).to.eql(expected);
    }
  });

  it('should read only the agent events of a step, by their own index', async () => {
    const client = await test.connect();
    const [runId, stepId] = ['01974bbe-1f80-7001-8100-000000000001', '01974bbe-1f80-7001-8300-000000000001'];
    await client.query(
      `INSERT INTO run_events (run_id, seq, at, type, step_id, data, hash)
       SELECT $1, n, now(), CASE WHEN n % 10 = 0 THEN 'agent.turn' ELSE 'step.retry' END, $2, '{}', '' FROM generate_series(2, 1000) n`,
      [runId, stepId],
    );
    for (const explainStatement of [explain, explainGeneric]) {
      const native = database
        .raw(AGENT_EVENTS, [stepId, runId, ['agent.turn'], ['agent.turn']])
        .toSQL()
        .toNative();
      const { scans, rowsRead } = await explainStatement(client, native.sql, native.bindings);
      expect(new Set(scans)).to.eql(new Set(['run_events_of_agents', 'run_events_pkey']));
      // Each of the hundred rows is read with the row before it.
      expect(rowsRead).to.be.at.most(200);
    }
  });

  it('should limit the number of run events that it counts, for any number of runs', async () => {
    const client = await test.connect();
    const { rows } = await client.query<{ run_id: string }>('SELECT run_id FROM runs ORDER BY run_id DESC LIMIT 20000');
    const { sql, bindings } = database
      .raw(COUNT_ELEMENTS, { runs: rows.map((row) => row.run_id), most: 1_000 })
      .toSQL()
      .toNative();
    for (const explainStatement of [explain, explainGeneric]) {
      const { scans, rowsRead } = await explainStatement(client, sql, bindings);
      // For an open step, the run row records whether an approval or a question is open.
      expect(new Set(scans)).to.eql(new Set(['run_events_pkey', 'runs_pkey']));
      expect(rowsRead).to.be.at.most(2 * 1_001);
    }
  });

  it('should stop a count at the time limit', async () => {
    const client = await test.connect();
    const count = (): ReturnType<typeof computeWorkflowStatistics> =>
      computeWorkflowStatistics(database, { workflowId: 'workflow-7' }, { runs: 100, events: 1_000 }, 100);
    // Another transaction locks the table that the count reads.
    await client.query('BEGIN; LOCK TABLE run_events IN ACCESS EXCLUSIVE MODE');
    expect(await count()).to.equal(undefined);
    await client.query('ROLLBACK');
    expect(
      (
        await database.transaction((transaction) =>
          transaction.raw<{ rows: { statement_timeout: string }[] }>('SHOW statement_timeout'),
        )
      ).rows[0]?.statement_timeout,
    ).to.equal('30s');
  });

  it('should reach the end through shorter pages if the filter requires a scan', async () => {
    let cursor: string | undefined;
    let found = 0;
    let pages = 0;
    do {
      const page = await test.storage.listRuns(
        { q: 'KEY-1234', riskLevel: 'low' },
        { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
      );
      found += page.items.length;
      pages += 1;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const { rows } = await (
      await test.connect()
    ).query<{ count: number }>(
      `SELECT count(*)::int FROM runs WHERE business_key LIKE 'key-1234%' AND risk_level = 'low'`,
    );
    expect(found).to.equal(rows[0]!.count).and.above(0);
    expect(pages).to.be.within(ROW_COUNT / SCAN_WINDOW, ROW_COUNT / SCAN_WINDOW + 2);
  });

  it('should read workflows, audit events and run events by an index', async () => {
    const client = await test.connect();
    const cases = [
      [
        `SELECT * FROM workflow_versions WHERE newest ORDER BY deployed_at DESC, workflow_id DESC LIMIT 51`,
        'workflow_versions_by_deployment',
      ],
      [`SELECT * FROM audit_events ORDER BY audit_id LIMIT 50`, 'audit_events_pkey'],
      [`SELECT * FROM audit_events WHERE actor_id = 'user-5' ORDER BY audit_id DESC LIMIT 50`, 'audit_events_by_actor'],
      [
        `SELECT * FROM audit_events WHERE run_id = '01974bbe-1f80-7001-8100-000000000001' ORDER BY seq DESC LIMIT 50`,
        'audit_events_by_run',
      ],
      [
        `SELECT * FROM run_events WHERE run_id = '01974bbe-1f80-7001-8100-000000000001' AND seq >= 0 ORDER BY seq LIMIT 51`,
        'run_events_pkey',
      ],
    ] as const;
    for (const [sql, index] of cases) {
      const { scans, rowsRead } = await explain(client, sql, []);
      expect(scans).to.eql([index]);
      expect(rowsRead).to.be.at.most(101);
    }
  });
});
