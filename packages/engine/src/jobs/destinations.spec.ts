import {
  type AgentRuntimePort,
  type JobHandlerContribution,
  type JsonObject,
  TerminalFailure,
} from '@countersign/core/plugin';
import type { ElementInstance, JobTask } from '@countersign/model';
import { expect } from 'chai';
import { Destinations } from './destinations.js';
import type { RunningJob } from './job-executor.js';

const createTask = (
  jobType: string,
  variables: JsonObject = { url: 'https://a.example', body: 'large', item: 1 },
  overrides: Partial<ElementInstance> = {},
) => ({
  jobType,
  node: { headers: { agent: 'triage' }, inputs: [{ target: ['url'] }, { target: ['body'] }] } as unknown as JobTask,
  instance: { variables, ...overrides } as unknown as ElementInstance,
});

const A_EXAMPLE = { hosts: ['a.example'], ports: [443] };

describe('Destinations', () => {
  const requests: unknown[] = [];
  const createHandler = (jobType: string): JobHandlerContribution => ({
    jobType,
    hostInputs: ['url', 'item', 'toString'],
    execute: () => expect.fail('unexpected execution'),
    hosts: (request) => {
      requests.push(request);
      (request.inputs as Record<string, unknown>)['url'] = 'changed';
      return ['https://a.example'];
    },
  });
  const agents = {
    hosts: (...args: unknown[]) => {
      requests.push(args);
      return ['model.example'];
    },
  } as unknown as AgentRuntimePort;

  beforeEach(() => requests.splice(0));

  it('should pass the headers and a copy of the declared inputs to the job handler', () => {
    const httpTask = createTask('http');
    expect(new Destinations([createHandler('http')], agents).find(httpTask)).to.deep.equal(A_EXAMPLE);
    expect(requests).to.deep.equal([{ headers: { agent: 'triage' }, inputs: { url: 'changed' } }]);
    expect(httpTask.instance.variables).to.deep.equal({ url: 'https://a.example', body: 'large', item: 1 });
  });

  it('should pass the agent state of the step to the agent runtime', () => {
    const { find: findDestination } = new Destinations([createHandler('http')], agents);
    expect(findDestination(createTask('agent'))).to.deep.equal({ hosts: ['model.example'], ports: [80, 443] });
    const state = { provider: 'openai' } as unknown as NonNullable<ElementInstance['agent']>;
    findDestination(createTask('agent', {}, { agent: state }));
    expect(requests).to.deep.equal([
      [{ headers: { agent: 'triage' }, state: null }],
      [{ headers: { agent: 'triage' }, state }],
    ]);
  });

  it('should prefer a job handler for agents to the agent runtime', () => {
    expect(new Destinations([createHandler('agent')], agents).find(createTask('agent'))).to.deep.equal(A_EXAMPLE);
  });

  it('should find no destination for job types without a handler or without a hosts() function', () => {
    const { hosts: _hosts, ...handlerWithoutHosts } = createHandler('http');
    expect(new Destinations([handlerWithoutHosts], undefined).find(createTask('http'))).to.equal(undefined);
    expect(new Destinations([handlerWithoutHosts], undefined).find(createTask('agent'))).to.equal(undefined);
    expect(new Destinations([handlerWithoutHosts], agents).find(createTask('other'))).to.equal(undefined);
  });

  it('should refuse values that are not origins', () => {
    for (const host of ['https://a.example/', 'a.example/path', ' a.example', 'a b', '']) {
      const invalidHandler = { ...createHandler('http'), hosts: () => [host] };
      expect(() => new Destinations([invalidHandler], undefined).find(createTask('http')), host).to.throw(
        'is neither an origin',
      );
    }
  });

  it('should list each host once, in sorted order', () => {
    const several = {
      ...createHandler('http'),
      hosts: () => ['http://b.example:8443', 'https://a.example', 'b.example:8443'],
    };
    expect(new Destinations([several], undefined).find(createTask('http'))).to.deep.equal({
      hosts: ['a.example', 'b.example:8443'],
      ports: [443, 8443],
    });
    const providers = { hosts: () => ['https://model.example/v1'] } as unknown as AgentRuntimePort;
    expect(() => new Destinations([], providers).find(createTask('agent'))).to.throw('is neither an origin');
  });

  describe('when the job is executed', () => {
    const captureFailure = (decidedHosts?: readonly string[], decidedPorts?: readonly number[]): unknown => {
      const decided = {
        ...(decidedHosts === undefined ? {} : { decidedHosts }),
        ...(decidedPorts === undefined ? {} : { decidedPorts }),
      };
      const { node, instance } = createTask('http', undefined, decided);
      const runningJob = { job: { jobType: 'http' }, node, instance } as unknown as RunningJob;
      try {
        new Destinations([createHandler('http')], agents).assertUnchanged(runningJob);
        return undefined;
      } catch (error) {
        return error;
      }
    };

    it('should be accepted if the policy decision covered their hosts and ports', () => {
      expect(captureFailure(['a.example'])).to.equal(undefined);
      expect(captureFailure(['a.example', 'b.example'])).to.equal(undefined);
      expect(captureFailure()).to.equal(undefined);
      expect(captureFailure(['a.example'], [443])).to.equal(undefined);
      expect(captureFailure(['a.example', 'b.example'], [80, 443])).to.equal(undefined);
    });

    it('should be refused if the policy decision covered other hosts', () => {
      for (const decided of [[], ['b.example'], ['a.example:8443']])
        expect(captureFailure(decided))
          .to.be.instanceOf(TerminalFailure)
          .that.includes({ code: 'destination_changed' });
    });

    it('should be refused if the policy decision covered other ports of the host', () => {
      for (const decided of [[], [80], [8443]])
        expect(captureFailure(['a.example'], decided))
          .to.be.instanceOf(TerminalFailure)
          .that.includes({ code: 'destination_changed' })
          .with.property('message')
          .that.contains('now calls https://a.example');
    });
  });
});
