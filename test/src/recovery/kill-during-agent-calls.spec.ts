import type { Client } from '@countersign/contract';
import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { processModel, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AgentServices, KILL_POINTS, type KillPoint } from './agent-services.spec.support.js';
import { retryOnServerLoss } from './retry-until-done.spec.support.js';
import { getBundledServer } from './bundled-server.spec.support.js';
import { RestartingServer } from './restarting-server.spec.support.js';

const MODEL = processModel(
  'charging',
  '<bpmn:startEvent id="start" /><bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="agent" retries="5" />' +
    '<zeebe:taskHeaders><zeebe:header key="agent" value="charger" /><zeebe:header key="prompt" value="Charge." /></zeebe:taskHeaders>' +
    '</bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />',
  'start > work',
  'work > end',
);

describe('agent whose server is killed during a request to a language model or a tool call', function () {
  this.timeout(240_000);

  let database: TestDatabase;
  let directory: string;
  let services: AgentServices;
  let server: RestartingServer;
  let pool: pg.Pool;
  let vera: Client;
  let bea: Client;
  let runId: string;

  before(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-killed-agents-'));
    services = new AgentServices();
    await services.open();
    await writeFile(
      join(directory, 'charger.yaml'),
      'name: charger\nsystem: You charge.\nmodel: { provider: openai, name: m }\ntools: [http.get, http.request]\n',
    );
    const configuration = {
      Agents: { Directory: directory, Http: { AllowedHosts: [new URL(services.url).host] } },
      Models: { OpenAI: { BaseUrl: `${services.url}/v1` } },
      Connectors: { AllowedNetworks: ['127.0.0.0/8'] },
    };
    server = new RestartingServer({
      dataDirectory: join(directory, 'data'),
      connectionString: database.connectionString,
      effects: null,
      configuration,
      main: await getBundledServer(),
    });
    await server.runningServer;
    pool = new pg.Pool({ connectionString: database.connectionString, max: 2 });
    // An idle connection may report that its database was dropped before it is closed.
    pool.on('error', () => undefined);
    vera = await server.client('operator', 'vera');
    bea = await server.client('approver', 'bea');
    const admin = await server.client('admin', 'adam');
    await admin.deployWorkflow({ body: MODEL });
  });

  after(async () => {
    await server?.stop();
    await pool?.end();
    await services?.close();
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  });

  afterEach(async () => {
    // Cancels a run that was too slow, so that its later effects are not counted in the next test.
    if (runId !== '' && (await retryOnServerLoss(() => vera.getRun({ runId }))).outcome === null)
      await retryOnServerLoss(() =>
        vera.cancelRun({ runId, body: { reason: 'too slow' } }, { idempotencyKey: `cancel-${runId}` }),
      );
  });

  for (const killedAt of [undefined, ...KILL_POINTS]) {
    it(`should execute each approved call once and repeat no recorded turn: ${killedAt ?? 'undisturbed'}`, async () => {
      // given
      services.requestsByTurn.length = 0;
      services.effects.clear();
      const kills = server.kills;
      const { pid } = await server.runningServer;
      const startKey = randomUUID();
      runId = '';
      let isKilled = false;
      const repeatedTurns: number[] = [];
      services.onKillPoint = (killPoint: KillPoint) => {
        if (killPoint !== killedAt || isKilled) return false;
        isKilled = true;
        process.kill(pid, 'SIGKILL');
        return true;
      };
      services.onTurn = async (turn) => {
        const { rowCount } = await pool.query(
          `SELECT FROM run_events WHERE run_id = (SELECT run_id FROM runs ORDER BY started_at DESC LIMIT 1) AND type = 'agent.turn'`,
        );
        if ((rowCount ?? 0) >= turn) repeatedTurns.push(turn);
      };

      // when
      ({ runId } = await retryOnServerLoss(() =>
        vera.startRun({ body: { workflowId: 'charging' } }, { idempotencyKey: startKey }),
      ));
      const approved = new Set<string>();
      await waitUntil('the run ends', async () => {
        const run = await retryOnServerLoss(() => vera.getRun({ runId }));
        for (const wait of run.waitingFor) {
          if (wait.kind === 'approval') {
            await retryOnServerLoss(() =>
              bea.decideApproval(
                { approvalId: wait.approvalId, body: { decision: 'approve' } },
                { idempotencyKey: `approve-${wait.approvalId}` },
              ),
            );
            approved.add(wait.approvalId);
          } else if (wait.kind === 'question') {
            await answerQuestion(runId, wait.questionId);
          }
        }
        if (run.incidents > 0) throw new Error(JSON.stringify(run.error));
        return run.outcome !== null;
      });

      // then
      expect(server.kills - kills).to.equal(killedAt === undefined ? 0 : 1);
      expect((await vera.getRun({ runId })).outcome).to.equal('completed');
      expect([...services.effects.values()], 'effects of the two writes').to.deep.equal([1, 1]);
      expect(approved.size, 'approvals').to.equal(2);
      expect(repeatedTurns, 'requested turns that were already recorded').to.deep.equal([]);
      expect(
        services.requestsByTurn
          .map((times, index) => times - (killedAt?.startsWith(`turn ${index + 1} `) === true ? 1 : 0))
          .every((times) => times <= 1),
        String(services.requestsByTurn),
      ).to.equal(true);
    });
  }

  /** Answers the question about a call of unknown outcome, like an operator who checks the service. */
  async function answerQuestion(runId: string, questionId: string): Promise<void> {
    const question = await retryOnServerLoss(() => vera.getQuestion({ questionId }));
    expect(question.purpose).to.equal('outcome');
    const wasExecuted = services.effects.has(question.callId ?? '');
    await retryOnServerLoss(() =>
      vera.answerQuestion(
        { runId, questionId, body: { answer: wasExecuted ? 'done' : 'not_done' } },
        { idempotencyKey: `answer-${questionId}` },
      ),
    );
  }
});
