import type { Approval, Client, Run, RunDetail } from '@countersign/contract';
import { processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { addDiagram } from './draw-model.spec.support.js';

/** Jobs that the host of `RunMaker` completes manually: `createTestHost({ jobTypes: RUN_JOBS })`. */
export const RUN_JOBS: readonly string[] = Object.freeze(['work', 'fetch', 'ship', 'undo']);

const START = '<bpmn:startEvent id="start" name="Order in" />';
const END = '<bpmn:endEvent id="end" name="Done" />';
const MESSAGE_DEFINITIONS =
  '<bpmn:message id="paid" name="order.paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=order" /></bpmn:extensionElements></bpmn:message>';

function withName(task: string, name: string): string {
  return task.replace('<bpmn:serviceTask', `<bpmn:serviceTask name="${name}"`);
}

const MODELS = Object.freeze({
  /** A job, then an approval. Complete the job with `jobs.complete('work')`. */
  approval: processModel(
    'web-approval',
    `${START}${withName(serviceTask('work', 'work'), 'Draft the release')}<bpmn:userTask id="ok" name="Approve the release"><bpmn:extensionElements><zeebe:assignmentDefinition candidateGroups="release-managers" /></bpmn:extensionElements></bpmn:userTask>${END}`,
    'start > work',
    'work > ok',
    'ok > end',
  ),
  /** Fails when its job fails, because the job has only one attempt. */
  failing: processModel(
    'web-failing',
    `${START}${withName(serviceTask('work', 'work', 1), 'Charge the card')}${END}`,
    'start > work',
    'work > end',
  ),
  timer: processModel(
    'web-timer',
    `${START}<bpmn:intermediateCatchEvent id="pause" name="Cool down"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT2H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${END}`,
    'start > pause',
    'pause > end',
  ),
  message: processModel(
    'web-message',
    `${START}<bpmn:intermediateCatchEvent id="payment" name="Payment"><bpmn:messageEventDefinition messageRef="paid" /></bpmn:intermediateCatchEvent>${END}`,
    'start > payment',
    'payment > end',
  ).replace('<bpmn:process', `${MESSAGE_DEFINITIONS}<bpmn:process`),
  /** Two parallel jobs that join. */
  parallel: processModel(
    'web-parallel',
    `${START}<bpmn:parallelGateway id="split" />${withName(serviceTask('fetch', 'fetch'), 'Fetch the parts')}${withName(serviceTask('work', 'work'), 'Write the invoice')}<bpmn:parallelGateway id="join" />${END}`,
    'start > split',
    'split > fetch',
    'split > work',
    'fetch > join',
    'work > join',
    'join > end',
  ),
  /** A sub-process for each of `items`, in parallel. Complete the job of each with `jobs.complete('ship')`. */
  multiInstance: processModel(
    'web-multi-instance',
    `${START}<bpmn:subProcess id="each" name="For each parcel"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>` +
      `<bpmn:startEvent id="each-start" />${withName(serviceTask('ship', 'ship'), 'Ship the parcel')}<bpmn:endEvent id="each-end" /><bpmn:sequenceFlow id="each-flow-1" sourceRef="each-start" targetRef="ship" /><bpmn:sequenceFlow id="each-flow-2" sourceRef="ship" targetRef="each-end" /></bpmn:subProcess>${END}`,
    'start > each',
    'each > end',
  ),
  /** Calls `approval`. */
  calling: processModel(
    'web-calling',
    `${START}<bpmn:callActivity id="call" name="Release it"><bpmn:extensionElements><zeebe:calledElement processId="web-approval" /></bpmn:extensionElements></bpmn:callActivity>${END}`,
    'start > call',
    'call > end',
  ),
});

export type RunModelName = keyof typeof MODELS;

/** Creates runs in the states that the web UI shows, of BPMN models with a diagram. */
export class RunMaker {
  private constructor(
    private readonly countersign: TestHost,
    /** The user who starts the runs: a viewer named `vera`, so that every other user may decide. */
    readonly viewer: Client,
  ) {}

  /** Deploys all BPMN models. @param countersign a host that was created with `RUN_JOBS`. */
  static async deployTo(countersign: TestHost): Promise<RunMaker> {
    for (const xml of Object.values(MODELS)) await countersign.deploy(addDiagram(xml));
    return new RunMaker(countersign, await countersign.client('viewer', 'vera'));
  }

  /** Deploys another version of a BPMN model, which becomes the newest. */
  async deployAgain(model: RunModelName): Promise<void> {
    await this.countersign.deploy(addDiagram(MODELS[model]).replace('name="Done"', 'name="Done at last"'));
  }

  start(model: RunModelName, inputs: Record<string, unknown> = {}, businessKey?: string): Promise<Run> {
    const workflowId = /<bpmn:process id="([^"]+)"/.exec(MODELS[model])?.[1] ?? '';
    return this.viewer.startRun({
      body: { workflowId, inputs: inputs as never, ...(businessKey === undefined ? {} : { businessKey }) },
    });
  }

  /** Creates a run that waits for an approval by the group `release-managers`. */
  async startRunWaitingForApproval(): Promise<{ run: Run; approval: Approval }> {
    const run = await this.start('approval', { version: '1.4.0' }, 'release-1.4.0');
    await this.countersign.jobs.complete('work', { notes: 'Fixes the printer.' });
    return { run, approval: await this.waitForApproval(run.runId) };
  }

  /** Creates a run whose only step has failed, with an incident. */
  async startFailedRun(message = 'The card was declined.'): Promise<RunDetail> {
    const { runId } = await this.start('failing', { amount: 12 });
    (await this.countersign.jobs.take('work')).fail(new Error(message));
    return this.waitForRun(runId, (run) => run.incidents > 0);
  }

  /** Creates a run whose timer is due in two hours. */
  async startRunWaitingForTimer(): Promise<RunDetail> {
    return this.waitUntilWaiting((await this.start('timer')).runId);
  }

  /** Creates a run that waits for the message `order.paid`, with the order as the correlation key. */
  async startRunWaitingForMessage(order = 'A-17'): Promise<RunDetail> {
    return this.waitUntilWaiting((await this.start('message', { order })).runId);
  }

  /** Creates a run that waits for its child run, which waits for an approval. */
  async startRunWaitingForCall(): Promise<RunDetail> {
    const { runId } = await this.start('calling');
    await this.countersign.jobs.complete('work');
    return this.waitForRun(runId, ({ waitingFor }) => waitingFor.some(({ kind }) => kind === 'approval'));
  }

  async waitForApproval(runId: string): Promise<Approval> {
    return waitUntil('an approval is requested', async () => (await this.viewer.listApprovals({ runId })).items[0]);
  }

  /** Waits until the run meets the condition, and returns it. */
  waitForRun(runId: string, condition: (run: RunDetail) => boolean): Promise<RunDetail> {
    return waitUntil('the run meets the condition', async () => {
      const run = await this.viewer.getRun({ runId });
      return condition(run) && run;
    });
  }

  private waitUntilWaiting(runId: string): Promise<RunDetail> {
    return this.waitForRun(runId, ({ waitingFor }) => waitingFor.length > 0);
  }
}
