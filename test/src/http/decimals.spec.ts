import type { Client, JsonObject } from '@countersign/contract';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';

function scriptModel(id: string, expression: string): string {
  const script = `<bpmn:scriptTask id="step"><bpmn:extensionElements><zeebe:script expression="=${expression}" resultVariable="result" /></bpmn:extensionElements></bpmn:scriptTask>`;
  return processModel(id, START + script + END, 'start > step', 'step > end');
}

/** The gateway compares the remaining amount, which requires exact decimals. */
const PAYMENT_MODEL = processModel(
  'paid',
  `${START}<bpmn:exclusiveGateway id="due" default="open" /><bpmn:endEvent id="settled" /><bpmn:endEvent id="unsettled" />
  <bpmn:sequenceFlow id="toDue" sourceRef="start" targetRef="due" />
  <bpmn:sequenceFlow id="exact" sourceRef="due" targetRef="settled"><bpmn:conditionExpression>=total - sum(payments) = 0.01</bpmn:conditionExpression></bpmn:sequenceFlow>
  <bpmn:sequenceFlow id="open" sourceRef="due" targetRef="unsettled" />`,
);

describe('API: decimal numbers', () => {
  let countersign: TestHost;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost();
    operator = await countersign.client('operator', 'otto');
    for (const model of [PAYMENT_MODEL, scriptModel('next', 'account + 2'), scriptModel('third', 'amount / 3')])
      await countersign.deploy(model);
  });

  after(() => countersign.close());

  const runToEnd = async (workflowId: string, inputs: JsonObject) => {
    const { runId } = await operator.startRun({ body: { workflowId, inputs } });
    return waitUntil('the end', async () => {
      const run = await operator.getRun({ runId });
      return run.status === 'completed' && run;
    });
  };

  it('should choose the sequence flow by exact decimal arithmetic', async () => {
    // when
    const run = await runToEnd('paid', { total: 8.41, payments: Array.from({ length: 84 }, () => 0.1) });

    // then
    expect(run.steps.map((step) => step.elementId))
      .to.include('settled')
      .and.not.include('unsettled');
  });

  it('should store a fraction as the nearest double', async () => {
    const run = await runToEnd('third', { amount: 1 });
    expect(run.variables).to.include({ result: 1 / 3 });
  });

  it('should raise an incident for an integer that JSON cannot represent, and recover with other variables', async () => {
    // when
    const { runId } = await operator.startRun({ body: { workflowId: 'next', inputs: { account: 2 ** 53 - 1 } } });
    const { error } = await waitUntil('an incident', async () => {
      const run = await operator.getRun({ runId });
      return run.incidents > 0 && run;
    });

    // then
    expect(error).to.include({ code: 'feel_number_not_exact', elementId: 'step' });
    expect(error?.message).to.contain('9007199254740993');
    await operator.recoverRun({ runId, body: { variables: { account: 41 } } });
    const run = await waitUntil('the end', async () => {
      const found = await operator.getRun({ runId });
      return found.status === 'completed' && found;
    });
    expect(run.variables).to.include({ result: 43 });
  });
});
