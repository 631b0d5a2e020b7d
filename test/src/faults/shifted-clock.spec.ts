import { createClient, type Client, type Ready } from '@countersign/contract';
import { mintDevToken } from '@countersign/server';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { IMPATIENT_OPTIONS, ServerChild } from '../recovery/server-child.spec.support.js';

const PRELOAD = new URL('./shift-clock.js', import.meta.url).href;
const MINUTE_MS = 60_000;

const timerModel = (id: string, duration: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="http://example.com/bpmn">
  <bpmn:process id="${id}" isExecutable="true">
    <bpmn:startEvent id="start"/>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="wait"/>
    <bpmn:intermediateCatchEvent id="wait"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="f2" sourceRef="wait" targetRef="end"/>
    <bpmn:endEvent id="end"/>
  </bpmn:process>
</bpmn:definitions>`;

/** Workflow whose approval a boundary timer interrupts after five minutes. */
const EXPIRING_APPROVAL_MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="http://example.com/bpmn">
  <bpmn:process id="expiring" isExecutable="true">
    <bpmn:startEvent id="start"/>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="ask"/>
    <bpmn:userTask id="ask" name="Approve?"><bpmn:extensionElements><zeebe:userTask/><zeebe:assignmentDefinition candidateUsers="approver"/></bpmn:extensionElements></bpmn:userTask>
    <bpmn:boundaryEvent id="late" attachedToRef="ask"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT5M</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="f2" sourceRef="ask" targetRef="end"/>
    <bpmn:sequenceFlow id="f3" sourceRef="late" targetRef="expired"/>
    <bpmn:endEvent id="end"/>
    <bpmn:endEvent id="expired"/>
  </bpmn:process>
</bpmn:definitions>`;

for (const minutes of [10, -10]) {
  describe(`server whose clock is off by ${minutes} minutes, next to a server with a correct clock`, function () {
    this.timeout(120_000);

    let correctServer: TestHost;
    let shiftedServer: ServerChild;
    let shiftedUrl: string;
    let correctClient: Client;
    let shiftedClient: Client;
    let database: pg.Client;

    before(async () => {
      correctServer = await createTestHost();
      const { dataDirectory } = correctServer;
      const configuration = {
        Server: { Port: 0 },
        Data: { Directory: dataDirectory },
        Auth: { DevToken: { Enabled: true } },
        Storage: { Postgres: { ConnectionString: correctServer.database.connectionString } },
      };
      const env = { NODE_OPTIONS: `--import=${PRELOAD}`, SHIFT_CLOCK_MS: String(minutes * MINUTE_MS) };
      shiftedServer = new ServerChild({ configuration, effects: null, options: IMPATIENT_OPTIONS }, env);
      shiftedUrl = `http://127.0.0.1:${await shiftedServer.ready}`;
      correctClient = await correctServer.client('admin');
      shiftedClient = createClient({ baseUrl: shiftedUrl, token: await correctServer.token('admin') });
      database = new pg.Client({ connectionString: correctServer.database.connectionString });
      await database.connect();
      for (const model of [timerModel('long', 'PT5M'), timerModel('short', 'PT2S'), EXPIRING_APPROVAL_MODEL])
        await correctServer.deploy(model);
    });

    after(async () => {
      await database.end();
      await shiftedServer.stop();
      await correctServer.close();
    });

    /** Returns the seconds until each timer of a run is due, by the database clock. */
    async function secondsUntilDue(runId: string): Promise<number[]> {
      const { rows } = await database.query<{ seconds: number }>(
        'SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds FROM timers WHERE run_id = $1',
        [runId],
      );
      return rows.map(({ seconds }) => seconds);
    }

    const waitUntilCompleted = (runId: string) =>
      waitUntil('the run has ended', async () => (await correctClient.getRun({ runId })).outcome === 'completed', 60);

    it('should neither fire a timer nor expire an approval early, whichever server armed the timer', async () => {
      // given
      const clients = [correctClient, shiftedClient];
      const waitingRuns = await Promise.all(
        clients.flatMap((client) =>
          ['long', 'expiring'].map((workflowId) => client.startRun({ body: { workflowId } })),
        ),
      );

      // when timers become due and fire
      const shortRuns = await Promise.all(clients.map((client) => client.startRun({ body: { workflowId: 'short' } })));
      for (const { runId } of shortRuns) await waitUntilCompleted(runId);

      // then
      for (const { runId } of waitingRuns) {
        expect((await correctClient.getRun({ runId })).status).to.equal('blocked');
        const [seconds, ...otherTimers] = await secondsUntilDue(runId);
        expect(seconds).to.be.within(200, 301);
        expect(otherTimers).to.eql([]);
      }
    });

    it('should accept valid tokens and refuse expired tokens', async () => {
      const { dataDirectory } = correctServer;
      const tokenStatus = async (expiresInSeconds: number) => {
        const { token } = await mintDevToken({ dataDirectory, subject: 'viewer', role: 'viewer', expiresInSeconds });
        return (await fetch(`${shiftedUrl}/api/runs`, { headers: { authorization: `Bearer ${token}` } })).status;
      };

      expect(await tokenStatus(300)).to.equal(200);
      expect(await tokenStatus(-120)).to.equal(401);
    });

    it('should stay ready and report the offset in readiness, metrics and the log', async () => {
      const headers = { authorization: `Bearer ${await correctServer.token('operator')}` };
      const checks = await waitUntil('the server is ready with a warning', async () => {
        const response = await fetch(`${shiftedUrl}/api/health/ready`, { headers });
        const { status, checks: currentChecks } = (await response.json()) as Ready;
        return response.ok && status === 'warn' && currentChecks;
      });
      const clock = checks.find(({ name }) => name === 'clock');
      expect(clock?.status).to.equal('warn');
      expect(clock?.detail).to.match(
        new RegExp(
          `^The clock of this server is (599|600|601) s ${minutes > 0 ? 'ahead of' : 'behind'} that of the database\\.`,
        ),
      );

      const metrics = await (
        await fetch(`${shiftedUrl}/metrics`, {
          headers: { authorization: `Bearer ${await correctServer.token('admin')}` },
        })
      ).text();
      const seconds = Number(/^countersign_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
      expect(seconds).to.be.closeTo(minutes * 60, 2);

      await waitUntil('the offset is logged', async () =>
        shiftedServer.output.includes('cannot fire timers: the clock of this server'),
      );
      const correctReadiness = (await (
        await fetch(`${correctServer.url}/api/health/ready`, { headers })
      ).json()) as Ready;
      expect(correctReadiness.checks.find(({ name }) => name === 'clock')?.status).to.equal('ok');
    });
  });
}
