import type { AgentRuntimePort, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import type { ElementInstance, JobTask } from '@countersign/model';
import { expect } from 'chai';
import { destinations } from './destinations.js';

const task = (
  jobType: string,
  variables: JsonObject = { url: 'https://a.example', body: 'large', item: 1 },
  more: Partial<ElementInstance> = {},
) => ({
  jobType,
  node: { headers: { agent: 'triage' }, inputs: [{ target: ['url'] }, { target: ['body'] }] } as unknown as JobTask,
  instance: { variables, ...more } as unknown as ElementInstance,
});

describe('destinations()', () => {
  const asked: unknown[] = [];
  const handler = (jobType: string): JobHandlerContribution => ({
    jobType,
    hostInputs: ['url', 'item', 'toString'],
    execute: () => expect.fail('nothing is done'),
    hosts: (of) => {
      asked.push(of);
      (of.inputs as Record<string, unknown>)['url'] = 'changed';
      return ['a.example'];
    },
  });
  const agents = {
    hosts: (...of: unknown[]) => {
      asked.push(of);
      return ['model.example'];
    },
  } as unknown as AgentRuntimePort;

  beforeEach(() => asked.splice(0));

  it('should ask the handler of the job type by headers and the mapped inputs that it goes by, a copy of them', () => {
    const given = task('http');
    expect(destinations([handler('http')], agents)(given)).to.deep.equal(['a.example']);
    expect(asked).to.deep.equal([{ headers: { agent: 'triage' }, inputs: { url: 'changed' } }]);
    expect(given.instance.variables).to.deep.equal({ url: 'https://a.example', body: 'large', item: 1 });
  });

  it('should ask the runtime of agents by the provider that the step began with', () => {
    const hostsOf = destinations([handler('http')], agents);
    expect(hostsOf(task('agent'))).to.deep.equal(['model.example']);
    hostsOf(task('agent', {}, { agent: { provider: 'openai' } as unknown as NonNullable<ElementInstance['agent']> }));
    expect(asked).to.deep.equal([
      [{ headers: { agent: 'triage' } }, undefined],
      [{ headers: { agent: 'triage' } }, 'openai'],
    ]);
  });

  it('should ask a plugin that serves agents itself, and not the runtime', () => {
    expect(destinations([handler('agent')], agents)(task('agent'))).to.deep.equal(['a.example']);
  });

  it('should know none of a job type that others serve, and of those who tell none', () => {
    const { hosts: _hosts, ...silent } = handler('http');
    expect(destinations([silent], undefined)(task('http'))).to.deep.equal([]);
    expect(destinations([silent], undefined)(task('agent'))).to.deep.equal([]);
    expect(destinations([silent], agents)(task('other'))).to.deep.equal([]);
  });
});
