import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { itOnEmbedded } from '../engines/embedded-only.spec.support.js';
import {
  RecordedNotes,
  requirePendingId,
  waitUntilSettled,
  startAgentHost,
  getAgentWork,
  type AgentHost,
} from './agent-host.spec.support.js';

/** Why the specs run on the embedded engine only. On a Temporal cluster, the sweep with agents kills servers. */
const REASON = 'the specs expire a lease';

const call = (tool: string) => ({ tool, arguments: { note: 'x' } });
const agent = (tool: string) => ({
  script: {
    rules: [
      { when: { turn: 1 }, answer: { calls: [call(tool)] } },
      { answer: { text: { $text: [{ $from: 'shown' }] } } },
    ],
  },
});
const AGENTS = { finder: agent('notes.find'), reader: agent('notes.read') };

describe('a tool call whose worker is lost', function () {
  this.timeout(60_000);

  let firstHost: AgentHost;
  let secondHost: AgentHost;
  let sql: pg.Client;

  beforeEach(async () => {
    firstHost = await startAgentHost({ agents: AGENTS });
    secondHost = await startAgentHost({ agents: AGENTS, notes: new RecordedNotes(), shareDataWith: firstHost });
    sql = new pg.Client(firstHost.database.connectionString);
    await sql.connect();
  });

  afterEach(async () => {
    await sql.end();
    await secondHost.close();
    await firstHost.close();
  });

  /** Lets the second server start the call, then stops that server and expires its lease. */
  async function killDuringCall(name: 'finder' | 'reader'): Promise<string> {
    secondHost.notes.onCall = () => new Promise(() => undefined);
    const { runId } = await secondHost.start({
      workflowId: name,
      headers: { agent: name, prompt: 'Find it.', resultVariable: 'said' },
    });
    await waitUntil('the call is started', () => Promise.resolve(secondHost.notes.calls.length === 1));
    const stopped = secondHost.close();
    await waitUntil('the lease has expired', async () => {
      await sql.query(
        `UPDATE jobs SET owner = 'gone', available_at = now() - interval '1 second' WHERE run_id = $1 AND owner IS DISTINCT FROM 'gone' AND epoch = 1`,
        [runId],
      );
      const { rowCount } = await sql.query('SELECT 1 FROM jobs WHERE run_id = $1 AND epoch = 1', [runId]);
      return rowCount === 0;
    });
    await stopped;
    return runId;
  }

  itOnEmbedded(
    'should repeat the call with the same key after a person answers that it was not executed',
    REASON,
    async () => {
      // given
      const runId = await killDuringCall('finder');
      const run = await waitUntilSettled(firstHost.operator, runId);
      const questionId = requirePendingId(run, 'question');
      expect(await firstHost.operator.getQuestion({ questionId })).to.deep.include({
        purpose: 'outcome',
        options: ['done', 'not_done', 'skip'],
      });
      expect(firstHost.notes.calls).to.have.length(0);

      // when
      await firstHost.operator.answerQuestion({ runId, questionId, body: { answer: 'not_done' } });
      const endedRun = await waitUntilSettled(firstHost.operator, runId);

      // then
      expect(endedRun.outcome).to.equal('completed');
      expect(firstHost.notes.calls.map(({ key }) => key)).to.deep.equal([secondHost.notes.calls[0]?.key]);
      expect((await getAgentWork(firstHost.operator, endedRun)).usage).to.deep.include({ turns: 2, toolCalls: 1 });
    },
  );

  itOnEmbedded('should not repeat the call after a person answers that it was executed', REASON, async () => {
    // given
    const runId = await killDuringCall('finder');
    const run = await waitUntilSettled(firstHost.operator, runId);

    // when
    await firstHost.operator.answerQuestion({
      runId,
      questionId: requirePendingId(run, 'question'),
      body: { answer: 'done' },
    });
    const endedRun = await waitUntilSettled(firstHost.operator, runId);

    // then
    expect(endedRun.outcome).to.equal('completed');
    expect(firstHost.notes.calls).to.have.length(0);
    expect(JSON.stringify(endedRun.variables['said'])).to.contain('The call was made.');
  });

  itOnEmbedded(
    'should repeat the call with the same key without a question when its tool allows repetition',
    REASON,
    async () => {
      // when
      const endedRun = await waitUntilSettled(firstHost.operator, await killDuringCall('reader'));

      // then
      expect(endedRun.outcome).to.equal('completed');
      expect(firstHost.notes.calls.map(({ key }) => key)).to.deep.equal([secondHost.notes.calls[0]?.key]);
    },
  );
});
