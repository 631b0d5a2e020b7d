import { randomUUID } from 'node:crypto';
import { ProblemError, type Client, type EvaluatedConditions } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const END = '<bpmn:endEvent id="end" />';

/** Returns a start event with conditions. `extraXml` becomes part of its content. */
function conditionalStart(id: string, conditions: readonly string[], extraXml = ''): string {
  const definitions = conditions.map(
    (condition) =>
      `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${condition.replaceAll('<', '&lt;')}</bpmn:condition></bpmn:conditionalEventDefinition>`,
  );
  return `<bpmn:startEvent id="${id}">${extraXml}${definitions.join('')}</bpmn:startEvent>`;
}

function conditionalStartModel(workflowId: string, ...conditions: readonly string[]): string {
  return processModel(workflowId, conditionalStart('start', conditions) + END, 'start > end');
}

const outputMapping = (source: string, target: string): string =>
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
    evaluateOptions: { workflowId?: string; businessKey?: string } = {},
    idempotencyKey?: string,
  ): Promise<EvaluatedConditions> =>
    vera.evaluateConditions(
      { body: { variables: variables as never, ...evaluateOptions } },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
  const listStartedElements = ({ runs }: EvaluatedConditions): string[] =>
    runs.map(({ workflowId, elementId }) => `${workflowId} ${elementId}`);
  const getRefusal = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProblemError)) throw new Error(`Expected a refusal, but got: ${String(error)}`);
    return error;
  };

  it('should start a run with the given variables at each start event whose condition is true', async () => {
    // given
    await countersign.deploy(
      processModel(
        'low',
        conditionalStart('few', ['=stock < 3']) +
          conditionalStart('none', ['=stock < 1']) +
          conditionalStart('many', ['=stock > 3']) +
          END,
        'few > end',
        'none > end',
        'many > end',
      ),
    );
    await countersign.deploy(
      processModel(
        'mapped',
        conditionalStart('start', ['=stock < 3 and place = "A"'], outputMapping('=stock * 2', 'wanted')) + END,
        'start > end',
      ),
    );
    await countersign.deploy(conditionalStartModel('elsewhere', '=place = "B"'));

    // when
    const evaluated = await evaluate({ stock: 0, place: 'A' }, { businessKey: 'order-7' });

    // then
    expect(listStartedElements(evaluated)).to.deep.equal(['low few', 'low none', 'mapped start']);
    expect(evaluated.refused).to.deep.equal([]);
    const [lowRun, , mappedRun] = await Promise.all(evaluated.runs.map(({ runId }) => vera.getRun({ runId })));
    expect(lowRun).to.deep.include({
      workflowId: 'low',
      workflowVersion: 1,
      businessKey: 'order-7',
      startedBy: 'vera',
      outcome: 'completed',
      variables: { stock: 0, place: 'A' },
    });
    expect(lowRun?.steps.map(({ elementId }) => elementId)).to.deep.equal(['few', 'end']);
    expect(mappedRun?.variables).to.deep.equal({ wanted: 0 });
    expect(listStartedElements(await evaluate({ stock: 9 }))).to.deep.equal(['low many']);
  });

  it('should evaluate only the newest version of each workflow, or of the given workflow', async () => {
    // given
    await countersign.deploy(conditionalStartModel('moved', '=level > 1'));
    await countersign.deploy(conditionalStartModel('moved', '=level > 5'));
    await countersign.deploy(conditionalStartModel('other', '=level > 1'));
    await countersign.deploy(processModel('plain', `<bpmn:startEvent id="start" />${END}`, 'start > end'));

    // then
    expect(listStartedElements(await evaluate({ level: 3 }))).to.deep.equal(['other start']);
    expect((await evaluate({ level: 6 }, { workflowId: 'moved' })).runs)
      .to.have.length(1)
      .and.have.nested.property('[0].workflowVersion', 2);
    expect(await evaluate({ level: 6 }, { workflowId: 'plain' })).to.deep.equal({ runs: [], refused: [] });
    expect((await getRefusal(evaluate({ level: 6 }, { workflowId: 'unknown' }))).code).to.equal('workflow_not_found');
  });

  it('should start one run when several conditions of a start event are true', async () => {
    await countersign.deploy(conditionalStartModel('either', '=a = 1', '=b = 1'));
    expect(listStartedElements(await evaluate({ b: 1 }))).to.deep.equal(['either start']);
    expect(listStartedElements(await evaluate({ a: 1, b: 1 }))).to.deep.equal(['either start']);
    expect(listStartedElements(await evaluate({ c: 1 }))).to.deep.equal([]);
  });

  it('should start no run when a condition reads no given variable, is not boolean or fails', async () => {
    // given
    await countersign.deploy(conditionalStartModel('absent', '=missing = null'));
    await countersign.deploy(conditionalStartModel('number', '=x'));
    await countersign.deploy(conditionalStartModel('endless', '=count(for i in 1..100000000 return i * x) > 0'));
    await countersign.deploy(conditionalStartModel('polluted', '=constructor != null'));

    // then
    expect(listStartedElements(await evaluate({ x: 1 }))).to.deep.equal([]);
    expect(listStartedElements(await evaluate({ x: 1, missing: null }))).to.deep.equal(['absent start']);
  });

  it('should report the workflows whose runs are refused and start the runs of the others', async () => {
    // given
    const approval = '<bpmn:userTask id="ok" />';
    await countersign.deploy(
      processModel('decided', conditionalStart('start', ['=n > 0']) + approval + END, 'start > ok', 'ok > end'),
    );
    const schema =
      '<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="{&#34;type&#34;:&#34;object&#34;,&#34;required&#34;:[&#34;name&#34;]}" /></zeebe:properties></bpmn:extensionElements>';
    await countersign.deploy(
      processModel('strict', schema + conditionalStart('start', ['=n > 0']) + END, 'start > end'),
    );
    await countersign.deploy(conditionalStartModel('willing', '=n > 0'));

    // when
    const { runs, refused } = await evaluate({ n: 1, approval: { decision: 'approve' } });

    // then
    expect(runs.map(({ workflowId }) => workflowId)).to.deep.equal(['willing']);
    expect(refused.map(({ workflowId, code }) => `${workflowId} ${code}`)).to.deep.equal([
      'decided result_variable_reserved',
      'strict inputs_invalid',
    ]);
    const refusal = await getRefusal(evaluate({ n: 1 }, { workflowId: 'strict' }));
    expect(refusal.problem).to.deep.include({ code: 'inputs_invalid', status: 422 });
    expect(refusal.problem.errors?.map(({ pointer }) => pointer)).to.deep.equal(['/variables']);
    expect((await vera.listRuns({ workflowId: 'decided' })).items).to.deep.equal([]);
  });

  it('should return the same runs for a repeated idempotency key, even after another workflow was deployed', async () => {
    // given
    await countersign.deploy(conditionalStartModel('first', '=n > 0'));
    const key = randomUUID();

    // when
    const evaluated = await evaluate({ n: 1 }, {}, key);
    await countersign.deploy(conditionalStartModel('late', '=n > 0'));
    const repeated = await evaluate({ n: 1 }, {}, key);
    const headers = {
      'authorization': `Bearer ${await countersign.token('viewer', { subject: 'vera' })}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const rawResponse = await fetch(`${countersign.url}/api/conditions/evaluate`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ variables: { n: 1 } }),
    });

    // then
    expect(listStartedElements(evaluated)).to.deep.equal(['first start']);
    expect(repeated).to.deep.equal(evaluated);
    expect(rawResponse.headers.get('idempotent-replayed')).to.equal('true');
    expect(await rawResponse.json()).to.deep.equal(evaluated);
    expect((await vera.listRuns({ limit: 200 })).items).to.have.length(1);
    expect((await getRefusal(evaluate({ n: 2 }, {}, key))).code).to.equal('idempotency_key_reused');
    const unmatchedKey = randomUUID();
    expect(listStartedElements(await evaluate({ n: 0 }, {}, unmatchedKey))).to.deep.equal([]);
    await countersign.deploy(conditionalStartModel('later', '=n = 0'));
    expect(
      listStartedElements(await evaluate({ n: 0 }, {}, unmatchedKey)),
      'a repeated request must return the recorded empty response',
    ).to.deep.equal([]);
  });

  it('should start each run once when two servers receive the same idempotency key concurrently', async () => {
    // given
    await countersign.deploy(conditionalStartModel('one', '=n > 0'));
    await countersign.deploy(conditionalStartModel('other', '=n > 0'));
    const secondServer = await createTestHost({ shareDataWith: countersign });
    const clients = [vera, await secondServer.client('viewer', 'vera')];
    try {
      for (let repetition = 1; repetition <= 5; repetition += 1) {
        // when
        const idempotencyKey = randomUUID();
        const [first, second] = await Promise.all(
          clients.map((client) =>
            client.evaluateConditions({ body: { variables: { n: repetition } } }, { idempotencyKey }),
          ),
        );

        // then
        expect(first?.runs).to.have.length(2);
        expect(second).to.deep.equal(first);
        expect((await vera.listRuns({ limit: 200 })).items).to.have.length(2 * repetition);
      }
    } finally {
      await secondServer.close();
    }
  });

  it('should start at most 100 runs, and none when more conditions are true', async () => {
    // given
    const buildStarts = (count: number): string =>
      Array.from({ length: count }, (_each, index) => conditionalStart(`s${index}`, ['=n > 0'])).join('');
    const manyStartsModel = (count: number): string =>
      processModel(
        'many',
        buildStarts(count) + END,
        ...Array.from({ length: count }, (_each, index) => `s${index} > end`),
      );
    await countersign.deploy(manyStartsModel(101));

    // then
    expect((await getRefusal(evaluate({ n: 1 }))).problem).to.include({ code: 'too_many_conditions', status: 422 });
    expect((await vera.listRuns({})).items).to.deep.equal([]);
    await countersign.deploy(manyStartsModel(100));
    expect((await evaluate({ n: 1 })).runs).to.have.length(100);
  });

  it('should refuse conditions that exceed the total evaluation limit', async () => {
    const slowStart = (index: number): string =>
      conditionalStart(`s${index}`, [`=count(for i in 1..30000 return i * x) < ${index - 100}`]);
    const count = 60;
    await countersign.deploy(
      processModel(
        'slow',
        Array.from({ length: count }, (_each, index) => slowStart(index)).join('') + END,
        ...Array.from({ length: count }, (_each, index) => `s${index} > end`),
      ),
    );
    expect((await getRefusal(evaluate({ x: 1 }))).problem).to.include({ code: 'too_many_conditions', status: 422 });
  });

  it('should require the role that is configured for starting runs', async () => {
    await countersign.close();
    countersign = await createTestHost({ configuration: { Auth: { StartRunRole: 'operator' } } });
    vera = await countersign.client('viewer', 'vera');
    expect((await getRefusal(evaluate({}))).problem).to.include({ status: 403, code: 'forbidden' });
    vera = await countersign.client('operator', 'otto');
    expect(await evaluate({})).to.deep.equal({ runs: [], refused: [] });
  });

  it('should execute the steps of a run that a condition started', async () => {
    await countersign.deploy(
      processModel(
        'working',
        conditionalStart('start', ['=n > 0']) + serviceTask('work', 'work') + END,
        'start > work',
        'work > end',
      ),
    );
    const {
      runs: [run],
    } = await evaluate({ n: 1 });
    const heldJob = await countersign.jobs.take('work');
    expect(heldJob.job).to.deep.include({ runId: run?.runId, variables: { n: 1 } });
    heldJob.complete({});
  });
});
