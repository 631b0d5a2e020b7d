import { createClient, type Client, type Ready } from '@countersign/contract';
import { mintDevToken } from '@countersign/server';
import { createTestHost, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { IMPATIENT, ServerChild } from '../recovery/server-child.spec.support.js';

const PRELOAD = new URL('./shift-clock.js', import.meta.url).href;
const MINUTES = 60_000;

const sleeping = (id: string, duration: string): string => `<?xml version="1.0" encoding="UTF-8"?>
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
const EXPIRING = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="http://example.com/bpmn">
  <bpmn:process id="expiring" isExecutable="true">
    <bpmn:startEvent id="start"/>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="ask"/>
    <bpmn:userTask id="ask" name="May it?"><bpmn:extensionElements><zeebe:userTask/><zeebe:assignmentDefinition candidateUsers="approver"/></bpmn:extensionElements></bpmn:userTask>
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

    let good: TestHost;
    let off: ServerChild;
    let offUrl: string;
    let goodClient: Client;
    let offClient: Client;
    let database: pg.Client;

    before(async () => {
      good = await createTestHost();
      const { dataDirectory } = good;
      const configuration = {
        Server: { Port: 0 },
        Data: { Directory: dataDirectory },
        Auth: { DevToken: { Enabled: true } },
        Storage: { Postgres: { ConnectionString: good.database.connectionString } },
      };
      const env = { NODE_OPTIONS: `--import=${PRELOAD}`, SHIFT_CLOCK_MS: String(minutes * MINUTES) };
      off = new ServerChild({ configuration, effects: null, options: IMPATIENT }, env);
      offUrl = `http://127.0.0.1:${await off.ready}`;
      goodClient = await good.client('admin');
      offClient = createClient({ baseUrl: offUrl, token: await good.token('admin') });
      database = new pg.Client({ connectionString: good.database.connectionString });
      await database.connect();
      for (const model of [sleeping('long', 'PT5M'), sleeping('short', 'PT2S'), EXPIRING]) await good.deploy(model);
    });

    after(async () => {
      await database.end();
      await off.stop();
      await good.close();
    });

    /** Returns when the timers of a run are due, in seconds from now by the database clock. */
    async function dueIn(runId: string): Promise<number[]> {
      const { rows } = await database.query<{ seconds: number }>(
        'SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds FROM timers WHERE run_id = $1',
        [runId],
      );
      return rows.map(({ seconds }) => seconds);
    }

    const ended = (runId: string) =>
      until('the run has ended', async () => (await goodClient.getRun({ runId })).outcome === 'completed', 60);

    it('should neither fire a timer nor expire an approval early, whichever server armed the timer', async () => {
      // given
      const clients = [goodClient, offClient];
      const waiting = await Promise.all(
        clients.flatMap((client) =>
          ['long', 'expiring'].map((workflowId) => client.startRun({ body: { workflowId } })),
        ),
      );

      // when timers become due and fire
      const short = await Promise.all(clients.map((client) => client.startRun({ body: { workflowId: 'short' } })));
      for (const { runId } of short) await ended(runId);

      // then
      for (const { runId } of waiting) {
        expect((await goodClient.getRun({ runId })).status).to.equal('blocked');
        const [seconds, ...others] = await dueIn(runId);
        expect(seconds).to.be.within(200, 301);
        expect(others).to.eql([]);
      }
    });

    it('should accept valid tokens and refuse expired tokens', async () => {
      const { dataDirectory } = good;
      const status = async (expiresInSeconds: number) => {
        const { token } = await mintDevToken({ dataDirectory, subject: 'viewer', role: 'viewer', expiresInSeconds });
        return (await fetch(`${offUrl}/api/runs`, { headers: { authorization: `Bearer ${token}` } })).status;
      };

      expect(await status(300)).to.equal(200);
      expect(await status(-120)).to.equal(401);
    });

    it('should stay ready and report the offset in readiness, metrics and the log', async () => {
      const headers = { authorization: `Bearer ${await good.token('operator')}` };
      const checks = await until('it is ready, with a warning', async () => {
        const answer = await fetch(`${offUrl}/api/health/ready`, { headers });
        const { status, checks: made } = (await answer.json()) as Ready;
        return answer.ok && status === 'warn' && made;
      });
      const clock = checks.find(({ name }) => name === 'clock');
      expect(clock?.status).to.equal('warn');
      expect(clock?.detail).to.match(
        new RegExp(
          `^The clock of this server is (599|600|601) s ${minutes > 0 ? 'ahead of' : 'behind'} that of the database\\.`,
        ),
      );

      const metrics = await (
        await fetch(`${offUrl}/metrics`, { headers: { authorization: `Bearer ${await good.token('admin')}` } })
      ).text();
      const seconds = Number(/^countersign_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
      expect(seconds).to.be.closeTo(minutes * 60, 2);

      await until('the log says so', async () => off.output.includes('cannot fire timers: the clock of this server'));
      const other = (await (await fetch(`${good.url}/api/health/ready`, { headers })).json()) as Ready;
      expect(other.checks.find(({ name }) => name === 'clock')?.status).to.equal('ok');
    });
  });
}
