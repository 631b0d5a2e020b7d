import { expect } from 'chai';
import { compileDecisions, defineDecision } from '@countersign/bpmn/dmn';
import { decision, definitions, literal, table } from '../../bpmn/dist/dmn/decisions.spec.support.js';
import {
  type AdvanceResult,
  chainEvents,
  type DecisionDefinition,
  GENESIS_HASH,
  PersonSalts,
  type RunEventDraft,
  type RunState,
} from '@countersign/model';
import { advance } from './advance.js';
import { end, flows, job, RUN_ID, start, TestRun, user } from './interpreter.spec.support.js';

const businessRuleTask = (id: string, decisionId: string, resultVariable: string, extra = '', inner = ''): string =>
  `<bpmn:businessRuleTask id="${id}"><bpmn:extensionElements><zeebe:calledDecision decisionId="${decisionId}" resultVariable="${resultVariable}"/>${extra}</bpmn:extensionElements>${inner}</bpmn:businessRuleTask>`;
const singleDecisionModel = (...taskArguments: [string, string, string?, string?]): string =>
  start + businessRuleTask('assess', ...taskArguments) + end + flows('start > assess', 'assess > end');

/** All deployed versions of the DMN decision `d`, by number. */
class DeployedDecisions {
  readonly versions = new Map<number, DecisionDefinition>();

  readonly findNewest = (decisionId: string): DecisionDefinition | undefined =>
    decisionId === 'd' ? this.versions.get(this.versions.size) : undefined;

  async deploy(logic: string): Promise<void> {
    const compiledDecision = (await compileDecisions(definitions(decision('d', logic)))).decisions.get('d')!;
    const version = this.versions.size + 1;
    this.versions.set(version, defineDecision(compiledDecision, { version, digest: `sha256:${version}` }));
  }
}

async function createRun(
  elements: string,
  ...logics: readonly string[]
): Promise<{ run: TestRun; deployed: DeployedDecisions }> {
  const run = await TestRun.of(elements);
  const deployed = new DeployedDecisions();
  for (const logic of logics) await deployed.deploy(logic);
  run.decisions = deployed.findNewest;
  return { run, deployed };
}

const recoverAll = { type: 'recover', actor: user('op'), steps: null, variables: null, comment: null } as const;
const findDecisionEvents = (events: readonly RunEventDraft[]): RunEventDraft[] =>
  events.filter(({ type }) => type.startsWith('decision.'));
const listHashes = (events: readonly RunEventDraft[]): string[] =>
  chainEvents(RUN_ID, GENESIS_HASH, events, () => 'salt', new PersonSalts({}, () => 'salt')).map(({ hash }) => hash);

describe('advance(): DMN decisions', () => {
  it('should write the DMN result, and record the version and the matched rules before the task completes', async () => {
    // given
    const { run } = await createRun(
      singleDecisionModel('d', 'level'),
      table({ rules: ['< 5 => "low"', '>= 5 => "high"'] }),
    );

    // when
    run.start({ x: 7 });

    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ x: 7, level: 'high' });
    const assessEvents = run.events.filter(({ elementId }) => elementId === 'assess');
    expect(assessEvents.map(({ type }) => type)).to.deep.equal([
      'step.started',
      'decision.evaluated',
      'step.completed',
    ]);
    expect(assessEvents[1]).to.deep.include({
      data: { decisionId: 'd', version: 1, digest: 'sha256:1', matchedRules: ['r2'] },
    });
    expect(assessEvents[1]?.private).to.deep.include({ output: 'high' });
    expect(assessEvents[1]?.private).to.have.nested.property('evaluatedDecisions[0].evaluatedInputs[0].inputValue', 7);
  });

  it('should map inputs before and outputs after the evaluation, and keep the DMN result inside the task', async () => {
    // given
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=order.n" target="x"/><zeebe:output source="=level + &quot;!&quot;" target="label"/></zeebe:ioMapping>';
    const { run } = await createRun(singleDecisionModel('d', 'level', mapping), literal('"n" + string(x)'));

    // when
    run.start({ order: { n: 3 } });

    // then
    expect(run.variables()).to.deep.equal({ order: { n: 3 }, label: 'n3!' });
  });

  it('should evaluate the DMN decision in each instance of a multi-instance loop', async () => {
    // given
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1,2,3]" inputElement="x" outputCollection="all" outputElement="=level"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
    const { run } = await createRun(
      start + businessRuleTask('assess', 'd', 'level', '', loop) + end + flows('start > assess', 'assess > end'),
      literal('x * 10'),
    );

    // when
    run.start();

    // then
    expect(run.variables()).to.deep.equal({ all: [10, 20, 30] });
    expect(findDecisionEvents(run.events)).to.have.length(3);
  });

  it('should raise an incident if the DMN decision is missing, and use a later deployment on recovery', async () => {
    // given
    const { run, deployed } = await createRun(singleDecisionModel('d', 'level'));
    run.start();
    expect(run.project()).to.include({ status: 'failed', incidents: 1 });
    expect(run.at('assess').incident).to.include({
      code: 'decision_not_found',
      message: 'DMN decision "d" is not deployed. Deploy a DMN file that contains it, and recover the run.',
    });

    // when
    await deployed.deploy(literal('1'));
    run.do(recoverAll);

    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ level: 1 });
  });

  it('should record why a DMN decision has no result', async () => {
    // given
    const { run } = await createRun(singleDecisionModel('d', 'level'), table({ rules: ['1 => 1', '- => 2'] }));

    // when
    run.start({ x: 1 });

    // then
    expect(run.at('assess').incident).to.include({ code: 'dmn_not_unique' });
    const [failedEvent] = findDecisionEvents(run.events);
    expect(failedEvent).to.deep.include({
      type: 'decision.failed',
      data: { decisionId: 'd', version: 1, digest: 'sha256:1', code: 'dmn_not_unique' },
    });
    expect(failedEvent?.private).to.have.nested.property('evaluatedDecisions[0].evaluatedInputs[0].inputValue', 1);
  });

  it('should replay to the same hashes with the versions named in the history, despite newer deployments', async () => {
    // given a run whose commands found no DMN decision, then a contradictory version, then two newer versions
    const elements =
      start +
      businessRuleTask('first', 'd', 'a') +
      job('work') +
      businessRuleTask('second', '=&quot;d&quot;', 'b') +
      end +
      flows('start > first', 'first > work', 'work > second', 'second > end');
    const { run, deployed } = await createRun(elements);
    // The sequence number of the last event of each command, which the audit trail records as `eventSeq`.
    const endSeqs: number[] = [];
    const recordEnd = (result: AdvanceResult): number => endSeqs.push(result.state.seq);
    recordEnd(run.start({ x: 1 }));
    await deployed.deploy(table({ rules: ['1 => 1', '- => 2'] }));
    recordEnd(run.do(recoverAll));
    await deployed.deploy(literal('x + 1'));
    recordEnd(run.do(recoverAll));
    await deployed.deploy(literal('x + 2'));
    recordEnd(run.complete('work'));
    await deployed.deploy(literal('"too late"'));
    expect(run.variables()).to.deep.equal({ x: 1, a: 2, b: 3 });

    // when each command is executed again with the version that its events name
    const replayedEvents: RunEventDraft[] = [];
    let state: RunState | null = null;
    for (const [index, { command, now }] of run.commands.entries()) {
      const [recordedEvent] = findDecisionEvents(run.events.slice(replayedEvents.length, endSeqs[index]));
      const decisions = (): DecisionDefinition | undefined =>
        deployed.versions.get(Number(recordedEvent?.data['version']));
      const result: AdvanceResult = advance(run.graph, state, command, { ...run.context(), now, decisions });
      state = result.state;
      replayedEvents.push(...result.events);
    }

    // then
    expect(listHashes(replayedEvents)).to.deep.equal(listHashes(run.events));
    expect(findDecisionEvents(run.events).map(({ type, data }) => [type, data['version']])).to.deep.equal([
      ['decision.failed', 1],
      ['decision.evaluated', 2],
      ['decision.evaluated', 3],
    ]);
  });
});
