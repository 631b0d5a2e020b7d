import type { Client } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
/** Element whose events the database refuses to store. */
const REFUSED_TASK = '<bpmn:task id="refused" />';
const INCIDENT_CODE = 'command_not_storable';
const CHECK_VIOLATION = '23514';

const timer = (id: string, duration = 'PT0S'): string =>
  `<bpmn:intermediateCatchEvent id="${id}"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`;
const TIMER_COUNT = 110;
const FEW_TIMERS = 3;

/** Returns a workflow that waits for many timers in parallel. */
const parallelTimersModel = (
  id: string,
  timerId: string,
  timerCount = TIMER_COUNT,
  otherElements = '',
  ...otherFlows: string[]
): string =>
  processModel(
    id,
    `${START}<bpmn:subProcess id="each"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=for i in 1..${timerCount} return i" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>
      <bpmn:startEvent id="begin" />${timer(timerId)}${REFUSED_TASK}
      <bpmn:sequenceFlow id="a" sourceRef="begin" targetRef="${timerId}" /><bpmn:sequenceFlow id="b" sourceRef="${timerId}" targetRef="refused" />
    </bpmn:subProcess>${otherElements}${END}`,
    'start > each',
    'each > end',
    ...otherFlows,
  );

const MODELS = [
  processModel('starts', `${START}${REFUSED_TASK}${END}`, 'start > refused', 'refused > end'),
  processModel(
    'works',
    `${START}${serviceTask('work', 'work')}${REFUSED_TASK}${END}`,
    'start > work',
    'work > refused',
    'refused > end',
  ),
  processModel(
    'asks',
    `${START}<bpmn:userTask id="ok" />${REFUSED_TASK}${END}`,
    'start > ok',
    'ok > refused',
    'refused > end',
  ),
  parallelTimersModel('waits', 'pause'),
  parallelTimersModel('is-stuck', 'stuck'),
  parallelTimersModel('is-partly-stuck', 'stuck', FEW_TIMERS, timer('later', 'PT0.5S'), 'start > later', 'later > end'),
  processModel('other', `${START}${timer('pause')}${END}`, 'start > pause', 'pause > end'),
  processModel(
    'calls',
    `${START}<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other" /></bpmn:extensionElements></bpmn:callActivity>${REFUSED_TASK}${END}`,
    'start > call',
    'call > refused',
    'refused > end',
  ),
];

type Run = Awaited<ReturnType<Client['getRun']>>;

describe('API: commands that the database permanently refuses to store', () => {
  let countersign: TestHost;
  let database: pg.Client;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    operator = await countersign.client('operator', 'otto');
    for (const model of MODELS) await countersign.deploy(model);
    database = new pg.Client(countersign.database.connectionString);
    await database.connect();
  });

  after(async () => {
    await database?.end();
    await countersign.close();
  });

  beforeEach(() =>
    database.query("ALTER TABLE run_events ADD CONSTRAINT refused CHECK (element_id <> 'refused') NOT VALID"),
  );

  const dropConstraint = () => database.query('ALTER TABLE run_events DROP CONSTRAINT IF EXISTS refused');
  /** Drops `refused` first: otherwise, a timer that fires between the two statements would raise an incident. */
  const dropAllConstraints = async (): Promise<void> => {
    await dropConstraint();
    await database.query('ALTER TABLE run_events DROP CONSTRAINT IF EXISTS refused_too');
  };
  afterEach(dropAllConstraints);

  const startRun = async (workflowId: string): Promise<string> =>
    (await operator.startRun({ body: { workflowId } })).runId;
  const waitUntilEnded = (runId: string): Promise<Run> =>
    waitUntil('the end of the run', async () => {
      const run = await operator.getRun({ runId });
      return run.outcome !== null && run;
    });
  const waitForIncident = (runId: string): Promise<Run> =>
    waitUntil('an incident', async () => {
      const run = await operator.getRun({ runId });
      return run.incidents > 0 && run;
    });
  const fetchMetrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${await countersign.token('admin')}` };
    return (await fetch(`${countersign.url}/metrics`, { headers })).text();
  };
  const getEngineCheck = async () => (await operator.getReady()).checks.find(({ name }) => name === 'engine');

  /** Checks the incident of a step, and that the run continues once the cause is removed. */
  const expectIncident = async (runId: string, elementId: string): Promise<void> => {
    const { steps, error } = await waitForIncident(runId);
    expect(steps.flatMap((step) => (step.status === 'failed' ? [step.elementId] : []))).to.deep.equal([elementId]);
    expect(error).to.include({ code: INCIDENT_CODE });
    expect(error?.message).to.contain(CHECK_VIOLATION);
    await dropConstraint();
    await operator.recoverRun({ runId, body: {} });
    expect((await waitUntilEnded(runId)).outcome).to.equal('completed');
    await expectReplayed(runId);
  };

  /** Checks that the timers of a run fire, and the warning ends, once the cause is removed. */
  const expectTimersFire = async (runId: string): Promise<void> => {
    await dropAllConstraints();
    await waitUntil('the end of the run', async () => {
      const { outcome, incidents } = await operator.getRun({ runId });
      // A timer that was evaluated just before may have raised an incident.
      if (incidents > 0) await operator.recoverRun({ runId, body: {} });
      return outcome === 'completed';
    });
    await waitUntil('an ok engine check', async () => (await getEngineCheck())?.status === 'ok');
  };

  /** Checks that the history of a run replays each of its states, including those around an incident. */
  const expectReplayed = async (runId: string): Promise<void> => {
    for await (const { seq } of operator.streamRunEvents({ runId, after: 0 }))
      expect(await operator.getRunState({ runId, at: seq })).to.include({ at: seq, gap: null });
  };

  it('should raise an incident at the start event of a new run', async () => {
    await expectIncident(await startRun('starts'), 'start');
  });

  it('should count a vote and raise an incident when the next step cannot be stored', async () => {
    // given
    const approver = await countersign.client('approver', 'ada');
    const runId = await startRun('asks');
    const { approvalId, digest } = await waitForApproval(approver, runId);

    // when
    const { status } = await approver.decideApproval({
      approvalId,
      body: { decision: 'approve', expectedDigest: digest },
    });

    // then
    expect(status).to.equal('approved');
    await expectIncident(runId, 'ok');
  });

  it('should store a job result and raise an incident without repeating the job', async () => {
    // given
    const runId = await startRun('works');

    // when
    await countersign.jobs.complete('work', { sum: 3 });

    // then
    await expectIncident(runId, 'work');
    expect((await operator.getRun({ runId })).variables).to.include({ sum: 3 });
  });

  it('should raise an incident at the call activity when the step after a child run cannot be stored', async () => {
    await expectIncident(await startRun('calls'), 'call');
  });

  it('should refuse a command with the reason when not even an incident can be stored', async () => {
    // given
    await database.query("ALTER TABLE run_events ADD CONSTRAINT refused_too CHECK (element_id <> 'start') NOT VALID");

    // when
    const problem = await expectProblem(startRun('starts'));

    // then
    expect(problem).to.include({ status: 422, code: INCIDENT_CODE, retryable: false });
    expect(problem.detail).to.contain(CHECK_VIOLATION);
  });

  it('should raise an incident for each timer whose outcome cannot be stored', async () => {
    // given
    const readNotStorableCount = async (): Promise<number> =>
      Number(/^countersign_commands_not_storable_total (\d+)$/m.exec(await fetchMetrics())?.[1]);
    const initialCount = await readNotStorableCount();

    // when
    const failingRunId = await startRun('waits');

    // then
    await waitUntil(
      'all incidents',
      async () => (await operator.getRun({ runId: failingRunId })).incidents === TIMER_COUNT,
    );
    expect((await readNotStorableCount()) - initialCount).to.equal(TIMER_COUNT);
    await dropConstraint();
    await operator.recoverRun({ runId: failingRunId, body: {} });
    expect((await waitUntilEnded(failingRunId)).outcome).to.equal('completed');
  });

  it('should still fire another timer of a run with timers that cannot fire', async () => {
    // given
    await database.query(
      "ALTER TABLE run_events ADD CONSTRAINT refused_too CHECK (type <> 'timer.fired' OR element_id <> 'stuck') NOT VALID",
    );

    // when
    const runId = await startRun('is-partly-stuck');

    // then
    await waitUntil('the other timer fires', async () =>
      (await operator.getRun({ runId })).steps.some(
        ({ elementId, status }) => elementId === 'later' && status === 'completed',
      ),
    );
    await expectTimersFire(runId);
  });

  it('should retry timers that cannot fire, show a warning, and still fire the timers of other runs', async () => {
    // given
    await database.query(
      "ALTER TABLE run_events ADD CONSTRAINT refused_too CHECK (type <> 'timer.fired' OR element_id <> 'stuck') NOT VALID",
    );
    const failingRunId = await startRun('is-stuck');

    // when
    const otherRunIds = await Promise.all(Array.from({ length: 5 }, () => startRun('other')));

    // then
    for (const runId of otherRunIds) expect((await waitUntilEnded(runId)).outcome).to.equal('completed');
    await waitUntil('a warning', async () => (await getEngineCheck())?.status === 'warn');
    expect(await fetchMetrics()).to.match(/^countersign_work_failing\{work="timers"\} 1$/m);
    await expectTimersFire(failingRunId);
  });
});
