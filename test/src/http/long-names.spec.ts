import type { Client } from '@countersign/contract';
import { createTestHost, processModel, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';
import { problemOf } from './http.spec.support.js';

/** The longest name that is valid as a key (`MAX_NAME_LENGTH`), with characters of three bytes each in an index. */
const FITS = '名'.repeat(255);
const LONG = `${FITS}名`;

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const step = (type: string, extensions: string, content = ''): string =>
  `<bpmn:${type} id="step"><bpmn:extensionElements>${extensions}</bpmn:extensionElements>${content}</bpmn:${type}>`;
const line = (id: string, element: string): string =>
  processModel(id, START + element + END, 'start > step', 'step > end');
const named = (id: string, element: string, root: string): string =>
  line(id, element).replace('<bpmn:process ', `${root}<bpmn:process `);

/** Workflows in which FEEL returns a name used as a key, with the incident code for a name that is too long. */
const COMPUTED: readonly (readonly [string, string, string])[] = [
  ['job-type', line('job-type', step('serviceTask', '<zeebe:taskDefinition type="=value" />')), 'job_type_invalid'],
  [
    'caught-signal',
    named(
      'caught-signal',
      step('intermediateCatchEvent', '', '<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    'signal_name_invalid',
  ],
  [
    'thrown-signal',
    named(
      'thrown-signal',
      step('intermediateThrowEvent', '', '<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    'event_invalid',
  ],
  [
    'escalation',
    named(
      'escalation',
      step('intermediateThrowEvent', '', '<bpmn:escalationEventDefinition escalationRef="e" />'),
      '<bpmn:escalation id="e" escalationCode="=value" />',
    ),
    'event_invalid',
  ],
  [
    'message-name',
    named(
      'message-name',
      step('intermediateCatchEvent', '', '<bpmn:messageEventDefinition messageRef="m" />'),
      '<bpmn:message id="m" name="=value"><bpmn:extensionElements><zeebe:subscription correlationKey="=value" /></bpmn:extensionElements></bpmn:message>',
    ),
    'message_name_invalid',
  ],
  [
    'called-workflow',
    line('called-workflow', step('callActivity', '<zeebe:calledElement processId="=value" />')),
    'called_workflow_invalid',
  ],
  [
    'decision',
    line('decision', step('businessRuleTask', '<zeebe:calledDecision decisionId="=value" resultVariable="r" />')),
    'decision_id_invalid',
  ],
  [
    'assignee',
    line('assignee', step('userTask', '<zeebe:assignmentDefinition assignee="=value" />')),
    'approval_invalid',
  ],
  [
    'candidate-users',
    line(
      'candidate-users',
      step('userTask', '<zeebe:assignmentDefinition candidateUsers="=[&quot;ada&quot;, value]" />'),
    ),
    'approval_invalid',
  ],
  [
    'candidate-groups',
    line('candidate-groups', step('userTask', '<zeebe:assignmentDefinition candidateGroups="=value" />')),
    'approval_invalid',
  ],
];

describe('API: long names', () => {
  let countersign: TestHost;
  let operator: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: [FITS] });
    [operator, admin] = await Promise.all([
      countersign.client('operator', 'otto'),
      countersign.client('admin', 'adam'),
    ]);
    for (const [, model] of COMPUTED) await countersign.deploy(model);
  });

  after(() => countersign.close());

  const errorOf = async (runId: string) =>
    (
      await until('an incident', async () => {
        const run = await operator.getRun({ runId });
        return run.incidents > 0 && run;
      })
    ).error;

  for (const [workflowId, , code] of COMPUTED) {
    it(`should store a name of 255 characters that an expression in ${workflowId} returns`, async () => {
      // when
      const { runId } = await operator.startRun({ body: { workflowId, inputs: { value: FITS } } });

      // then
      const run = await operator.getRun({ runId });
      // The called workflow and the DMN decision do not exist.
      const missing: readonly string[] = ['called-workflow', 'decision'];
      if (missing.includes(workflowId)) expect((await errorOf(runId))?.code).to.match(/_not_found$/);
      else expect(run).to.include({ incidents: 0 });
    });

    it(`should raise an incident for a name of 256 characters in ${workflowId} and recover with a shorter name`, async () => {
      // when
      const { runId } = await operator.startRun({ body: { workflowId, inputs: { value: LONG } } });

      // then
      const error = await errorOf(runId);
      expect(error).to.include({ code, elementId: 'step' });
      expect(error?.message).to.match(/256 characters; the limit is 255\.$/);
      await operator.recoverRun({ runId, body: { variables: { value: FITS } } });
      const next = (await operator.getRun({ runId })).error;
      expect(next?.code ?? 'none').to.not.equal(code);
    });
  }

  it('should deploy, read and start a workflow with ids and a business key of maximum length', async () => {
    // given
    const [workflowId, elementId] = [`w${FITS.slice(1)}`, `e${FITS.slice(1)}`];
    const task = `${START}<bpmn:userTask id="${elementId}" />${END}`;
    const model = processModel(workflowId, task, `start > ${elementId}`, `${elementId} > end`);
    const businessKey = FITS;

    // when
    await admin.deployWorkflow({ body: model });
    const { runId } = await operator.startRun({ body: { workflowId, businessKey } });

    // then
    expect((await operator.getWorkflow({ workflowId })).elements.map((each) => each.elementId)).to.include(elementId);
    expect((await operator.listRuns({ workflowId, businessKey })).items.map((run) => run.runId)).to.deep.equal([runId]);
    expect((await operator.getRun({ runId })).currentStep).to.equal(elementId);
    expect((await operator.getWorkflowStatistics({ workflowId })).elements.map((each) => each.elementId)).to.include(
      elementId,
    );
  });

  it('should refuse an id that is too long at deployment and name the element', async () => {
    for (const [id, model] of [
      [`w${FITS}`, line(`w${FITS}`, '<bpmn:userTask id="step" />')],
      [`e${FITS}`, line('long', '<bpmn:userTask id="step" />').replaceAll('"step"', `"e${FITS}"`)],
    ] as const) {
      const problem = await problemOf(admin.deployWorkflow({ body: model }));
      expect(problem.status).to.equal(422);
      expect(problem.errors.map(({ pointer, code }) => [pointer, code])).to.deep.equal([[id, 'id_too_long']]);
      const plan = await admin.deployWorkflow({ dryRun: true, body: model });
      expect(plan.refusals.map(({ elementId, code }) => [elementId, code])).to.deep.equal([[id, 'id_too_long']]);
    }
  });

  it('should refuse a business key that is too long', async () => {
    const start = operator.startRun({ body: { workflowId: 'job-type', inputs: { value: 'x' }, businessKey: LONG } });
    const problem = await problemOf(start);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(problem.errors.map(({ pointer }) => pointer)).to.deep.equal(['/businessKey']);
  });
});
