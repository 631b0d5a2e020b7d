import { expect } from 'chai';
import { z } from 'zod';
import { BpmnError, RetryableFailure, TerminalFailure, type Job } from '../contributions/job-handler.js';
import type { ConnectorCall, ConnectorContribution } from '../contributions/connector.js';
import { secretName } from '../contributions/secret-name.js';
import { OutboundHttpError } from '../errors/outbound-http-error.js';
import { ConnectorJobHandler } from './connector-job-handler.js';

const Input = z.strictObject({
  text: z.string().min(1),
  times: z.int().default(1),
  authentication: z.strictObject({ secret: secretName() }).optional(),
});
const Output = z.object({ echo: z.string() });

describe('ConnectorJobHandler', () => {
  const calls: { readonly input: z.output<typeof Input>; readonly call: ConnectorCall }[] = [];
  beforeEach(() => calls.splice(0));

  const createConnector = (respond: () => unknown): ConnectorContribution<typeof Input, typeof Output> => ({
    id: 'test.echo',
    title: 'Echo',
    description: 'Returns the text.',
    jobType: 'echo',
    version: 1,
    effect: 'read',
    input: Input,
    output: Output,
    call: async (input, call) => {
      calls.push({ input, call });
      return respond() as { echo: string };
    },
  });
  const createJob = (overrides: Partial<Job>): Job => ({
    jobId: 'job-1',
    runId: 'run-1',
    workflowId: 'flow',
    stepId: 'step-1',
    elementId: 'echo_1',
    jobType: 'echo',
    attempt: 2,
    headers: { resultVariable: 'answer' },
    variables: { text: 'seen', times: 7 },
    inputs: { text: 'hello' },
    toolConstraints: null,
    signal: new AbortController().signal,
    putArtifact: () => expect.fail('no artifact may be stored'),
    ...overrides,
  });
  const execute = (
    overrides: Partial<Job> = {},
    respond: () => unknown = () => ({ echo: 'hello', undeclared: 'dropped' }),
  ) => new ConnectorJobHandler(createConnector(respond)).execute(createJob(overrides));
  const captureFailure = (overrides: Partial<Job>, respond?: () => unknown): Promise<unknown> =>
    execute(overrides, respond).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('should pass only the mapped inputs to the connector and store the output in the result variable', async () => {
    expect(await execute()).to.deep.equal({ answer: { echo: 'hello' } });
    expect(calls).to.have.length(1);
    expect(calls[0]?.input).to.deep.equal({ text: 'hello', times: 1 });
    expect(calls[0]?.call).to.include({ idempotencyKey: 'job-1', runId: 'run-1', elementId: 'echo_1', attempt: 2 });
  });

  it('should treat an input mapped to null as missing', async () => {
    await execute({ inputs: { text: 'hello', times: null } });

    expect(calls[0]?.input).to.deep.equal({ text: 'hello', times: 1 });
    expect(await captureFailure({ inputs: { text: null } }))
      .to.have.property('message')
      .that.contains('at "/text": ');
  });

  it('should drop the output when no result variable is set', async () => {
    expect(await execute({ headers: {} })).to.deep.equal({});
    expect(await execute({ headers: { resultVariable: '' } })).to.deep.equal({});
  });

  it('should refuse invalid inputs and report their locations, but not their values', async () => {
    const error = await captureFailure({
      inputs: { text: '', times: 'pa55word', tex: 'pa55word', authentication: { secret: 'Bearer pa55word' } },
    });

    expect(error).to.be.instanceOf(TerminalFailure).with.property('code', 'connector_input_invalid');
    expect(error)
      .to.have.property('message')
      .that.contains('at "/text": ')
      .and.contains('at "/times": ')
      .and.contains('at "/authentication/secret": ')
      .and.contains('"tex"')
      .and.not.contains('pa55word');
    expect(calls).to.deep.equal([]);
  });

  it('should refuse unsupported Camunda headers and invalid variable names', async () => {
    for (const name of ['resultExpression', 'errorExpression', 'retryBackoff']) {
      expect(await captureFailure({ headers: { [name]: '=x' } }), name)
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', 'connector_header_unsupported');
    }
    expect(await captureFailure({ headers: { resultVariable: 'a.b' } }))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'connector_header_invalid');
    expect(calls).to.deep.equal([]);
  });

  it('should not call the connector when the policy denies its job type or requires approval for it', async () => {
    const constraints = { allowed: [], denied: [], requireApproval: [], limits: {} };

    expect(await captureFailure({ toolConstraints: { ...constraints, denied: ['echo'] } })).to.include({
      code: 'policy_denied',
    });
    expect(await captureFailure({ toolConstraints: { ...constraints, requireApproval: ['echo'] } })).to.include({
      code: 'policy_denied',
    });
    expect(calls).to.deep.equal([]);
    await execute({ toolConstraints: { ...constraints, denied: ['other'] } });
    expect(calls).to.have.length(1);
  });

  it('should classify HTTP failures as retryable or permanent and rethrow other errors unchanged', async () => {
    const captureConnectorFailure = (error: unknown) =>
      captureFailure({}, () => {
        throw error;
      });

    expect(await captureConnectorFailure(new OutboundHttpError('outbound_x', 'm', true)))
      .to.be.instanceOf(RetryableFailure)
      .with.property('code', 'outbound_x');
    expect(await captureConnectorFailure(new OutboundHttpError('outbound_x', 'm', false)))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'outbound_x');
    for (const error of [
      new TerminalFailure('t', 'm'),
      new RetryableFailure('r', 'm', 5),
      new BpmnError('b'),
      new Error('any'),
    ])
      expect(await captureConnectorFailure(error)).to.equal(error);
  });

  it('should refuse an output that violates the output schema of the connector', async () => {
    expect(await captureFailure({}, () => ({ echo: 1 })))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'connector_output_invalid');
  });

  describe('hosts of a job', () => {
    const hostsForInputs = (hosts: (input: z.output<typeof Input>) => readonly string[], inputs: Job['inputs']) =>
      new ConnectorJobHandler({ ...createConnector(() => null), hosts, hostInputs: ['text', 'times'] }).hosts({
        inputs,
      });

    it('should be the hosts that the connector derives from its inputs', () => {
      const receivedInputs: unknown[] = [];
      const hosts = hostsForInputs(
        (input) => {
          receivedInputs.push(input);
          return ['a.example', 'b.example:8443'];
        },
        { text: 'hello', times: null, authentication: { secret: '' } },
      );
      expect(hosts).to.deep.equal(['a.example', 'b.example:8443']);
      expect(receivedInputs).to.deep.equal([{ text: 'hello', times: 1 }]);
      expect(calls).to.deep.equal([]);
    });

    it('should be empty when the inputs are invalid or the connector reports no hosts', () => {
      expect(hostsForInputs(() => ['a.example'], { text: '' })).to.deep.equal([]);
      expect(new ConnectorJobHandler(createConnector(() => null)).hosts({ inputs: { text: 'hello' } })).to.deep.equal(
        [],
      );
    });

    it('should be refused when the host inputs name an input that the connector does not declare', () => {
      const connectorWithUnknownInput = {
        ...createConnector(() => null),
        hosts: () => [],
        hostInputs: ['url' as 'text'],
      };
      expect(() => new ConnectorJobHandler(connectorWithUnknownInput).hosts({ inputs: { text: 'hello' } })).to.throw(
        'no input "url"',
      );
    });
  });
});
