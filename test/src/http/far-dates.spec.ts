import type { Client } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const MAX_DATE = '9999-12-31T23:59:59.999Z';
/** Values that systems in several time zones use for "never". */
const DATES_NEAR_MAX = ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999-12:00'];
const EXPECTED_DUE_DATES = ['9999-12-31T23:59:59.000Z', MAX_DATE, MAX_DATE];
/** Values that such systems use for "always". */
const DATES_NEAR_MIN = ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00'];
const OUT_OF_RANGE_DATES = ['+010000-01-01T00:00:00Z', '0000-12-31T23:59:59Z', '-000001-06-01T00:00:00Z'];

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const timerDefinition = (property: string, timerValue: string): string =>
  `<bpmn:timerEventDefinition><bpmn:${property} xsi:type="bpmn:tFormalExpression">${timerValue}</bpmn:${property}></bpmn:timerEventDefinition>`;
const timerEvent = (property: string, timerValue: string): string =>
  `<bpmn:intermediateCatchEvent id="wait">${timerDefinition(property, timerValue)}</bpmn:intermediateCatchEvent>`;
const timerModel = (id: string, property: string, timerValue: string): string =>
  processModel(id, `${START}${timerEvent(property, timerValue)}${END}`, 'start > wait', 'wait > end');
const repeatingTimerModel = (id: string, timerValue: string): string =>
  processModel(
    id,
    `${START}${serviceTask('work', 'work')}<bpmn:boundaryEvent id="wait" attachedToRef="work" cancelActivity="false">${timerDefinition('timeCycle', timerValue)}</bpmn:boundaryEvent>${END}`,
    'start > work',
    'work > end',
    'wait > end',
  );
const timerStartModel = (id: string, timerValue: string): string =>
  processModel(
    id,
    `<bpmn:startEvent id="start">${timerDefinition('timeDate', timerValue)}</bpmn:startEvent>${END}`,
    'start > end',
  );
const approvalModel = (id: string, dueDate: string): string =>
  processModel(
    id,
    `${START}<bpmn:userTask id="ok"><bpmn:extensionElements><zeebe:taskSchedule dueDate="${dueDate}" /><zeebe:properties><zeebe:property name="approval.onTimeout" value="reject" /></zeebe:properties></bpmn:extensionElements></bpmn:userTask>${END}`,
    'start > ok',
    'ok > end',
  );

describe('API: dates at the limits of the calendar', () => {
  let countersign: TestHost;
  let operator: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [operator, admin] = await Promise.all([
      countersign.client('operator', 'otto'),
      countersign.client('admin', 'adam'),
    ]);
    await countersign.deploy(timerModel('until-date', 'timeDate', '=value'));
    await countersign.deploy(timerModel('for-duration', 'timeDuration', '=value'));
    await countersign.deploy(repeatingTimerModel('by-cycle', '=value'));
    await countersign.deploy(approvalModel('asks', '=value'));
    await countersign.deploy(
      processModel(
        'works',
        `${START}${serviceTask('work', 'work')}${timerEvent('timeDate', '=value')}${END}`,
        'start > work',
        'work > wait',
        'wait > end',
      ),
    );
  });

  after(() => countersign.close());

  const startRun = (workflowId: string, value: string) =>
    operator.startRun({ body: { workflowId, inputs: { value } } });
  const getDueAt = async (runId: string): Promise<string | undefined> => {
    const [firstWait] = (await operator.getRun({ runId })).waitingFor;
    return firstWait !== undefined && 'dueAt' in firstWait ? (firstWait.dueAt ?? undefined) : undefined;
  };
  const getIncidentError = async (runId: string) =>
    (
      await waitUntil('an incident', async () => {
        const run = await operator.getRun({ runId });
        return run.incidents > 0 && run;
      })
    ).error;
  const deploy = (bpmnXml: string) => admin.deployWorkflow({ body: bpmnXml });

  for (const [index, value] of DATES_NEAR_MAX.entries()) {
    it(`should accept ${value} for a timer, for a timer after a job, and as a due date`, async () => {
      for (const workflowId of ['until-date', 'asks'])
        expect(await getDueAt((await startRun(workflowId, value)).runId)).to.equal(EXPECTED_DUE_DATES[index]);
      const { runId } = await startRun('works', value);
      await countersign.jobs.complete('work');
      await waitUntil('the timer', async () => (await getDueAt(runId)) !== undefined);
      expect((await operator.getRun({ runId })).incidents).to.equal(0);
    });

    it(`should deploy a workflow that starts at ${value}`, async () => {
      const workflowId = `starts-${index}`;
      await deploy(timerStartModel(workflowId, value));
      expect((await operator.getWorkflow({ workflowId })).starts).to.have.length(1);
    });
  }

  for (const value of DATES_NEAR_MIN) {
    it(`should complete immediately when a timer is due at ${value}`, async () => {
      const { runId } = await startRun('until-date', value);
      expect(await waitUntil('the end', async () => (await operator.getRun({ runId })).outcome ?? false)).to.equal(
        'completed',
      );
    });
  }

  for (const [workflowId, values] of [
    ['until-date', OUT_OF_RANGE_DATES],
    ['for-duration', ['P9000Y', 'P999999999D', '-P3000Y']],
    ['by-cycle', ['R3/P9000Y', 'R/+010000-01-01T00:00:00Z/PT1H']],
    ['asks', OUT_OF_RANGE_DATES],
  ] as const) {
    for (const value of values) {
      it(`should raise an incident when ${workflowId} computes "${value}", and recover with another value`, async () => {
        // when
        const { runId } = await startRun(workflowId, value);

        // then
        expect((await getIncidentError(runId))?.message).to.contain('years 1 to 9999');
        const correctedValue =
          workflowId === 'by-cycle' ? 'R1/PT0.001S' : workflowId === 'for-duration' ? 'PT0S' : DATES_NEAR_MAX[1]!;
        await operator.recoverRun({ runId, body: { variables: { value: correctedValue } } });
        await waitUntil('the recovery of the step', async () => (await operator.getRun({ runId })).incidents === 0);
      });
    }
  }

  for (const [caseName, element, model] of [
    ['a date', 'wait', timerModel('literal-date', 'timeDate', '+010000-01-01T00:00:00Z')],
    ['a duration', 'wait', timerModel('literal-duration', 'timeDuration', 'P9000Y')],
    ['a cycle', 'wait', repeatingTimerModel('literal-cycle', 'R3/P9000Y')],
    ['the date of a start event', 'start', timerStartModel('literal-start', '+010000-01-01T00:00:00Z')],
    ['a due date', 'ok', approvalModel('literal-due-date', '+010000-01-01T00:00:00Z')],
  ] as const) {
    it(`should refuse ${caseName} outside the years 1 to 9999 at deployment and name the element`, async () => {
      const problem = await expectProblem(deploy(model));
      expect(problem).to.include({ status: 422, code: 'model_refused' });
      expect(problem.errors.map(({ pointer }) => pointer)).to.deep.equal([element]);
    });
  }

  it('should accept the first and last instant in delegations and filters, and refuse invalid years and offsets', async () => {
    // given
    const [ada, bea] = await Promise.all([
      countersign.client('approver', 'ada'),
      countersign.client('approver', 'bea'),
    ]);
    await bea.getMe();
    const { runId } = await startRun('asks', DATES_NEAR_MAX[0]!);
    const { approvalId } = await waitForApproval(ada, runId);

    // then
    const { delegations } = await ada.delegateApproval({ approvalId, body: { to: 'bea', until: DATES_NEAR_MAX[1]! } });
    expect(delegations[0]?.until).to.equal(MAX_DATE);
    for (const at of [...DATES_NEAR_MAX, ...DATES_NEAR_MIN]) {
      await bea.listApprovals({ dueBefore: at });
      await operator.listRuns({ startedBefore: at });
      await operator.listRuns({ startedAfter: at });
    }
    for (const at of ['0000-01-01T00:00:00Z', '2026-01-01T00:00:00+23:00']) {
      expect(await expectProblem(operator.listRuns({ startedBefore: at }))).to.include({ code: 'invalid_parameter' });
      expect(await expectProblem(ada.delegateApproval({ approvalId, body: { to: 'bea', until: at } }))).to.include({
        code: 'validation_failed',
      });
    }
  });
});
