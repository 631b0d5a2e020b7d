import { randomUUID } from 'node:crypto';
import { ProblemError, type Client, type EvaluatedConditions } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const END = '<bpmn:endEvent id="end" />';

/** Returns a start event with conditions; `more` is added to it. */
function startBy(id: string, conditions: readonly string[], more = ''): string {
  const definitions = conditions.map(
    (text) =>
      `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${text.replaceAll('<', '&lt;')}</bpmn:condition></bpmn:conditionalEventDefinition>`,
  );
  return `<bpmn:startEvent id="${id}">${more}${definitions.join('')}</bpmn:startEvent>`;
}

function startedBy(workflowId: string, ...conditions: readonly string[]): string {
  return processModel(workflowId, startBy('start', conditions) + END, 'start > end');
}

const output = (source: string, target: string): string =>
  `<bpmn:extensionElements><zeebe:ioMapping><zeebe:output source="${source}" target="${target}" /></zeebe:ioMapping></bpmn:extensionElements>`;

describe('API: runs started by conditions', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let vera: Client;

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    vera = await countersign.client('viewer', 'vera');
  });

  afterEach(() => countersign.close());

  const evaluate = (
    variables: Record<string, never> | object,
    more: { workflowId?: string; businessKey?: string } = {},
    idempotencyKey?: string,
  ): Promise<EvaluatedConditions> =>
    vera.evaluateConditions(
      { body: { variables: variables as never, ...more } },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
  const startedAt = ({ runs }: EvaluatedConditions): string[] =>
    runs.map(({ workflowId, elementId }) => `${workflowId} ${elementId}`);
  const refusal = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProblemError)) throw new Error(`It should have been refused: ${String(error)}`);
    return error;
  };

  it('should start a run with the given variables at each start event whose condition is true', async () => {
    // given
    await countersign.deploy(
      processModel(
        'low',
        startBy('few', ['=stock < 3']) + startBy('none', ['=stock < 1']) + startBy('many', ['=stock > 3']) + END,
        'few > end',
        'none > end',
        'many > end',
      ),
    );
    await countersign.deploy(
      processModel(
        'mapped',
        startBy('start', ['=stock < 3 and place = "A"'], output('=stock * 2', 'wanted')) + END,
        'start > end',
      ),
    );
    await countersign.deploy(startedBy('elsewhere', '=place = "B"'));

    // when
    const evaluated = await evaluate({ stock: 0, place: 'A' }, { businessKey: 'order-7' });

    // then
    expect(startedAt(evaluated)).to.deep.equal(['low few', 'low none', 'mapped start']);
    expect(evaluated.refused).to.deep.equal([]);
    const [few, , mapped] = await Promise.all(evaluated.runs.map(({ runId }) => vera.getRun({ runId })));
    expect(few).to.deep.include({
      workflowId: 'low',
      workflowVersion: 1,
      businessKey: 'order-7',
      startedBy: 'vera',
      outcome: 'completed',
      variables: { stock: 0, place: 'A' },
    });
    expect(few?.steps.map(({ elementId }) => elementId)).to.deep.equal(['few', 'end']);
    expect(mapped?.variables).to.deep.equal({ wanted: 0 });
    expect(startedAt(await evaluate({ stock: 9 }))).to.deep.equal(['low many']);
  });

  it('should evaluate only the newest version, and only the given workflow if a workflow is given', async () => {
    // given
    await countersign.deploy(startedBy('moved', '=level > 1'));
    await countersign.deploy(startedBy('moved', '=level > 5'));
    await countersign.deploy(startedBy('other', '=level > 1'));
    await countersign.deploy(processModel('plain', `<bpmn:startEvent id="start" />${END}`, 'start > end'));

    // then
    expect(startedAt(await evaluate({ level: 3 }))).to.deep.equal(['other start']);
    expect((await evaluate({ level: 6 }, { workflowId: 'moved' })).runs)
      .to.have.length(1)
      .and.have.nested.property('[0].workflowVersion', 2);
    expect(await evaluate({ level: 6 }, { workflowId: 'plain' })).to.deep.equal({ runs: [], refused: [] });
    expect((await refusal(evaluate({ level: 6 }, { workflowId: 'unknown' }))).code).to.equal('workflow_not_found');
  });

  it('should start one run when several conditions of a start event are true', async () => {
    await countersign.deploy(startedBy('either', '=a = 1', '=b = 1'));
    expect(startedAt(await evaluate({ b: 1 }))).to.deep.equal(['either start']);
    expect(startedAt(await evaluate({ a: 1, b: 1 }))).to.deep.equal(['either start']);
    expect(startedAt(await evaluate({ c: 1 }))).to.deep.equal([]);
  });

  it('should start no run when a condition reads no given variable, is not boolean or fails', async () => {
    // given
    await countersign.deploy(startedBy('absent', '=missing = null'));
    await countersign.deploy(startedBy('number', '=x'));
    await countersign.deploy(startedBy('endless', '=count(for i in 1..100000000 return i * x) > 0'));
    await countersign.deploy(startedBy('polluted', '=constructor != null'));

    // then
    expect(startedAt(await evaluate({ x: 1 }))).to.deep.equal([]);
    expect(startedAt(await evaluate({ x: 1, missing: null }))).to.deep.equal(['absent start']);
  });

  it('should report workflows that refuse the run and start the others', async () => {
    // given
    const approval = '<bpmn:userTask id="ok" />';
    await countersign.deploy(
      processModel('decided', startBy('start', ['=n > 0']) + approval + END, 'start > ok', 'ok > end'),
    );
    const schema =
      '<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="{&#34;type&#34;:&#34;object&#34;,&#34;required&#34;:[&#34;name&#34;]}" /></zeebe:properties></bpmn:extensionElements>';
    await countersign.deploy(processModel('strict', schema + startBy('start', ['=n > 0']) + END, 'start > end'));
    await countersign.deploy(startedBy('willing', '=n > 0'));

    // when
    const { runs, refused } = await evaluate({ n: 1, approval: { decision: 'approve' } });

    // then
    expect(runs.map(({ workflowId }) => workflowId)).to.deep.equal(['willing']);
    expect(refused.map(({ workflowId, code }) => `${workflowId} ${code}`)).to.deep.equal([
      'decided result_variable_reserved',
      'strict inputs_invalid',
    ]);
    const named = await refusal(evaluate({ n: 1 }, { workflowId: 'strict' }));
    expect(named.problem).to.deep.include({ code: 'inputs_invalid', status: 422 });
    expect(named.problem.errors?.map(({ pointer }) => pointer)).to.deep.equal(['/variables']);
    expect((await vera.listRuns({ workflowId: 'decided' })).items).to.deep.equal([]);
  });

  it('should return the same runs for a repeated idempotency key, even after another workflow was deployed', async () => {
    // given
    await countersign.deploy(startedBy('first', '=n > 0'));
    const key = randomUUID();

    // when
    const evaluated = await evaluate({ n: 1 }, {}, key);
    await countersign.deploy(startedBy('late', '=n > 0'));
    const again = await evaluate({ n: 1 }, {}, key);
    const headers = {
      'authorization': `Bearer ${await countersign.token('viewer', { subject: 'vera' })}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const raw = await fetch(`${countersign.url}/api/conditions/evaluate`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ variables: { n: 1 } }),
    });

    // then
    expect(startedAt(evaluated)).to.deep.equal(['first start']);
    expect(again).to.deep.equal(evaluated);
    expect(raw.headers.get('idempotent-replayed')).to.equal('true');
    expect(await raw.json()).to.deep.equal(evaluated);
    expect((await vera.listRuns({ limit: 200 })).items).to.have.length(1);
    expect((await refusal(evaluate({ n: 2 }, {}, key))).code).to.equal('idempotency_key_reused');
    const nothing = randomUUID();
    expect(startedAt(await evaluate({ n: 0 }, {}, nothing))).to.deep.equal([]);
    await countersign.deploy(startedBy('later', '=n = 0'));
    expect(
      startedAt(await evaluate({ n: 0 }, {}, nothing)),
      'that nothing was started is an answer as well',
    ).to.deep.equal([]);
  });

  it('should start each run once when two servers receive the same idempotency key concurrently', async () => {
    // given
    await countersign.deploy(startedBy('one', '=n > 0'));
    await countersign.deploy(startedBy('other', '=n > 0'));
    const beside = await createTestHost({ beside: countersign });
    const clients = [vera, await beside.client('viewer', 'vera')];
    try {
      for (let round = 1; round <= 5; round += 1) {
        // when
        const idempotencyKey = randomUUID();
        const [first, second] = await Promise.all(
          clients.map((client) => client.evaluateConditions({ body: { variables: { n: round } } }, { idempotencyKey })),
        );

        // then
        expect(first?.runs).to.have.length(2);
        expect(second).to.deep.equal(first);
        expect((await vera.listRuns({ limit: 200 })).items).to.have.length(2 * round);
      }
    } finally {
      await beside.close();
    }
  });

  it('should start at most 100 runs, and none when more conditions are true', async () => {
    // given
    const starts = (count: number): string =>
      Array.from({ length: count }, (_each, index) => startBy(`s${index}`, ['=n > 0'])).join('');
    const model = (count: number): string =>
      processModel('many', starts(count) + END, ...Array.from({ length: count }, (_each, index) => `s${index} > end`));
    await countersign.deploy(model(101));

    // then
    expect((await refusal(evaluate({ n: 1 }))).problem).to.include({ code: 'too_many_conditions', status: 422 });
    expect((await vera.listRuns({})).items).to.deep.equal([]);
    await countersign.deploy(model(100));
    expect((await evaluate({ n: 1 })).runs).to.have.length(100);
  });

  it('should refuse conditions that exceed the total evaluation limit', async () => {
    const slow = (index: number): string =>
      startBy(`s${index}`, [`=count(for i in 1..30000 return i * x) < ${index - 100}`]);
    const count = 60;
    await countersign.deploy(
      processModel(
        'slow',
        Array.from({ length: count }, (_each, index) => slow(index)).join('') + END,
        ...Array.from({ length: count }, (_each, index) => `s${index} > end`),
      ),
    );
    expect((await refusal(evaluate({ x: 1 }))).problem).to.include({ code: 'too_many_conditions', status: 422 });
  });

  it('should require the role that is configured for starting runs', async () => {
    await countersign.close();
    countersign = await createTestHost({ configuration: { Auth: { StartRunRole: 'operator' } } });
    vera = await countersign.client('viewer', 'vera');
    expect((await refusal(evaluate({}))).problem).to.include({ status: 403, code: 'forbidden' });
    vera = await countersign.client('operator', 'otto');
    expect(await evaluate({})).to.deep.equal({ runs: [], refused: [] });
  });

  it('should execute the steps of a run that a condition started', async () => {
    await countersign.deploy(
      processModel(
        'working',
        startBy('start', ['=n > 0']) + serviceTask('work', 'work') + END,
        'start > work',
        'work > end',
      ),
    );
    const {
      runs: [run],
    } = await evaluate({ n: 1 });
    const held = await countersign.jobs.take('work');
    expect(held.job).to.deep.include({ runId: run?.runId, variables: { n: 1 } });
    held.complete({});
  });
});
