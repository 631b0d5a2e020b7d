import type { Client, RunDetail, RunEvent } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import {
  businessRuleTask,
  createTestHost,
  decisionModel,
  processModel,
  serviceTask,
  type DecisionTable,
  type TestHost,
} from '@countersign/testing';
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem } from './http.spec.support.js';

const riskDecision = (rules: readonly string[], overrides: Partial<DecisionTable> = {}): string =>
  decisionModel({ id: 'risk', inputs: ['amount', 'country'], rules, ...overrides });
const RULES = ['< 100 | - => "low"', '>= 100 | "CH" => "medium"', '>= 100 | not("CH") => "high"'];

const decisionTaskModel = (id: string, decisionId: string, ...taskArguments: readonly string[]): string =>
  processModel(
    id,
    `<bpmn:startEvent id="start" />${businessRuleTask('assess', decisionId, ...taskArguments)}<bpmn:endEvent id="end" />`,
    'start > assess',
    'assess > end',
  );

const sha256Digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('API: DMN decisions for business rule tasks', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let admin: Client;
  let viewer: Client;
  let operator: Client;

  beforeEach(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer, jobTypes: [] });
    [admin, viewer, operator] = await Promise.all([
      firstServer.client('admin', 'root'),
      firstServer.client('viewer', 'vera'),
      firstServer.client('operator', 'otto'),
    ]);
  });

  afterEach(async () => {
    await secondServer.close();
    await firstServer.close();
  });

  async function startAndGetRun(
    workflowId: string,
    inputs: RunDetail['inputs'] = {},
    client = viewer,
  ): Promise<RunDetail> {
    const { runId } = await client.startRun({ body: { workflowId, inputs } });
    return client.getRun({ runId });
  }

  const listEventsOfType = async (runId: string, type: string): Promise<RunEvent[]> =>
    (await viewer.listRunEvents({ runId })).items.filter((event) => event.type === type);

  describe('deployment', () => {
    it('should assign each DMN decision its own versions and reuse the version of an identical file', async () => {
      // given
      const combinedDmnXml = decisionModel(
        { id: 'risk', inputs: ['a'], rules: ['- => 1'] },
        { id: 'fee', inputs: ['a'], rules: ['- => 2'] },
      );

      // when
      const first = await admin.deployDecisions({ body: riskDecision(RULES) });
      const second = await admin.deployDecisions({ body: combinedDmnXml });
      const repeated = await admin.deployDecisions({ body: riskDecision(RULES) });

      // then
      expect(first).to.deep.equal({
        decisionRequirementsId: 'requirements',
        name: 'Requirements',
        digest: sha256Digest(riskDecision(RULES)),
        decisions: [{ decisionId: 'risk', name: 'risk', decisionType: 'decisionTable', version: 1 }],
      });
      expect(second.decisions.map(({ decisionId, version }) => [decisionId, version])).to.deep.equal([
        ['risk', 2],
        ['fee', 1],
      ]);
      expect(repeated).to.deep.equal(first);
      const newest = await viewer.getDecision({ decisionId: 'risk' });
      expect(newest).to.include({
        version: 2,
        digest: sha256Digest(combinedDmnXml),
        dmnXml: combinedDmnXml,
        decisionRequirementsId: 'requirements',
      });
      expect(newest.versions.map(({ version, digest, deployedBy }) => [version, digest, deployedBy])).to.deep.equal([
        [2, sha256Digest(combinedDmnXml), 'root'],
        [1, sha256Digest(riskDecision(RULES)), 'root'],
      ]);
      expect(await viewer.getDecision({ decisionId: 'risk', version: 1 })).to.include({
        version: 1,
        dmnXml: riskDecision(RULES),
      });
      const { items } = await viewer.listDecisions({ limit: 1 });
      const rest = await viewer.listDecisions({ cursor: (await viewer.listDecisions({ limit: 1 })).nextCursor! });
      expect(
        [...items, ...rest.items].map(({ decisionId, version }) => `${decisionId}${version}`).sort(),
      ).to.deep.equal(['fee1', 'risk2']);
      const audit = await admin.listAuditEvents({});
      expect(
        audit.items
          .filter(({ action }) => action === 'decision.deploy')
          .map(({ actor, target, data }) => [actor, target?.id, data['version']]),
      ).to.have.deep.members([
        ['root', 'risk', 1],
        ['root', 'risk', 2],
        ['root', 'fee', 1],
      ]);
    });

    it('should respond with 201 and a location for a new version, and with 200 for an identical file', async () => {
      // given
      const headers = {
        'authorization': `Bearer ${await firstServer.token('admin')}`,
        'content-type': 'application/xml',
      };
      const post = () =>
        fetch(`${firstServer.url}/api/decisions`, { method: 'POST', headers, body: riskDecision(RULES) });

      // when
      const responses = [await post(), await post()];

      // then
      expect(responses.map((response) => [response.status, response.headers.get('location')])).to.deep.equal([
        [201, '/api/decisions/risk?version=1'],
        [200, null],
      ]);
    });

    it('should refuse the whole file when one DMN decision is invalid and report its element and line', async () => {
      // given
      const broken = decisionModel(
        { id: 'fine', inputs: ['a'], rules: ['- => 1'] },
        { id: 'broken', hitPolicy: 'SOMETIMES', inputs: ['a'], rules: ['- => 1 +'] },
      );

      // when
      const problem = await expectProblem(admin.deployDecisions({ body: broken }));

      // then
      expect(problem).to.include({ status: 422, code: 'model_refused' });
      expect(problem.errors?.map(({ pointer }) => pointer)).to.include('broken-table');
      expect(problem.errors?.find(({ pointer }) => pointer === 'broken-table')?.message).to.match(/\(line \d+\)/);
      expect((await viewer.listDecisions({})).items).to.deep.equal([]);
      expect(
        await expectProblem(admin.deployDecisions({ body: '<!DOCTYPE a [<!ENTITY b "c">]><definitions/>' })),
      ).to.include({ code: 'model_refused' });
      expect(
        await expectProblem(
          admin.deployDecisions({ body: riskDecision(RULES).replaceAll('"risk"', `"${'r'.repeat(256)}"`) }),
        ),
      ).to.nested.include({ 'errors[0].code': 'id_too_long' });
    });

    it('should require the admin role', async () => {
      for (const role of ['viewer', 'operator', 'approver'] as const) {
        const client = await firstServer.client(role);
        expect(await expectProblem(client.deployDecisions({ body: riskDecision(RULES) }))).to.include({
          status: 403,
          code: 'forbidden',
        });
      }
      expect((await viewer.listDecisions({})).items).to.deep.equal([]);
    });

    it('should respond with 404 for an unknown DMN decision or version', async () => {
      await admin.deployDecisions({ body: riskDecision(RULES) });
      expect(await expectProblem(viewer.getDecision({ decisionId: 'none' }))).to.include({
        status: 404,
        code: 'decision_not_found',
      });
      expect(await expectProblem(viewer.getDecision({ decisionId: 'risk', version: 2 }))).to.include({
        status: 404,
        code: 'decision_version_not_found',
      });
    });
  });

  describe('evaluation', () => {
    it('should route the run by the DMN result and record the version and the matched rules', async () => {
      // given
      await admin.deployDecisions({ body: riskDecision(RULES) });
      const elements =
        `<bpmn:startEvent id="start" />${businessRuleTask('assess', 'risk', 'risk', '<zeebe:ioMapping><zeebe:input source="=order.total" target="amount" /><zeebe:output source="=upper case(risk)" target="level" /></zeebe:ioMapping>')}` +
        '<bpmn:exclusiveGateway id="serious" default="no" /><bpmn:endEvent id="stopped" /><bpmn:endEvent id="went-on" />' +
        '<bpmn:sequenceFlow id="yes" sourceRef="serious" targetRef="stopped"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=level = "HIGH"</bpmn:conditionExpression></bpmn:sequenceFlow>' +
        '<bpmn:sequenceFlow id="no" sourceRef="serious" targetRef="went-on" />';
      await firstServer.deploy(processModel('order', elements, 'start > assess', 'assess > serious'));

      // when
      const { runId, outcome, variables, steps } = await startAndGetRun('order', {
        order: { total: 250 },
        country: 'LI',
      });

      // then
      expect(outcome).to.equal('completed');
      expect(variables).to.deep.equal({ order: { total: 250 }, country: 'LI', level: 'HIGH' });
      expect(steps.map(({ elementId }) => elementId)).to.deep.equal(['start', 'assess', 'serious', 'stopped']);
      const [evaluated, ...others] = await listEventsOfType(runId, 'decision.evaluated');
      expect(others).to.deep.equal([]);
      expect(evaluated?.elementId).to.equal('assess');
      expect(evaluated?.data).to.deep.equal({
        decisionId: 'risk',
        version: 1,
        digest: sha256Digest(riskDecision(RULES)),
        matchedRules: ['risk-rule-3'],
        deployedBy: 'root',
        output: 'high',
        evaluatedDecisions: [
          {
            decisionId: 'risk',
            decisionName: 'risk',
            decisionType: 'decisionTable',
            decisionOutput: 'high',
            evaluatedInputs: [
              { inputId: 'risk-input-1', inputName: 'amount', inputValue: 250 },
              { inputId: 'risk-input-2', inputName: 'country', inputValue: 'LI' },
            ],
            matchedRules: [
              {
                ruleId: 'risk-rule-3',
                ruleIndex: 3,
                evaluatedOutputs: [{ outputId: 'risk-output', outputName: null, outputValue: 'high' }],
              },
            ],
          },
        ],
      });
    });

    it('should select the DMN decision by an expression and raise an incident for an invalid or unknown id', async () => {
      // given
      await admin.deployDecisions({ body: riskDecision(RULES) });
      await firstServer.deploy(decisionTaskModel('chosen', '=which'));
      await firstServer.deploy(decisionTaskModel('impossible', '="a" + "\\u0000"'));

      // when
      const [chosen, none, number, impossible] = [
        await startAndGetRun('chosen', { which: 'risk', amount: 1 }),
        await startAndGetRun('chosen', { which: 'x'.repeat(300) }),
        await startAndGetRun('chosen', { which: 7 }),
        await startAndGetRun('impossible'),
      ];

      // then
      expect(chosen.variables).to.include({ result: 'low' });
      expect([none, number, impossible].map(({ status, error }) => [status, error?.code])).to.deep.equal([
        ['failed', 'decision_id_invalid'],
        ['failed', 'decision_id_invalid'],
        ['failed', 'decision_not_found'],
      ]);
    });

    it('should use the newest version when the run enters the task, regardless of the server that deployed it', async () => {
      // given: a run that has already started, and two servers that have used the first version
      await admin.deployDecisions({ body: riskDecision(RULES) });
      const elements = `<bpmn:startEvent id="start" />${serviceTask('work', 'work')}${businessRuleTask('assess', 'risk')}<bpmn:endEvent id="end" />`;
      await firstServer.deploy(processModel('waiting', elements, 'start > work', 'work > assess', 'assess > end'));
      await firstServer.deploy(decisionTaskModel('plain', 'risk'));
      const secondServerClient = await secondServer.client('viewer');
      expect(
        [
          await startAndGetRun('plain', { amount: 1 }),
          await startAndGetRun('plain', { amount: 1 }, secondServerClient),
        ].map(({ variables }) => variables['result']),
      ).to.deep.equal(['low', 'low']);
      const { runId } = await viewer.startRun({ body: { workflowId: 'waiting', inputs: { amount: 1 } } });
      const heldJob = await firstServer.jobs.take('work');

      // when
      await (await secondServer.client('admin')).deployDecisions({ body: riskDecision(['- | - => "unknown"']) });
      heldJob.complete();
      const results = [
        await startAndGetRun('plain', { amount: 1 }),
        await startAndGetRun('plain', { amount: 1 }, secondServerClient),
      ];
      for await (const { type } of viewer.streamRunEvents({ runId })) if (type === 'run.completed') break;

      // then
      expect(results.map(({ variables }) => variables['result'])).to.deep.equal(['unknown', 'unknown']);
      expect((await viewer.getRun({ runId })).variables).to.include({ result: 'unknown' });
      for (const each of [runId, ...results.map((result) => result.runId)])
        expect((await listEventsOfType(each, 'decision.evaluated')).map(({ data }) => data['version'])).to.deep.equal([
          2,
        ]);
    });

    it('should not treat a newer DMN decision as a newer workflow version when a run is started', async () => {
      // given: a server that has cached the first version
      await admin.deployDecisions({ body: riskDecision(RULES) });
      await firstServer.deploy(decisionTaskModel('plain', 'risk'));
      await startAndGetRun('plain', { amount: 1 }, await secondServer.client('viewer'));
      await admin.deployDecisions({ body: riskDecision(['- | - => "unknown"']) });

      // when
      const context = { actor: { type: 'user', id: 'vera', name: 'Vera' }, from: null, traceId: null } as const;
      const engine = secondServer.host.get<EnginePort>(EnginePort);
      const result = await engine.startRun({
        context,
        workflowId: 'plain',
        version: 1,
        onlyNewest: true,
        inputs: {},
        businessKey: null,
        respond: ({ run: { runId } }) => ({ runId }),
      });

      // then
      expect((await viewer.getRun({ runId: String(result.response['runId']) })).variables).to.deep.equal({
        result: 'unknown',
      });
    });

    it('should use one version throughout a command, even during concurrent deployments', async () => {
      // given
      await admin.deployDecisions({ body: decisionModel({ id: 'risk', inputs: ['step'], rules: ['- => 1'] }) });
      const steps = Array.from({ length: 5 }, (_, index) =>
        businessRuleTask(`assess-${index}`, index % 2 === 0 ? 'risk' : '="ri" + "sk"'),
      );
      const flows = ['start', ...steps.keys(), 'end'].map((each) =>
        typeof each === 'number' ? `assess-${each}` : each,
      );
      await firstServer.deploy(
        processModel(
          'often',
          `<bpmn:startEvent id="start" />${steps.join('')}<bpmn:endEvent id="end" />`,
          ...flows.slice(1).map((target, index) => `${flows[index] ?? ''} > ${target}`),
        ),
      );

      // when
      const versions = [2, 3, 4, 5, 6].map((version) =>
        decisionModel({ id: 'risk', inputs: ['step'], rules: [`- => ${version}`] }),
      );
      const clients = await Promise.all([firstServer.client('admin'), secondServer.client('admin')]);
      const [runs] = await Promise.all([
        Promise.all(
          Array.from({ length: 12 }, (_, index) => startAndGetRun('often', {}, index % 2 === 0 ? viewer : clients[1])),
        ),
        Promise.all(versions.map((body, index) => clients[index % 2]?.deployDecisions({ body }))),
      ]);

      // then
      for (const { runId, outcome } of runs) {
        expect(outcome).to.equal('completed');
        const evaluated = await listEventsOfType(runId, 'decision.evaluated');
        expect(evaluated).to.have.length(5);
        expect(new Set(evaluated.map(({ data }) => data['digest'])).size).to.equal(1);
      }
    });
  });

  describe('evaluation failures', () => {
    it('should raise an incident for a missing DMN decision and recover once any server has deployed the decision', async () => {
      // given
      await firstServer.deploy(decisionTaskModel('early', 'risk'));
      const failedRun = await startAndGetRun('early', { amount: 1 });
      expect(failedRun).to.deep.include({ status: 'failed', outcome: null, incidents: 1, recoverable: true });
      expect(failedRun.error).to.include({ code: 'decision_not_found' });
      expect(failedRun.error?.message).to.contain(
        'DMN decision "risk" is not deployed. Deploy a DMN file that contains it, and recover the run.',
      );

      // when
      await (await secondServer.client('admin')).deployDecisions({ body: riskDecision(RULES) });
      const plan = await operator.recoverRun({ runId: failedRun.runId, dryRun: true, body: {} });
      await operator.recoverRun({ runId: failedRun.runId, body: {} });

      // then
      expect(plan).to.deep.include({ notes: ['The run would complete immediately.'] });
      const recoveredRun = await viewer.getRun({ runId: failedRun.runId });
      expect(recoveredRun).to.include({ outcome: 'completed', incidents: 0 });
      expect(recoveredRun.variables).to.include({ result: 'low' });
    });

    it('should raise an incident with details for a hit policy violation and recover with the next version', async () => {
      // given
      const conflictingDecision = riskDecision(['< 100 | - => "low"', '- | "CH" => "medium"']);
      await admin.deployDecisions({ body: conflictingDecision });
      await firstServer.deploy(decisionTaskModel('unsure', 'risk'));

      // when
      const failedRun = await startAndGetRun('unsure', { amount: 1, country: 'CH' });

      // then
      expect(failedRun).to.include({ status: 'failed', incidents: 1 });
      expect(failedRun.error).to.include({ code: 'dmn_not_unique' });
      expect(failedRun.error?.message).to.contain(
        'Deploy a corrected "risk", or correct the variables, and recover the run.',
      );
      const [failedEvent] = await listEventsOfType(failedRun.runId, 'decision.failed');
      expect(failedEvent?.data).to.deep.include({
        decisionId: 'risk',
        version: 1,
        digest: sha256Digest(conflictingDecision),
        code: 'dmn_not_unique',
      });
      expect(failedEvent?.data).to.have.nested.property('evaluatedDecisions[0].evaluatedInputs[1].inputValue', 'CH');

      // when
      await admin.deployDecisions({ body: riskDecision(RULES) });
      await operator.recoverRun({ runId: failedRun.runId, body: {} });

      // then
      expect((await viewer.getRun({ runId: failedRun.runId })).variables).to.include({ result: 'low' });
      expect(findPackErrors(await viewer.getEvidencePack({ runId: failedRun.runId }))).to.deep.equal([]);
    });

    it('should warn at deployment when a workflow refers to a missing DMN decision by its id', async () => {
      // given
      await admin.deployDecisions({ body: riskDecision(RULES) });
      const elements = `<bpmn:startEvent id="start" />${businessRuleTask('assess', 'risk')}${businessRuleTask('charge', 'fee')}${businessRuleTask('more', '=which')}<bpmn:endEvent id="end" />`;
      const body = processModel(
        'wanting',
        elements,
        'start > assess',
        'assess > charge',
        'charge > more',
        'more > end',
      );

      // when
      const firstDeployment = await admin.deployWorkflow({ body });
      await admin.deployDecisions({ body: decisionModel({ id: 'fee', inputs: ['1'], rules: ['- => 1'] }) });
      const secondDeployment = await admin.deployWorkflow({ body });

      // then
      const message =
        'DMN decision "fee" is not deployed. Deploy a DMN file that contains it before a run reaches this element.';
      expect(firstDeployment.warnings).to.deep.equal([
        { severity: 'warning', rule: 'missing-decision', elementId: 'charge', message },
      ]);
      expect(secondDeployment.warnings).to.deep.equal([]);
    });

    it('should return null when no rule matches, as in Zeebe', async () => {
      await admin.deployDecisions({ body: riskDecision(['< 0 | - => "odd"']) });
      await firstServer.deploy(decisionTaskModel('unmatched', 'risk'));
      expect((await startAndGetRun('unmatched', { amount: 1 })).variables).to.deep.equal({ amount: 1, result: null });
    });
  });

  it('should prove the evaluated DMN decisions and their versions in the evidence pack', async () => {
    // given
    const combinedDmnXml = decisionModel(
      { id: 'risk', inputs: ['amount'], rules: ['- => "low"'] },
      { id: 'fee', inputs: ['amount'], rules: ['- => 7'] },
    );
    await admin.deployDecisions({ body: combinedDmnXml });
    const elements = `<bpmn:startEvent id="start" />${businessRuleTask('assess', 'risk', 'risk')}${businessRuleTask('charge', 'fee', 'fee')}${businessRuleTask('again', 'fee', 'fee')}<bpmn:endEvent id="end" />`;
    await firstServer.deploy(
      processModel('audited', elements, 'start > assess', 'assess > charge', 'charge > again', 'again > end'),
    );
    const { runId } = await startAndGetRun('audited', { amount: 1 });
    await admin.deployDecisions({ body: decisionModel({ id: 'fee', inputs: ['amount'], rules: ['- => 9'] }) });

    // when
    const pack = await viewer.getEvidencePack({ runId });

    // then
    expect(findPackErrors(pack)).to.deep.equal([]);
    const [file, ...others] = pack.decisionFiles;
    expect(others).to.deep.equal([]);
    expect(file).to.include({ digest: sha256Digest(combinedDmnXml), dmnXml: combinedDmnXml });
    expect(file?.decisions.map(({ decisionId, version }) => [decisionId, version])).to.deep.equal([
      ['risk', 1],
      ['fee', 1],
    ]);
    for (const forge of [
      (copy: typeof pack) => void (copy.decisionFiles[0]!.dmnXml = combinedDmnXml.replace('7', '8')),
      (copy: typeof pack) => void (copy.decisionFiles[0]!.decisions[0]!.version = 2),
      (copy: typeof pack) => void copy.decisionFiles.pop(),
      (copy: typeof pack) =>
        void (copy.events.find(({ type }) => type === 'decision.evaluated')!.private!['output'] = 'high'),
    ]) {
      const copy = structuredClone(pack);
      forge(copy);
      expect(findPackErrors(copy)).to.not.be.empty;
    }
  });
});
